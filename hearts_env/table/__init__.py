"""The table: matches, their records, positions set by hand, and three pure functions for scorekeepers."""
