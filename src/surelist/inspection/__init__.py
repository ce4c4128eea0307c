"""What to know about a table before a rule list is learned from it: one check a file."""
