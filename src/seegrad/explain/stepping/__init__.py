"""A backward pass, one node at a time."""
