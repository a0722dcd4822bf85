"""Prompt to blocks and notices, within a budget (§8, SEMANTICS 4). Pure: it is given what is tracked and what stands
in the request, and says what to put in front of the user's words."""
