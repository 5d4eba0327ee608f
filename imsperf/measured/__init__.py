"""What the records of a run say of it, as a model needs it."""
