"""Compiled loops: fields at given places become columns."""
