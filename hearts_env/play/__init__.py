"""Play from Python: matches, views, text records, observations, worlds and the three scoring functions."""
