"""Kernels of losses; `reduction` is 0 for none, 1 for the mean, 2 for the sum, as in PyTorch."""

from functools import lru_cache
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.elementwise import neg
from seegrad.arrays.linalg import type_name
from seegrad.arrays.reduce import linalg_vector_norm

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars

NONE, MEAN, SUM = 0, 1, 2


def _reduce(each: Array, reduction: int) -> Array:
    """All losses, their mean or their sum."""
    if reduction == NONE:
        return each
    total = np.add.reduce(each, axis=None)
    if reduction == MEAN:
        total = total / each.dtype.type(each.size)
    return np.asarray(total)


def _floating(self: Array, kernel: str) -> None:
    if self.dtype.kind not in "fcV":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{type_name(self)}'")


def mse_loss(self: Array, target: Array, reduction: int = MEAN) -> Array:
    """Squared differences."""
    _floating(self, "mse_cpu")
    difference = self - target
    return _reduce(difference * difference, reduction)


def smooth_l1_loss(self: Array, target: Array, reduction: int = MEAN, beta: float = 1.0) -> Array:
    """Half the squared difference over `beta` up to `beta`, less steep beyond: a straight line."""
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    _floating(self, "smooth_l1_cpu")
    distance = np.abs(self - target)
    return _reduce(
        np.where(distance < beta, 0.5 * distance * distance / beta, distance - 0.5 * beta),
        reduction,
    )


