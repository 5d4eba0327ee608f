"""Scenarios: the files, and how they are read, checked and written."""
