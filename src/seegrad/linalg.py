"""The names of `torch.linalg` that there are: norms and products; decompositions are to come."""

from seegrad.ops import matmul, vector_norm
from seegrad.ops.norms import linalg_norm as norm

__all__ = ["matmul", "norm", "vector_norm"]