def huber_loss(self: Array, target: Array, reduction: int = MEAN, delta: float = 1.0) -> Array:
    """Half the squared difference up to `delta`, a straight line beyond."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    _floating(self, "huber_cpu")
    distance = np.abs(self - target)
    line = delta * (distance - 0.5 * delta)
    return _reduce(np.where(distance <= delta, 0.5 * distance * distance, line), reduction)


def soft_margin_loss(self: Array, target: Array, reduction: int = MEAN) -> Array:
    """`log(1 + exp(-target * self))`."""
    if self.dtype.kind in "iu":
        raise RuntimeError(
            "result type Float can't be cast to the desired output type "
            f"{dtypes.from_numpy(self.dtype).scalar_name}"
        )
    exponent = neg(target) * self
    if self.dtype.kind == "c":
        return _reduce(np.log1p(np.exp(exponent)), reduction)
    return _reduce(np.logaddexp(0, exponent), reduction)


def _array(weight: Any) -> Array | None:
    """The array of a weight that may be a tensor."""
    return getattr(weight, "_array", weight)


def _check_nll(self: Array, target: Array, weight: Array | None) -> None:
    classes = self.shape[-1]
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    _check_target_type(target)
    if weight is not None and weight.shape != (classes,):
        _refuse_weight(classes, weight)
    if weight is not None and weight.dtype != self.dtype and weight.dtype.itemsize > 2:
        raise RuntimeError(f"expected scalar type {type_name(self)} but found {type_name(weight)}")


def _check_target_type(target: Array) -> None:
    if target.dtype not in (np.int64, np.uint8):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {type_name(target)}"
        )


def _refuse_weight(classes: int, weight: Array) -> None:
    raise RuntimeError(
        f"weight tensor should be defined either for all {classes} classes or no classes but got "
        f"weight tensor of shape: {list(weight.shape)}"
    )


def _class_weights(
    target: Array, classes: int, weight: Array | None, ignore_index: int, dtype: Any
) -> tuple[Array, Array]:
    """The weight of each target, 0 where it is ignored, and the targets with those made 0."""
    if weight is not None:
        weight = weight.astype(dtype, copy=False)
    used = target != ignore_index
    if used.all():
        kept = target
        weights = (
            np.ones(target.shape, dtype) if weight is None else weight.take(_in(target, classes))
        )
    else:
        kept = np.where(used, target, 0)
        weights = used.astype(dtype)
        if weight is not None:
            weights = weights * weight.take(_in(kept, classes))
    return weights, _in(kept, classes)


def _in(target: Array, classes: int) -> Array:
    if target.size and (target.min() < 0 or target.max() >= classes):
        wrong = target[(target < 0) | (target >= classes)]
        raise IndexError(f"Target {wrong.reshape(-1)[0]} is out of bounds.")
    return target


@lru_cache(maxsize=64)
def _rows(count: int) -> Array:
    """The numbers of the rows."""
    return np.arange(count)


def _all_used(target: Array, self: Array, ignore_index: int) -> bool:
    """Whether all targets are classes that count; seen unsigned, negative ones are huge."""
    classes = self.shape[1]
    if 0 <= ignore_index < classes or target.dtype != np.int64 or target.shape != self.shape[:1]:
        return False
    return bool(target.size and np.maximum.reduce(target.view(np.uint64)) < classes)


def nll_loss(
    self: Array,
    target: Array,
    weight: Array | None = None,
    reduction: int = MEAN,
    ignore_index: int = -100,
) -> tuple[Array, Array]:
    """Minus the entry of the target class, (n, classes) or (classes,), and the sum of weights."""
    if weight is None and reduction == MEAN and self.ndim == 2:
        if _all_used(target, self, ignore_index):
            rows = len(self)
            total = np.add.reduce(self[_rows(rows), target], axis=None)
            return np.asarray(-total / self.dtype.type(rows)), np.asarray(rows, self.dtype)
    weight = _array(weight)
    _check_nll(self, target, weight)
    weights, kept = _class_weights(target, self.shape[-1], weight, ignore_index, self.dtype)
    if self.ndim == 1:
        picked = self.take(kept)
    else:
        picked = self[np.arange(len(self)), kept]
    return _nll_result(np.asarray(-weights * picked), weights, reduction)


def nll_loss2d(
    self: Array,
    target: Array,
    weight: Array | None = None,
    reduction: int = MEAN,
    ignore_index: int = -100,
) -> tuple[Array, Array]:
    """The same for maps, (n, classes, height, width) with targets (n, height, width)."""
    _check_target_type(target)
    if self.shape[0] != target.shape[0] or self.shape[2:] != target.shape[1:]:
        raise RuntimeError(
            f"size mismatch (got input: {list(self.shape)}, target: {list(target.shape)}"
        )
    classes, weight = self.shape[1], _array(weight)
    if weight is not None and weight.shape != (classes,):
        _refuse_weight(classes, weight)
    weights, kept = _class_weights(target, classes, weight, ignore_index, self.dtype)
    picked = np.take_along_axis(self, kept[:, None], 1)[:, 0]
    return _nll_result(-weights * picked, weights, reduction)


def _nll_result(each: Array, weights: Array, reduction: int) -> tuple[Array, Array]:
    if reduction == NONE:
        return each, np.zeros((), each.dtype)
    total = np.asarray(np.add.reduce(weights, axis=None))
    loss = np.add.reduce(each, axis=None)
    return np.asarray(loss / total if reduction == MEAN else loss), total


def nll_loss_backward(
    grad: Array,
    self_shape: tuple[int, ...],
    target: Array,
    weight: Array | None,
    reduction: int,
    ignore_index: int,
    total_weight: Array,
) -> Array:
    """Zeros with minus the weighted gradient at the target classes that count.

    Where no target counts the mean is 0 / 0, but its gradient is zero, as in PyTorch.
    """
    if weight is None and len(self_shape) == 2 and total_weight == self_shape[0]:
        # All targets count once (a mean or a sum): nothing to look up.
        out = np.zeros(self_shape, grad.dtype)
        out[_rows(self_shape[0]), target] = -grad / total_weight if reduction == MEAN else -grad
        return out
    axis = min(len(self_shape) - 1, 1)
    weights, kept = _class_weights(
        target, self_shape[axis], _array(weight), ignore_index, grad.dtype
    )
    each = -weights * grad
    if reduction == MEAN:
        each = each / total_weight
    each = np.where(target == ignore_index, grad.dtype.type(0), each)
    out = np.zeros(self_shape, grad.dtype)
    if axis and len(self_shape) == 2:
        out[np.arange(self_shape[0]), kept] = each
    else:
        np.put_along_axis(out, np.expand_dims(kept, axis), np.expand_dims(each, axis), axis)
    return out


def binary_cross_entropy(
    self: Array, target: Array, weight: Array | None = None, reduction: int = MEAN
) -> Array:
    """`-(target * log(self) + (1 - target) * log(1 - self))`, logarithms not below -100."""
    if target.dtype != self.dtype:
        raise RuntimeError(f"Found dtype {type_name(target)} but expected {type_name(self)}")
    if self.size and not bool(((self >= 0) & (self <= 1)).all()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    each = (target - 1) * np.maximum(np.log1p(-self), -100) - target * np.maximum(
        np.log(self), -100
    )
    return _reduce(each if weight is None else each * weight, reduction)


def binary_cross_entropy_with_logits(
    self: Array,
    target: Array,
    weight: Array | None = None,
    pos_weight: Array | None = None,
    reduction: int = MEAN,
) -> Array:
    """`binary_cross_entropy` of the sigmoid, without ever leaving logarithms."""
    if target.dtype.kind in "iub":
        raise RuntimeError(
            f"result type {type_name(self)} can't be cast to the desired output type "
            f"{type_name(target)}"
        )
    # log(sigmoid(x)) as PyTorch has it: min(x, 0) - log1p(exp(-|x|))
    log_sigmoid = np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))
    if pos_weight is None:
        each = (1 - target) * self - log_sigmoid
    else:
        each = (1 - target) * self - ((pos_weight - 1) * target + 1) * log_sigmoid
    return _reduce(each if weight is None else each * weight, reduction)


def multi_margin_loss(
    self: Array,
    target: Array,
    p: int,
    margin: float,
    weight: Array | None,
    reduction: int,
) -> Array:
    """The mean over the other classes of `max(0, margin - self[target] + self[i]) ** p`."""
    each = _margins(self, target, margin) ** p
    if weight is not None:
        each = each * weight[target][..., None]
    each = each.sum(-1) / self.dtype.type(self.shape[-1])
    return _reduce(np.asarray(each), reduction)


def _margins(self: Array, target: Array, margin: float) -> Array:
    """How far each class violates the margin; the target's own place holds 0."""
    own = np.take_along_axis(self, target[..., None], -1)
    excess = np.maximum(margin - own + self, 0).astype(self.dtype)
    np.put_along_axis(excess, target[..., None], 0, -1)
    return excess


