"""Where a number comes from: names, formulas, worked examples."""
