"""Public losses of regression and classification."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.grids import broadcast_tensors
from seegrad.ops.once import warn
from seegrad.ops.reduce import alike

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

NUMBERS = {"none": 0, "mean": 1, "sum": 2}


def chosen_reduction(
    reduction: str, size_average: bool | None = None, reduce: bool | None = None
) -> str:
    """The reduction, also from the two old arguments."""
    if size_average is None and reduce is None:
        if reduction not in NUMBERS:
            raise ValueError(f"{reduction} is not a valid value for reduction")
        return reduction
    old = "none" if reduce is False else "sum" if size_average is False else "mean"
    warn(f"size_average and reduce args will be deprecated, please use reduction='{old}' instead.")
    return old


def reduced(each: Any, reduction: str) -> Any:
    """All losses, their mean or their sum."""
    if reduction == "mean":
        return op.mean(each)
    return op.sum(each) if reduction == "sum" else each


def same_size(input: Any, target: Any) -> tuple[Any, Any]:
    """Both in one type and shape, with PyTorch's warning where the shapes were not one."""
    if input._array.dtype is not target._array.dtype:
        input, target = alike(input, target)
    if input._array.shape == target._array.shape:
        return input, target
    warn(
        f"Using a target size ({target.shape}) that is different to the input size "
        f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size."
    )
    one, two = broadcast_tensors(input, target)
    return one, two


