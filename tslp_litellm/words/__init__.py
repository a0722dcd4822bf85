"""What people say: sentences, the paths and names that they mention, and a few lists of words.

No grammar of any language is kept (SEMANTICS 2): whoever asks looks for one of a few words in one sentence.
"""
