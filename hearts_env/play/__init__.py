"""Play from Python: matches, views, text records, observations, worlds and three pure functions for scorekeepers."""
