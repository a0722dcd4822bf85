"""Text to structure: outlines by tree-sitter, left-out code, and the fallback patterns of `symbols.json`.

Refuses: paths, conversations and state. Everything here is a function of a text and its language.
"""
