"""The pages of a database or lake in a browser of this machine, read-only."""
