"""Audits: bundles for auditors, claims in words, and how data differ from those of a claim."""
