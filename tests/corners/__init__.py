"""Snippets about corners of autograd that libraries and test suites reach into."""
