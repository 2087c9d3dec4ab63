"""Arrays: NumPy in, NumPy out, nothing about gradients."""
