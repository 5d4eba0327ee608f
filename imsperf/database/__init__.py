"""The database: its file, its schema, and what may be asked of it."""
