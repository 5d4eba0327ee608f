"""Published numbers beside those of generated, loaded and reported runs."""
