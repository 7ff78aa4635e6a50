"""What one seat may know: as a view, a dict, words, an observation, and the worlds that agree with it."""
