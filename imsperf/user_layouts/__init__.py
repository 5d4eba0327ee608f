"""Record layouts of a user's own: files, registry, import from assembler listings."""
