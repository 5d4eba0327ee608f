"""Charts of reports."""
