"""The journal that people read (SEMANTICS 12, after LedgerPulse v1.3): pulses, made of the Ledger at any time anew, in
a stream of Markdown files. The proxy never reads it."""
