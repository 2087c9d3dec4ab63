"""Public losses with margins, and those of counts and of normal distributions."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.state import recording
from seegrad.graph.tensor import TensorBase, requires, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.distances import pairwise_distance
from seegrad.ops.grids import common_shape
from seegrad.ops.losses import NUMBERS, chosen_reduction, reduced
from seegrad.ops.reduce import alike
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def number_like(value: float, input: Any) -> Any:
    """A 0-d tensor of the type of `input`."""
    return wrap(np.asarray(value, input._array.dtype))


def where_equal(target: Any, number: int, value: Any, otherwise: bool = False) -> Any:
    """`value` where the target equals a number (or does not), 0 elsewhere."""
    condition = op.ne(target, number) if otherwise else op.eq(target, number)
    return op.where(condition, value, number_like(0, value))


@public
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return `input` where the target is 1, `max(0, margin - input)` where it is -1.

    `input` and `target`: shapes that broadcast. `reduction`: 'mean', 'sum' or 'none'.

    >>> import seegrad as torch
    >>> pair, sign = torch.tensor([0.5, 0.5]), torch.tensor([1.0, -1.0])
    >>> torch.nn.functional.hinge_embedding_loss(pair, sign, reduction='none')
    tensor([0.5000, 0.5000])
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    apart = op.clamp_min(op.sub(number_like(margin, input), input), 0)
    each = op.add(where_equal(target, 1, apart, True), where_equal(target, -1, input, True))
    return reduced(each, reduction)


@public
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return `max(0, -target * (input1 - input2) + margin)`.

    `input1`, `input2` and `target`: as many dimensions, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> one, two = torch.tensor([1.0]), torch.tensor([3.0])
    >>> torch.nn.functional.margin_ranking_loss(one, two, torch.tensor([1.0]))
    tensor(2.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if not input1._array.ndim == input2._array.ndim == target._array.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    signed = op.mul(op.neg(target), op.sub(input1, input2))
    return reduced(op.clamp_min(op.add_scalar(signed, margin), 0), reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return `1 - cos` where the target is 1, `max(0, cos - margin)` where it is -1.

    `input1` and `input2`: (n, m) with targets (n,), or (m,) with a 0-d target, else RuntimeError
    is raised.

    >>> import seegrad as torch
    >>> row = torch.tensor([[1.0, 0.0]])
    >>> torch.nn.functional.cosine_embedding_loss(row, row, torch.tensor([1.0]))
    tensor(0.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    ndim = target._array.ndim
    if ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1._array.ndim == input2._array.ndim == ndim + 1:
        raise RuntimeError(
            f"{ndim}D target tensor expects {ndim + 1}D input tensors, but found inputs with "
            f"sizes {list(input1._array.shape)} and {list(input2._array.shape)}."
        )
    dim = (ndim,)
    product = op.sum_dim(op.mul(input1, input2), dim, False)
    one = op.add_scalar(op.sum_dim(op.mul(input1, input1), dim, False), 1e-12)
    two = op.add_scalar(op.sum_dim(op.mul(input2, input2), dim, False), 1e-12)
    cosine = op.div(product, op.sqrt(op.mul(one, two)))
    alike = op.sub(number_like(1, cosine), cosine)
    apart = op.clamp_min(op.sub_scalar(cosine, margin), 0)
    each = op.add(where_equal(target, 1, alike), where_equal(target, -1, apart))
    return reduced(each, reduction)


@public
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return `max(0, margin + distance(anchor, positive) - distance(anchor, negative))`.

    `anchor`, `positive`, `negative`: (n, m) or (m,). `swap`: the negative counts from the nearer
    of anchor and positive. Raises RuntimeError where the shapes do not fit.

    >>> import seegrad as torch
    >>> zero, one = torch.zeros(1, 2), torch.ones(1, 2)
    >>> torch.nn.functional.triplet_margin_loss(zero, zero, one)
    tensor(0.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_depths(anchor, positive, negative)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = op.minimum(far, pairwise_distance(positive, negative, p, eps))
    each = op.clamp_min(op.sub(op.add_scalar(near, margin), far), 0)
    return reduced(each, reduction)


def _check_depths(*tensors: Any) -> None:
    """Refuses anchors, positives and negatives of different numbers of dimensions."""
    a, p, n = (tensor.ndim for tensor in tensors)
    if not a == p == n:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {a}D, positive {p}D, and negative {n}D inputs"
        )


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Return `triplet_margin_loss` with a distance of one's own.

    `anchor`, `positive`, `negative`: whatever the distance takes. Raises ValueError where `margin`
    is not positive, RuntimeError where the numbers of dimensions differ.

    >>> import seegrad as torch
    >>> zero, one = torch.zeros(1, 2), torch.ones(1, 2)
    >>> torch.nn.functional.triplet_margin_with_distance_loss(zero, one, zero)
    tensor(2.4142)
    """
    reduction = chosen_reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    dims = [one._array.ndim for one in (anchor, positive, negative)]
    if len({*dims}) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, and negative "
            f"{dims[2]}D inputs"
        )
    distance = pairwise_distance if distance_function is None else distance_function
    _check_depths(anchor, positive, negative)
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = op.minimum(far, distance(positive, negative))
    return reduced(op.clamp_min(op.sub(op.add(near, margin), far), 0), reduction)


