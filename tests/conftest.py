"""What every test may use; nothing in a test is left to chance, but where `make check` draws a seed and says it."""

from __future__ import annotations

import hypothesis

from .postgres import postgresql, postgresql_url

__all__ = ["postgresql", "postgresql_url"]

hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("fresh", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("same")
