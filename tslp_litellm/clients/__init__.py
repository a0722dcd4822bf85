"""What clients are: their tools, results, frames, machine messages and side requests, as data with a strict schema."""
