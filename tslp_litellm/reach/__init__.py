"""Ways to the State Map for whoever can't put a model behind the proxy, and news of it (SEMANTICS 13).

`relay` is the model that answers with what would stand in front of a prompt; `hook` and `mcp_server` are its clients.
"""