@public
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return `log(1 + exp(-target * input))`.

    `input` and `target`: shapes that broadcast; targets are 1 or -1. Raises RuntimeError where the
    target requires a gradient.

    >>> import seegrad as torch
    >>> torch.nn.functional.soft_margin_loss(torch.tensor([0.0]), torch.tensor([1.0]))
    tensor(0.6931)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if requires(target):
        raise RuntimeError(
            "The function 'soft_margin_loss' is not differentiable with respect to argument "
            "'target'. This input cannot have requires_grad True."
        )
    common_shape([input._array.shape, target._array.shape])
    input, target = alike(input, target)
    return op.soft_margin_loss(input, target, NUMBERS[reduction])


@public
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the mean over other classes of `max(0, margin - input[target] + input[i]) ** p`.

    `input`: (n, classes) or (classes,). `target`: int64 (n,) or (). `weight`: (classes,). Raises
    ValueError for another `p` than 1 and 2, RuntimeError where the shapes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.multi_margin_loss(torch.tensor([[0.0, 0.5]]), torch.tensor([1]))
    tensor(0.2500)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    _need_classes(input)
    if not input._array.ndim:
        input, target = reshape(input, (1,)), reshape(target, ())
    if input._array.ndim == 1 == target._array.size == target._array.ndim:
        input = reshape(input, (1, -1))
    shape = input._array.shape
    if target._array.shape != shape[:-1]:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of "
            f"input samples (batch size). Expected target size {list(shape[:-1])}, but got "
            f"{list(target._array.shape)}. Input has shape {list(shape)}."
        )
    if weight is not None and weight._array.ndim != 1:
        raise ValueError("weight must be one-dimensional")
    if weight is not None and weight._array.shape != shape[-1:]:
        raise RuntimeError(
            f"inconsistent weight size, expected {shape[-1]} but got {list(weight._array.shape)}"
        )
    if target._array.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.scalar_name}")
    return op.multi_margin_loss(input, target, p, margin, weight, NUMBERS[reduction])


