"""Rows that stay outside memory: in a database, in large files, on a cluster."""
