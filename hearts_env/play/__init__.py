"""Playing a match from Python: matches, views, records, observations, worlds and the three scoring functions."""
