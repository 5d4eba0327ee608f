"""The IMS log of a run, record by record."""
