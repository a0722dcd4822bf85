"""Evidence to events: what each piece of evidence does to the state (§4 to §7, §9, §12). Pure functions of values.

The parts: `files` (what is known of a file, and how it may change), `intent` (what the prompt asks by name), `gates`
(structural proof and parity, with witnesses), `judge` (one function an origin and kind of evidence).
"""
