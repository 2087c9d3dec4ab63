"""The class Tensor: what users hold in their hands."""
