"""From a rule to an operator: generated wrappers, one general path, in-place twins."""
