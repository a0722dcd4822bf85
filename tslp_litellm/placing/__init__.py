"""Which file a piece of code belongs to (SEMANTICS 2): by label, structure, sentence or place, the first that applies.

For the user's code and the model's alike. Each rule is a function of values; nothing is judged here. `gone_on` first
puts an answer together that was cut short and gone on with.
"""