def _need_classes(input: Any) -> None:
    """Refuses inputs without classes; a batch without rows is one."""
    if input._array.ndim > 2 or 0 in input._array.shape[-1:]:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(input._array.shape)}"
        )


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the mean over classes of the binary cross-entropy with logits.

    `input` and `target`: (..., classes). `weight`: (classes,).

    >>> import seegrad as torch
    >>> zero, one = torch.zeros(1, 2), torch.ones(1, 2)
    >>> torch.nn.functional.multilabel_soft_margin_loss(zero, one)
    tensor(0.6931)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    yes = op.mul(target, op.log_sigmoid(input))
    no = op.mul(op.rsub_scalar(target, 1), op.log_sigmoid(op.neg(input)))
    each = op.neg(op.add(yes, no))
    if weight is not None:
        each = op.mul(each, weight)
    dim = input._array.ndim - 1
    classes = input._array.shape[dim]
    return reduced(op.div(op.sum_dim(each, (dim,), False), classes), reduction)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of counts under Poisson distributions.

    `input`: (...), logarithms of rates, or without `log_input` rates. `target`: the same shape.
    `full`: with Stirling's term of the target. Raises ValueError for another reduction.

    >>> import seegrad as torch
    >>> torch.nn.functional.poisson_nll_loss(torch.tensor([0.0]), torch.tensor([2.0]))
    tensor(1.)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    if log_input:
        each = op.sub(op.exp(input), op.mul(target, input))
    else:
        each = op.sub(input, op.mul(target, op.log(op.add_scalar(input, eps))))
    if full:
        each = op.add(each, stirling(target))
    return reduced(each, reduction)


def stirling(target: Any) -> Any:
    """Stirling's approximation of log(target!), 0 up to 1."""
    term = op.sub(op.mul(target, op.log(target)), target)
    term = op.add(term, op.mul_scalar(op.log(op.mul_scalar(target, 2 * math.pi)), 0.5))
    return op.masked_fill(term, op.le(target, 1), 0)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of targets under normal distributions.

    `input`: (...), means. `target`: the same shape. `var`: variances of that shape, without the
    last dimension, or one number; not below `eps`. Raises ValueError where they do not fit or are
    negative.

    >>> import seegrad as torch
    >>> one, two = torch.tensor([1.0]), torch.tensor([2.0])
    >>> torch.nn.functional.gaussian_nll_loss(one, two, torch.tensor([1.0]))
    tensor(0.5000)
    """
    variance: Any = var
    if not isinstance(var, TensorBase):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        variance = wrap(np.full(input._array.shape, var, input._array.dtype))
    elif var._array.shape != input._array.shape:
        variance = fitted_variance(input, var)
    if reduction not in NUMBERS:
        raise ValueError(f"{reduction} is not valid")
    if bool((variance._array < 0).any()):
        raise ValueError("var has negative entry/entries")
    variance = op.clone(variance)
    with recording(False):
        op.clamp_min_(variance, eps)
    square = op.pow_scalar(op.sub(input, target), 2)
    each = op.mul(op.add(op.log(variance), op.div(square, variance)), 0.5)
    if full:
        each = op.add(each, 0.5 * math.log(2 * math.pi))
    return reduced(each, reduction)


def fitted_variance(input: Any, var: Any) -> Any:
    """A variance that lacks the last dimension, or has size 1 there."""
    shape, own = input._array.shape, var._array.shape
    if shape[:-1] == own:
        return op.unsqueeze(var, -1)
    if shape[:-1] == own[:-1] and own[-1:] == (1,):
        return var
    raise ValueError("var is of incorrect size")


@public
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the mean of `max(0, 1 - input[label] + input[i])` over labels and other classes.

    `input`: (n, classes) or (classes,). `target`: int64 of that shape; labels up to the first -1.
    Raises RuntimeError where the shapes differ.

    >>> import seegrad as torch
    >>> labels = torch.tensor([[1, -1]])
    >>> torch.nn.functional.multilabel_margin_loss(torch.tensor([[0.0, 0.5]]), labels)
    tensor(0.2500)
    """
    reduction = chosen_reduction(reduction, size_average, reduce)
    _need_classes(input)
    if input._array.shape != target._array.shape:
        raise RuntimeError(
            f"inconsistent target size: {list(target._array.shape)} for input of size: "
            f"{list(input._array.shape)}"
        )
    if not input._array.ndim:
        input, target = reshape(input, (1,)), reshape(target, (1,))
    return op.multilabel_margin_loss(input, target, NUMBERS[reduction])
