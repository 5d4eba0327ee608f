"""What a person asks of a dump: why it cannot be read, what is in it, what is damaged."""
