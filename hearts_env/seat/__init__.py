"""The knowledge of one seat: as a view, a dict, words, an observation, and the worlds that agree with it."""
