"""Texts that nobody means well with, made by the thousand, against every grammar and every reader of a dialect.

`python -m tests.hostile --minutes 10` plays a share that changes with the day; `--seed` plays a given one again.
"""
