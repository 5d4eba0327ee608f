"""SMF records of a run: a module for each type, and the dump of all in order."""
