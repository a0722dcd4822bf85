"""Turns to evidence: what is new in a request, what a message shows, writes, edits or reports, and whose word it is.

Theory of operation. A client sends its whole history with every request, cut, edited or compacted as it likes. Three
questions are asked of it, and nothing is judged:

1. *What is new?* `history` keeps the digest of every item of a conversation, with the places at which it was said, and
   lays the request beside that memory. An item is SEEN, NEW, or OLD (of unknown age). Only what is NEW is evidence;
   what is OLD may bring a file that nobody knew, and changes no known one. So a paste that the client sends for the
   tenth time beats nothing, and the same paste made once more by the user counts again.
2. *What does it say of files?* `user_text` and `model_text` each hold a list of dialects. Each dialect takes its own
   forms out of the text, as values (`Shown`, `Edit`, `Removal`, `Transfer`, `Drift`), and leaves the rest to the next:
   so no line is read twice. From "src/a.py", a fence and "X = 1" comes `Shown(path="src/a.py", text="X = 1\\n", …)`.
   What no dialect took of a user's message is prose: there mentions and requests are looked for, and sentences in which
   the user says that he changed something himself (`told_changes`).
3. *Whose word is it?* The role on the wire tells the model's word from the user's side. What the client writes below
   the user's role, such as listings and reports, counts as the client's. Our own frames and the model's thinking are
   cut out before anything is read, whoever repeats them.

Calls of tools and their results are read by contract, in `clients`. `resolution` decides what becomes of the evidence.
"""
