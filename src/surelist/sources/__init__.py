"""Rows that stay elsewhere: in a database, in files beyond memory, on a cluster."""
