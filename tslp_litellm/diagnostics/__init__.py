"""The endpoints under `/tslp` (§14). They observe: nothing reachable from here writes."""
