"""Loading dumps into a store."""
