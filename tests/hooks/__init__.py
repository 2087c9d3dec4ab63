"""Snippets about hooks: on tensors, nodes, saved tensors, modules."""
