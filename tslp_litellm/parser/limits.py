"""What one text may cost (SEMANTICS 9). Numbers, and why they are what they are."""

from __future__ import annotations

CPU_S, CPU_S_PER_MB = 0.5, 4.0
"""CPU time of a text: four times what the slowest sound file of its size took here, so that only a text that makes a
grammar run away is ended by it."""
GRACE_S = 60.0
"""Beyond that, real time: a busy machine is no fault of a text. What runs into this is not held against it."""
SPACE_BYTES, SPACE_PER_BYTE = 160 << 20, 64
"""Address space of a text beyond what the process has when it begins: a sound megabyte of code takes 40 MB."""
TEXT_BYTES_MAX = 8_000_000
"""A larger text is not parsed at all."""
SYMBOLS_MAX = 5_000
"""A text that defines more is tracked as a file only: each symbol is an entity, with a row and an event of its own."""
ERRORS_MAX = 2_000
"""A text with more is none of its language: no definition in it is believed, and it is tracked as a file only."""
REPLY_BYTES_MAX = 64 << 20
WORKERS_MAX = 3
"""Processes that parse at a time, made when they are needed. Heavy texts leave one of them to the others."""
HEAVY_BYTES = 64_000
IDLE_S = 30.0
"""How long a second or third process is kept without work."""
LEFT_BYTES = 48 << 20
"""A process that a text left larger by more than this ends after its reply, and gives its memory back."""
REFUSED_MAX = 10_000
"""Refused texts that are remembered, the newest."""


def cpu_s(size: int) -> float:
    """Seconds of CPU time for a text of so many bytes."""
    return CPU_S + CPU_S_PER_MB * size / 1_000_000


def space(size: int) -> int:
    """Bytes of address space for a text of so many bytes."""
    return SPACE_BYTES + SPACE_PER_BYTE * size
