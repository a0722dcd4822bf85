"""How texts show, write and edit files: a module per dialect, how it looks and what it proves (SEMANTICS 2).

Refuses to judge: whether evidence becomes truth is decided in `resolution`.
"""
