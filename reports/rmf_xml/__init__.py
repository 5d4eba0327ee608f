"""XML of the RMF Postprocessor: write it, read it, hold it against a database."""
