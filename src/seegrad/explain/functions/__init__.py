"""Custom Functions and gradcheck: what is wrong, and on which line."""
