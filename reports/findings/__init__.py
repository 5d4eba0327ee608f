"""Findings: what stands out in loaded runs, by rules that are SQL files."""
