"""A thousand turns: does it keep a small model on its feet? docs/turns.md has the question, the measure and the answer.

The model of the published thousand is simulated: a seeded function of what the cut leaves, with the failings of small
models at the rates of their recorded answers (`rates`). A real one is asked with `--model`.
"""
