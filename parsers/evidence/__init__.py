"""What speaks against a record that stands in its place: see the README of parsers."""
