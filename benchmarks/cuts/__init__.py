"""All cuts: certified rule lists beside optimal trees over all thresholds (``make cuts``)."""
