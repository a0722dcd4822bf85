"""Everything between a LiteLLM hook and the engine.

Theory of operation. A turn makes two *visits* to the database, each one transaction in a thread: the first before the
model is called (the user's and the tools' word is judged, then the prompt gets its blocks), the second after the last
byte of the answer has gone out (the model's word is judged). No chunk of an answer ever waits for us.

*Order.* A request must see every answer of its workspace that went out before it. `attendant` puts the answer
together beside the stream and gives it, just before its end goes out, a place in the workspace's lane (`recording`,
`lanes`). The next request of that workspace waits for what stands in the lane before it (`runtime.preflight`). Other
workers, which know nothing of our lanes, see a mark beside the database until the answer is recorded (`deliveries`).

*Shares.* Four threads make all visits (`visits`). Large requests and answers get some of them, a tenant gets some
(`shares`, `weight`), so that a small request of anybody's finds one free. What is read for longer than `visit_seconds`
is given up, and what it may have shown becomes DIRTY.

*Faults.* `attendant` is the only place that fails open. A fault is noted once (`faults`), and the request goes on
without blocks, or gets 503 by `on_error: block`. An answer that the database can't take waits in `backlog`; a later
request of its workspace then passes unhydrated, since the State Map is older than what the client was told.

What is asked of LiteLLM and of the machine is asked here alone: who calls (`callers`, `policies`), the window
(`windows`), whether the client is still there (`connections`), the interpreter's threads and collections
(`interpreter`). Nothing here decides what is true; `engine` does.
"""
