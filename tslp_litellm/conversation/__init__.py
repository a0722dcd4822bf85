"""Turns to evidence: what is new in a request, what a message shows, writes, edits or reports, and whose word it is."""