def weighted_mean(each: Any, weight: Any, reduction: str) -> Any:
    """Losses times weights; their mean counts each by its weight."""
    if weight._array.shape != each._array.shape:
        raise ValueError("Weights and input must have the same size.")
    each = op.mul(each, weight)
    if reduction == "mean":
        return op.div(op.sum(each), op.sum(weight))
    return reduced(each, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return the squared differences: their mean, their sum, or all.

    `input` and `target`: (...). `reduction`: 'mean', 'sum' or 'none'. `weight`: (...). Raises
    ValueError for another reduction; warns where the shapes differ.

    >>> import seegrad as torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    input, target = same_size(input, target)
    if weight is not None:
        return weighted_mean(op.pow_scalar(op.sub(input, target), 2), weight, reduction)
    return op.mse_loss(input, target, NUMBERS[reduction])


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Return the distances: their mean, their sum, or all.

    `input` and `target`: (...). `reduction`: 'mean', 'sum' or 'none'. `weight`: (...). Raises
    ValueError for another reduction; warns where the shapes differ.

    >>> import seegrad as torch
    >>> torch.nn.functional.l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(1.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    input, target = same_size(input, target)
    each = op.abs(op.sub(input, target))
    return reduced(each, reduction) if weight is None else weighted_mean(each, weight, reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Return half the squared differences over `beta` below `beta`, straight lines above.

    `input` and `target`: (...). `reduction`: 'mean', 'sum' or 'none'. Raises RuntimeError for a
    negative `beta`; warns where the shapes differ.

    >>> import seegrad as torch
    >>> far = torch.tensor([0.5, 3.0])
    >>> torch.nn.functional.smooth_l1_loss(far, torch.zeros(2), reduction='sum')
    tensor(2.6250)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    input, target = same_size(input, target)
    if beta == 0:
        return reduced(op.abs(op.sub(input, target)), reduction)
    return op.smooth_l1_loss(input, target, NUMBERS[reduction], float(beta))


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Return half the squared differences up to `delta`, straight lines beyond.

    `input` and `target`: (...). `reduction`: 'mean', 'sum' or 'none'. `weight`: (...). Raises
    RuntimeError where `delta` is not positive; warns where the shapes differ.

    >>> import seegrad as torch
    >>> torch.nn.functional.huber_loss(torch.tensor([0.5, 3.0]), torch.zeros(2), reduction='sum')
    tensor(2.6250)
    """
    reduction = chosen_reduction(reduction)
    input, target = same_size(input, target)
    if weight is None:
        return op.huber_loss(input, target, NUMBERS[reduction], float(delta))
    if weight._array.shape != input._array.shape:
        raise ValueError("Weights and input must have the same size.")
    each = op.mul(op.huber_loss(input, target, 0, float(delta)), weight)
    return reduced(each, reduction)


@public
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return minus the entries of the target classes: their weighted mean, their sum, or all.

    `input`: (classes,), (n, classes) or (n, classes, ...), logarithms of probabilities. `target`:
    int64, that shape without classes. `weight`: (classes,). Targets equal to `ignore_index` do not
    count. Raises ValueError, RuntimeError or IndexError where shapes, types or classes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.nll_loss(torch.tensor([[-1.0, -2.0]]), torch.tensor([1]))
    tensor(2.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    shape = input._array.shape
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    goal = target._array.shape
    if len(shape) == len(goal) == 1 and goal != (1,):
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {goal[0]}"
        )
    if len(shape) > 1:
        if not goal or goal[0] != shape[0]:
            raise ValueError(
                f"Expected input batch_size ({shape[0]}) to match target batch_size "
                f"({goal[0] if goal else 0})."
            )
    number = NUMBERS[reduction]
    if len(shape) < 3:
        return op.nll_loss(input, target, weight, number, ignore_index)[0]
    if len(shape) == 4:
        return op.nll_loss2d(input, target, weight, number, ignore_index)[0]
    return flat_nll(input, target, weight, number, ignore_index)


def flat_nll(input: Any, target: Any, weight: Any, number: int, ignore_index: int) -> Any:
    """Maps of other than two dimensions: as one line."""
    from seegrad.ops.views import reshape

    batch, classes, *rest = input._array.shape
    wanted = (batch, *rest)
    if target._array.shape != wanted:
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(target._array.shape)}")
    flat = -1 if input._array.size else 0
    lines = reshape(input, (batch, classes, 1, flat))
    goals = reshape(target, (batch, 1, flat))
    loss = op.nll_loss2d(lines, goals, weight, number, ignore_index)[0]
    return op.view(loss, wanted) if number == 0 else loss


@public
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return `nll_loss` of the logarithm of the softmax, or the cross-entropy with probabilities.

    `input`: (classes,), (n, classes) or (n, classes, ...). `target`: int64 without classes, or
    probabilities of the shape of `input`. `weight`: (classes,). `label_smoothing`: the part of the
    target spread over all classes. Raises ValueError, RuntimeError or IndexError where shapes,
    types or classes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.cross_entropy(torch.tensor([[0.0, 0.0]]), torch.tensor([1]))
    tensor(0.6931)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(
            f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}"
        )
    shape = input._array.shape
    if not shape:
        raise IndexError("Dimension specified as 1 but tensor has no dimensions")
    dim = 0 if len(shape) == 1 else 1
    if shape == target._array.shape:
        if target._array.dtype.kind in "iub":
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got "
                f"{target.dtype.scalar_name}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return soft_targets(input, target, weight, reduction, dim, float(label_smoothing))
    logs = op.log_softmax(input, dim)
    loss = nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    if not label_smoothing:
        return loss
    return smoothed(logs, target, weight, ignore_index, reduction, dim, label_smoothing, loss)


def soft_targets(
    input: Any, target: Any, weight: Any, reduction: str, dim: int, smoothing: float
) -> Any:
    """The cross-entropy with probabilities."""
    classes = input._array.shape[dim]
    if smoothing:
        target = op.add_scalar(op.mul_scalar(target, 1 - smoothing), smoothing / classes)
    each = op.mul(op.log_softmax(input, dim), target)
    if weight is not None:
        each = op.mul(each, by_class(weight, input._array.ndim, dim))
    if reduction == "none":
        return op.neg(op.sum_dim(each, (dim,), False))
    total = op.neg(op.sum(each))
    if reduction == "sum":
        return total
    rows = input._array.size // classes if input._array.ndim > 1 and classes else 1
    return op.div_scalar(total, rows)


def by_class(weight: Any, ndim: int, dim: int) -> Any:
    """Weights of classes in a shape that broadcasts along the dimension of classes."""
    return op.view(weight, (1,) * dim + (-1,) + (1,) * (ndim - dim - 1))


def smoothed(
    logs: Any, target: Any, weight: Any, ignore_index: int, reduction: str, dim: int,
    smoothing: float, loss: Any,
) -> Any:  # fmt: skip
    """The loss mixed with that of a target spread over all classes."""
    each = logs if weight is None else op.mul(logs, by_class(weight, logs._array.ndim, dim))
    spread = op.neg(op.sum_dim(each, (dim,), False))
    ignored = target._array == ignore_index
    spread = op.masked_fill(spread, wrap(np.asarray(ignored)), 0.0)
    if reduction == "sum":
        spread = op.sum(spread)
    elif reduction == "mean":
        counted = np.count_nonzero(~ignored)
        if weight is not None:
            counted = weight._array[np.where(ignored, 0, target._array)][~ignored].sum()
        spread = op.div(op.sum(spread), wrap(np.asarray(counted, logs._array.dtype)))
    classes = logs._array.shape[dim]
    return op.add(op.mul_scalar(loss, 1 - smoothing), op.mul_scalar(spread, smoothing / classes))


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return `-(target * log(input) + (1 - target) * log(1 - input))`.

    `input`: (...), from 0 to 1. `target`: the same shape and type. `weight`: a shape that
    broadcasts. Logarithms do not fall below -100. Raises ValueError or RuntimeError where values,
    shapes or types do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([1.0]))
    tensor(0.6931)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if input._array.shape != target._array.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        weight = expanded_weight(weight, target._array.shape)
    return op.binary_cross_entropy(input, target, weight, NUMBERS[reduction])


def expanded_weight(weight: Any, shape: tuple[int, ...]) -> Any:
    """A weight broadcast to the losses."""
    own = weight._array.shape
    for back in range(1, len(own) + 1):
        if back > len(shape) or own[-back] not in (1, shape[-back]):
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {own[-back]} at {-back}! "
                f"Mismatching argument at index 1 had {weight.shape}; but expected shape should "
                f"be broadcastable to {list(shape)}"
            )
    return op.expand(weight, shape)


@public
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return `binary_cross_entropy` of the sigmoid, stable for large inputs.

    `input` and `target`: (...). `weight` and `pos_weight` (of the positives): shapes that
    broadcast. Raises ValueError where the shapes differ.

    >>> import seegrad as torch
    >>> zero, one = torch.tensor([0.0]), torch.tensor([1.0])
    >>> torch.nn.functional.binary_cross_entropy_with_logits(zero, one)
    tensor(0.6931)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if input._array.shape != target._array.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    if pos_weight is not None:
        broadcast_tensors(pos_weight, target)
    return op.binary_cross_entropy_with_logits(
        input, target, weight, pos_weight, NUMBERS[reduction]
    )


MEAN_OF_KL = (
    "reduction: 'mean' divides the total loss by both the batch size and the support size."
    "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
    "'mean' will be changed to behave the same as 'batchmean' in the next major release."
)


@public
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """Return the Kullback-Leibler divergence `target * (log(target) - input)`.

    `input`: (...), logarithms of probabilities. `target`: a shape that broadcasts, probabilities
    or with `log_target` their logarithms. `reduction`: 'batchmean' (the sum over the size of
    dimension 0), 'mean', 'sum' or 'none'. Raises ValueError for another reduction.

    >>> import seegrad as torch
    >>> half = torch.tensor([0.5, 0.5])
    >>> torch.nn.functional.kl_div(torch.tensor([0.0, 0.0]), half, reduction='sum')
    tensor(-0.6931)
    """
    if size_average is not None or reduce is not None:
        reduction = chosen_reduction(reduction, size_average, reduce)
    elif reduction == "mean":
        warn(MEAN_OF_KL)
    if reduction != "batchmean":
        chosen_reduction(reduction)
    if input._array.dtype.kind in "iub":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        each = op.mul(op.exp(target), op.sub(target, input))
    else:
        each = op.sub(op.xlogy(target, target), op.mul(target, input))
    if reduction != "batchmean":
        return reduced(each, reduction)
    total = op.sum(each)
    return op.div(total, input._array.shape[0]) if input._array.ndim else total
