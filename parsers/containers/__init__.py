"""The bytes of a file, of a packed file, of each member of an archive."""
