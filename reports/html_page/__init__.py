"""One page of a run: key figures, timeline, every report, comparison."""
