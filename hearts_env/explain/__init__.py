"""Rules in words: a page for card players, generated from a `Rules` value."""
