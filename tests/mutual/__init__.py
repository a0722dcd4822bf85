"""Wordings that nobody listed: none of them may become a truth, nor leave an old one where the file may have changed."""
