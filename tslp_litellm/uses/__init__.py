"""What an entity uses, from the texts that have crossed and from nothing else (SEMANTICS 10).

Owns where a name leads and what an interface is; refuses to guess: no use by name alone. Pure.
"""
