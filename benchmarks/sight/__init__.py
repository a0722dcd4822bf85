"""What a model really sees: whole requests, bare and with TSLP, behind a server that cuts in silence.

Everything runs in-process through the hooks' common body, and everything follows from the seed.
"""
