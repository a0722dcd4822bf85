"""What people say around code: a grammar of requests, and one of sentences that say which file follows. Pure.

Both are positive (SEMANTICS 2, Positive proof): a sentence counts where all of it is understood; anything else says
nothing. The words are data (`data/requests.json`, `data/sentences.json`).
"""
