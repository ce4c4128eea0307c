"""One search on many machines: a coordinator lends prefixes to shards."""