def norm_dim(self: Array, p: float, dim: tuple[int, ...], keepdim: bool) -> Array:
    """The p-norm over dimensions."""
    return linalg_vector_norm(self, p, dim, keepdim)


def _beside(self: Array, other: float) -> Array:
    """Integers beside a float become the default type; NumPy would make float64 of them."""
    whole = self.dtype.kind in "iub" and isinstance(other, float)
    return self.astype(dtypes.get_default_dtype().numpy) if whole else self


def add_scalar(self: Array, other: float) -> Array:
    """The sum."""
    return np.add(_beside(self, other), other)


def sub_scalar(self: Array, other: float) -> Array:
    """The difference."""
    return np.subtract(_beside(self, other), other)


def mul_scalar(self: Array, other: float) -> Array:
    """The product."""
    return np.multiply(_beside(self, other), other)


def div_scalar(self: Array, other: float) -> Array:
    """The quotient."""
    return np.divide(_beside(self, float(other)), other)


def cdist(x1: Array, x2: Array, p: float) -> Array:
    """The p-norms of the differences of all rows of both, (..., n, k) and (..., m, k)."""
    difference = x1[..., :, None, :] - x2[..., None, :, :]
    return np.asarray(linalg_vector_norm(difference, p, (difference.ndim - 1,), False))


def euclidean_dist(x1: Array, x2: Array) -> Array:
    """The usual distances of all rows of both."""
    return cdist(x1, x2, 2.0)


def row_pairs(self: Array) -> Array:
    """The differences of all pairs of rows, the first of a pair before the second."""
    first, second = np.triu_indices(len(self), 1)
    return self[first] - self[second]


def row_pairs_backward(grad_output: Array, self_shape: tuple[int, ...]) -> Array:
    """What all pairs hand back to their rows."""
    rows = self_shape[0]
    square = np.zeros((rows, *self_shape), grad_output.dtype)
    square[np.triu_indices(rows, 1)] = grad_output
    return square.sum(1) - square.sum(0)


def pdist(self: Array, p: float) -> Array:
    """The p-norms of the differences of all pairs of rows."""
    return np.asarray(linalg_vector_norm(row_pairs(self), p, (1,), False))


def multilabel_margin_loss(self: Array, target: Array, reduction: int = MEAN) -> Array:
    """The mean over classes of `max(0, 1 - self[label] + self[i])` for labels and others `i`."""
    places, used, label = labels_of(target, self.shape[-1])
    own = np.take_along_axis(self, places, -1)
    excess = 1 - own[..., :, None] + self[..., None, :]
    excess = np.where(used[..., :, None] & ~label[..., None, :], np.maximum(excess, 0), 0)
    each = excess.sum((-1, -2)) / self.dtype.type(self.shape[-1])
    return _reduce(np.asarray(each, self.dtype), reduction)


def labels_of(target: Array, classes: int) -> tuple[Array, Array, Array]:
    """Labels with 0 behind the first -1, which of them count, and which classes are labels."""
    used = np.logical_and.accumulate(target >= 0, axis=-1)
    places = np.where(used, target, 0)
    label = (used[..., None] & (places[..., None] == np.arange(classes))).any(-2)
    return places, used, label


def multilabel_margin_slopes(self: Array, target: Array) -> Array:
    """How often each class is too near a label, less how often it is a label too near."""
    places, used, label = labels_of(target, self.shape[-1])
    own = np.take_along_axis(self, places, -1)
    violated = 1 - own[..., :, None] + self[..., None, :] > 0
    violated &= used[..., :, None] & ~label[..., None, :]
    hit = used[..., None] & (places[..., None] == np.arange(self.shape[-1]))
    counts = violated.sum(-2) - (hit * violated.sum(-1)[..., None]).sum(-2)
    return (counts / self.shape[-1]).astype(self.dtype)
