"""Queueing formulas and the solver of a network."""
