"""The whole history (SEMANTICS 12): how a point in it is named, and what a checkpoint holds. Pure."""
