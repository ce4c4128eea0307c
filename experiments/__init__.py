"""The paper's experiments, reproduced from public data.

``make experiments`` runs all of them and writes one report; ``python -m experiments.NAME`` runs
one. Not part of the package that is installed.
"""
