"""Where the records of a dump begin and end."""
