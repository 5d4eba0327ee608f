"""The data dictionary: its rows, and its page."""
