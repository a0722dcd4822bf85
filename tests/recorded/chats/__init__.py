"""Whole chats with a real small model about ordinary code: what was said, and what becomes of it."""
