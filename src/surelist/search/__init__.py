"""One search, from a problem to its result: limits, checkpoints, trace."""
