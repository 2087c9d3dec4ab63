"""Losses of scores that are a linear function of the input."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from seegrad.ops.calls import public
from seegrad.ops.linalg import linear
from seegrad.ops.losses import cross_entropy
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """Return `cross_entropy(linear(input, linear_weight, linear_bias), target)`.

    `input`: (n, features) or (features,). `linear_weight`: (classes, *places, features), and
    `linear_bias`: (classes, *places). `target`: (n, *places) classes or (n, classes, *places)
    probabilities. `options`: how PyTorch goes about it in parts; the result is the same, and here
    it is computed at once. Raises RuntimeError, ValueError or IndexError where shapes, types or
    classes do not fit.

    >>> import seegrad as torch
    >>> scores, classes = torch.zeros(3, 2), torch.tensor([1])
    >>> torch.nn.functional.linear_cross_entropy(torch.ones(1, 2), scores, classes)
    tensor(1.0986)
    """
    _check(input, linear_weight, linear_bias)
    *shape, features = linear_weight._array.shape
    if len(shape) > 1:
        linear_weight = reshape(linear_weight, (math.prod(shape), features))
        linear_bias = None if linear_bias is None else reshape(linear_bias, (math.prod(shape),))
    scores = linear(input, linear_weight, linear_bias)
    scores = reshape(scores, (*input._array.shape[:-1], *shape))
    if ignore_index is None:
        ignore_index = -100
    elif scores._array.shape == target._array.shape:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    return cross_entropy(
        scores, target, weight, None, ignore_index, None, reduction, label_smoothing
    )


def _check(input: Any, weight: Any, bias: Any) -> None:
    size, (*shape, features) = input._array.shape, weight._array.shape or (0,)
    if len(size) not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {len(size)}")
    if not shape:
        dims = weight._array.ndim
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {dims}")
    if size[-1] != features:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{size[-1]} and {features}, respectively"
        )
    if len(shape) > 1 and len(size) == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {weight._array.shape} requires "
            f"batched input, (N, {features}), got unbatched input with shape {size}"
        )
    if bias is not None and bias._array.shape != tuple(shape):
        raise RuntimeError(f"expected linear_bias shape {tuple(shape)}, got {bias._array.shape}")
