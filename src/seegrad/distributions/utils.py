"""What distributions have in common: broadcast parameters, probabilities and their logits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Number
from typing import Any

from seegrad.arrays.limits import finfo
from seegrad.autograd.grad_mode import enable_grad
from seegrad.graph.tensor import TensorBase
from seegrad.nn import functional as F
from seegrad.ops import broadcast_tensors, sigmoid
from seegrad.tensor.creation import ones, tensor, zeros
from seegrad.tensor.sampling import normal

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "euler_constant",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

Tensor = Any

euler_constant = 0.57721566490153286060


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Return tensors of one shape; numbers take the dtype of the first tensor.

    Raises ValueError for what is neither.

    >>> from seegrad.distributions.utils import broadcast_all
    >>> [one.shape for one in broadcast_all(1.0, 2.0)]
    [torch.Size([]), torch.Size([])]
    """
    if not all(isinstance(value, TensorBase | Number) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects "
            "implementing __torch_function__."
        )
    first: Any = next((value for value in values if isinstance(value, TensorBase)), None)
    like = {} if first is None else {"dtype": first.dtype}
    if first is None:
        values = tuple(float(value) for value in values)
    made = [v if isinstance(v, TensorBase) else tensor(v, **like) for v in values]
    return tuple(broadcast_tensors(*made))


def standard_normal(shape: Any, like: Tensor) -> Tensor:
    """Standard normal numbers of a shape, in the dtype of `like`."""
    return normal(zeros(shape, dtype=like.dtype), ones(shape, dtype=like.dtype))


def sum_rightmost(value: Tensor, dims: int) -> Tensor:
    """The sum over the last `dims` dimensions."""
    return value.reshape((*value.shape[: value.ndim - dims], -1)).sum(-1) if dims else value


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Return probabilities: of an event from its log-odds, or of categories (last dimension)."""
    return sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Return probabilities that are neither 0 nor 1, the nearest to `probs`."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Return what `logits_to_probs` makes the probabilities of, finite also for 0 and 1."""
    inner = clamp_probs(probs)
    return inner.log() - (-inner).log1p() if is_binary else inner.log()


class lazy_property:
    """A property that is computed when it is first asked for, and then kept.

    It is differentiable, whoever asks first.
    """

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        functools.update_wrapper(self, wrapped)  # type: ignore[arg-type]

    def __get__(self, instance: Any, obj_type: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Return lower triangular matrices whose rows hold the numbers of vectors one after the other.

    `vec`: (..., k). `diag`: the last diagonal that is filled, 0 or less. Returns (..., n, n).
    """
    length = vec.shape[-1]
    side = round(((1 + 8 * length) ** 0.5 - 1) / 2)
    if side * (side + 1) != 2 * length:
        raise ValueError(
            f"The size of last dimension is {length} which cannot be expressed as the lower "
            "triangular part of a square D x D matrix."
        )
    n = side - diag
    rows, columns = _triangle(n, diag)
    made = zeros((*vec.shape[:-1], n, n), dtype=vec.dtype)
    made[..., rows, columns] = vec
    return made


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """Return the numbers of lower triangles as vectors, row after row.

    `mat`: (..., n, n). `diag`: the last diagonal that is taken. Raises ValueError if it is none.
    """
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows, columns = _triangle(n, diag)
    return mat[..., rows, columns]


def _triangle(n: int, diag: int) -> tuple[list[int], list[int]]:
    places = [(row, column) for row in range(n) for column in range(min(row + diag + 1, n))]
    return [row for row, _ in places], [column for _, column in places]
