"""The network of stations that a scenario declares."""
