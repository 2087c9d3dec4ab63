"""The names of `torch.linalg` that there are: norms and products; decompositions are to come."""

from seegrad.missing import missing as _missing
from seegrad.ops import linalg_cross as cross
from seegrad.ops import linalg_norm as norm
from seegrad.ops import matmul, matrix_norm, multi_dot, vector_norm

__all__ = ["cross", "matmul", "matrix_norm", "multi_dot", "norm", "vector_norm"]

__getattr__ = _missing(__name__, __all__)
