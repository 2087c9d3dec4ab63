"""The names of `torch.sparse`: products and sums of sparse tensors (Note [Sparse])."""

import functools as _functools
from collections.abc import Callable as _Callable
from typing import Any
from typing import TypeVar as _TypeVar

from seegrad.missing import missing as _missing
from seegrad.tensor import coo_math as _math
from seegrad.tensor.coo import Coo as _Coo
from seegrad.tensor.coo import like as _like
from seegrad.tensor.coo_making import sparse_coo_tensor as _tensor  # noqa: F401

__all__ = ["addmm", "check_sparse_tensor_invariants", "log_softmax", "mm", "softmax", "sum"]

_R = _TypeVar("_R")


def _need_sparse(name: str, input: Any) -> None:
    if not isinstance(input, _Coo):
        raise RuntimeError(f"{name} expected sparse coordinate tensor layout but got Strided")


def mm(mat1: Any, mat2: Any) -> Any:
    """The product of two matrices, one of which is sparse; of two sparse ones it is sparse.

    >>> import seegrad as torch
    >>> x = torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
    >>> torch.sparse.mm(x, torch.ones(3, 2))
    tensor([[3., 3.],
            [4., 4.]])
    """
    return _math.product(mm, mat1, mat2)


def addmm(mat: Any, mat1: Any, mat2: Any, *, beta: Any = 1.0, alpha: Any = 1.0) -> Any:
    """`beta * mat + alpha * (mat1 @ mat2)`, where `mat1` is sparse.

    >>> import seegrad as torch
    >>> torch.sparse.addmm(torch.ones(2, 2), torch.eye(2).to_sparse(), torch.ones(2, 2))
    tensor([[2., 2.],
            [2., 2.]])
    """
    return _math.addmm(addmm, mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """The sum of all elements, or over dimensions: sparse while a dimension with places is left.

    >>> import seegrad as torch
    >>> x = torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
    >>> torch.sparse.sum(x, 1)
    tensor(indices=tensor([[0, 1]]),
           values=tensor([3., 4.]),
           size=(2,), nnz=2, layout=torch.sparse_coo)
    """
    _need_sparse("coalesce", input)
    return input.sum(dtype=dtype) if dim is None else _math.summed(input, dim, dtype)


def softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Exponentials of the elements that are there, divided by their sum along a dimension.

    >>> import seegrad as torch
    >>> torch.sparse.softmax(torch.tensor([[2.0, 2.0, 0.0]]).to_sparse(), 1).values()
    tensor([0.5000, 0.5000])
    """
    result = log_softmax(input, dim, dtype=dtype)
    return _like(result, result.values().exp())


def log_softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """The logarithms of `softmax`.

    >>> import seegrad as torch
    >>> torch.sparse.log_softmax(torch.tensor([[2.0, 2.0, 0.0]]).to_sparse(), 1).values()
    tensor([-0.6931, -0.6931])
    """
    _need_sparse("log_softmax", input)
    return _math.log_softmax(input, dim, dtype)


class check_sparse_tensor_invariants:
    """Accepted: places are always checked here. PyTorch does so where it is asked to.

    >>> import seegrad as torch
    >>> with torch.sparse.check_sparse_tensor_invariants():
    ...     print(torch.sparse.check_sparse_tensor_invariants.is_enabled())
    True
    """

    _enabled = False

    def __init__(self, enable: bool = True) -> None:
        self._wanted = enable

    @classmethod
    def enable(cls) -> None:
        """Says yes from now on."""
        cls._enabled = True

    @classmethod
    def disable(cls) -> None:
        """Says no from now on; places are checked all the same."""
        cls._enabled = False

    @classmethod
    def is_enabled(cls) -> bool:
        """What was said last."""
        return cls._enabled

    def __enter__(self) -> None:
        self._before, type(self)._enabled = self._enabled, self._wanted

    def __exit__(self, *_: object) -> None:
        type(self)._enabled = self._before

    def __call__(self, function: _Callable[..., _R]) -> _Callable[..., _R]:
        @_functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> _R:
            with type(self)(self._wanted):
                return function(*args, **kwargs)

        return checked


__getattr__ = _missing(__name__, __all__)
