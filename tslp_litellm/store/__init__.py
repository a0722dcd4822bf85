"""Vault, Ledger and State Map in a database. The only importer of SQLAlchemy.

`database` opens it, `schema` names its tables, `reading` and `writing` are the two kinds of transaction, `queries`
serves the diagnostics through a connection that cannot write, `maintenance` rebuilds and verifies.
"""
