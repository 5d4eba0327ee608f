"""What a simulated run writes: SMF and IMS log records, and their dump files."""
