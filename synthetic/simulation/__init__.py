"""Event simulation of a network, transaction by transaction."""
