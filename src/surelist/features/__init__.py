"""Columns into Boolean features: cuts, categories, predicates."""
