"""Interval mode: a load for each interval, the solver's means at it, noise, and the same records.

    load_profile -> means (solver, once for each step of load) -> drawn (SimResult) -> records

Nothing is simulated. draws.py gives every number a place of its own, so that an interval does not
depend on which others are made; faults.py changes what the solver is given, never what is counted.
"""
