"""What every test may use."""

from __future__ import annotations

from .postgres import postgresql, postgresql_url

__all__ = ["postgresql", "postgresql_url"]
