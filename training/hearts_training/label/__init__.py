"""Data sets of searched decisions: `write` labels them and writes Parquet, `read` turns them into training batches."""
