"""Comparing two runs: samples, significance, verdicts, and what to say of them."""
