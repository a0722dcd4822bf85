"""Uses against those who know better: a type checker, a compiler, real histories (SEMANTICS 10)."""
