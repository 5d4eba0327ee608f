"""The command line: one module per command."""


def main() -> None:
    """Stand-in until the commands land."""
    raise SystemExit("imsperf: not yet")
