"""Declared layouts."""
