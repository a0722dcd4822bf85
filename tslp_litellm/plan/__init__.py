"""What to leave out of a request so that it fits into the model's window (SEMANTICS 4, The window). Pure: it is given
the request's parts with their tokens, what they show of tracked files, and what was left out before."""
