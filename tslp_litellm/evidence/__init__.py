"""Turns to evidence: what a message shows, writes, edits or reports, and which of it is new (SEMANTICS 2).

One module per dialect. Refuses to judge: whether evidence becomes truth is decided in `resolution`.
"""
