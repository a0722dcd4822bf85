"""The whole history (SEMANTICS 12): how a point in it is named, what a checkpoint holds, what test runs said, and heads
as signed notes. Pure: it reads and writes nothing, and nothing of it ever stands in a prompt."""
