"""Rows into a problem: parameters checked, antecedents mined, constraints and costs resolved."""
