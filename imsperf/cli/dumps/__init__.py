"""Commands that read dumps, and what their records are."""
