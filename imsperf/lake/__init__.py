"""Lakes: Parquet files by day, system and table, and the manifests that name them."""
