"""Derivatives of losses; `reduction` is 0 for none, 1 for the mean, 2 for the sum."""

import math
from typing import Any

from seegrad.rules.reduce import norm_slope, vector_norm_self
from seegrad.rules.spec import constant, elementwise, general, linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it

MEAN = 1
# 1e-12 in single precision, below which PyTorch does not let self * (1 - self) fall.
TINY = 9.999999960041972e-13


def share(shape: tuple[int, ...], reduction: int) -> float:
    """By how much each element's loss counts in the result."""
    size = math.prod(shape)
    return 1.0 / size if reduction == MEAN and size else 1.0


def mse_slope(xp: Xp, grad: Value, self: Value, target: Value, reduction: int) -> Value:
    """Twice the difference."""
    return 2.0 * share(self.shape, reduction) * (self - target) * grad


general(
    "mse_loss(self, target, reduction=1)",
    fused=True,
    self=mse_slope,
    target=lambda xp, grad, self, target, reduction: mse_slope(xp, grad, target, self, reduction),
)


def smooth_l1_slope(
    xp: Xp, grad: Value, self: Value, target: Value, reduction: int, beta: float
) -> Value:
    """The difference over `beta` near 0, its sign from `beta` on."""
    difference = self - target
    slope = xp.where(xp.lt(xp.abs(difference), beta), difference / beta, xp.sign(difference))
    return share(self.shape, reduction) * slope * grad


general(
    "smooth_l1_loss(self, target, reduction=1, beta=1.0)",
    node="SmoothL1LossBackward0",
    fused=True,
    self=smooth_l1_slope,
    target=lambda xp, grad, self, target, reduction, beta: smooth_l1_slope(
        xp, grad, target, self, reduction, beta
    ),
)


def huber_slope(
    xp: Xp, grad: Value, self: Value, target: Value, reduction: int, delta: float
) -> Value:
    """The difference near 0, `delta` times its sign beyond `delta`."""
    difference = self - target
    slope = xp.where(xp.lt(xp.abs(difference), delta), difference, xp.sign(difference) * delta)
    return share(self.shape, reduction) * slope * grad


general(
    "huber_loss(self, target, reduction=1, delta=1.0)",
    fused=True,
    self=huber_slope,
    target=lambda xp, grad, self, target, reduction, delta: huber_slope(
        xp, grad, target, self, reduction, delta
    ),
)
general(
    "soft_margin_loss(self, target, reduction=1)",
    operands="self target",
    fused=True,
    self=lambda xp, grad, self, target, reduction: (
        -share(self.shape, reduction) * target * xp.sigmoid(-target * self) * grad
    ),
)

# The weights of classes are no operand: a tensor or None, which nothing differentiates.
for _name, _node in (("nll_loss", "NllLossBackward0"), ("nll_loss2d", "NllLoss2DBackward0")):
    linear(
        f"{_name}(self, target, weight=None, reduction=1, ignore_index=-100)",
        operands="self target",
        node=_node,
        outputs="output total_weight",
        fused=True,
        self=lambda xp, grad, self, target, weight, reduction, ignore_index, total_weight: (
            xp.nll_loss_backward(
                grad, self.shape, target, weight, reduction, ignore_index, total_weight
            )
        ),
    )


def nll_again(
    xp: Xp,
    grad: Value,
    self_shape: tuple[int, ...],
    target: Value,
    weight: Any,
    reduction: int,
    ignore_index: int,
) -> Value:
    """The loss is linear, so what its gradient hands back is the loss of what comes in."""
    again = xp.nll_loss if len(self_shape) < 3 else xp.nll_loss2d
    return again(grad, target, weight, reduction, ignore_index)[0]


linear(
    "nll_loss_backward(grad_output, self_shape, target, weight, reduction, ignore_index, "
    "total_weight)",
    operands="grad_output target total_weight",
    node="NllLossBackwardBackward0",
    fused=True,
    grad_output=nll_again,
)


def weighted(each: Value, weight: Value | None) -> Value:
    """`each` times the weight, if there is one."""
    return each if weight is None else each * weight


general(
    "binary_cross_entropy(self, target, weight=None, reduction=1)",
    operands="self target weight",
    fused=True,
    self=lambda xp, grad, self, target, weight, reduction: weighted(
        share(self.shape, reduction)
        * grad
        * (self - target)
        / xp.clamp_min((1 - self) * self, TINY),
        weight,
    ),
    target=lambda xp, grad, self, weight, reduction: weighted(
        share(self.shape, reduction) * grad * (xp.log1p(-self) - xp.log(self)),
        weight,
    ),
)


def logits_slope(
    xp: Xp,
    grad: Value,
    self: Value,
    target: Value,
    weight: Value | None,
    pos_weight: Value | None,
    reduction: int,
) -> Value:
    """The sigmoid less the target; with a weight p of positives (1 - t + pt) sigmoid - pt."""
    if pos_weight is None:
        slope = xp.sigmoid(self) - target
    else:
        positive = pos_weight * target
        slope = (positive + 1 - target) * xp.sigmoid(self) - positive
    return weighted(slope * grad * share(self.shape, reduction), weight)


def logits_target_slope(
    xp: Xp,
    grad: Value,
    self: Value,
    weight: Value | None,
    pos_weight: Value | None,
    reduction: int,
) -> Value:
    """Minus the logit; with a weight p of positives log(1 - sigmoid) - p log(sigmoid)."""
    if pos_weight is None:
        slope = -self
    else:
        slope = xp.log_sigmoid(-self) - pos_weight * xp.log_sigmoid(self)
    return weighted(slope * grad * share(self.shape, reduction), weight)


general(
    "binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=1)",
    operands="self target weight pos_weight",
    self=logits_slope,
    target=logits_target_slope,
)


def multi_margin_slope(
    xp: Xp,
    grad: Value,
    self: Value,
    target: Value,
    p: int,
    margin: float,
    weight: Value | None,
    reduction: int,
) -> Value:
    """Each class that violates the margin gets its slope, the target minus their sum."""
    places = xp.unsqueeze(target, -1)
    excess = margin - xp.gather(self, -1, places) + self
    excess = xp.scatter_value(xp.masked_fill(excess, xp.lt(excess, 0), 0), -1, places, 0)
    slope = xp.to_copy(xp.gt(excess, 0), self.dtype) if p == 1 else 2 * excess
    if weight is not None:
        slope = slope * xp.unsqueeze(xp.take(weight, target), -1)
    if grad.ndim:
        grad = xp.unsqueeze(grad, -1)
    batch = self.shape[0] if self.ndim > 1 and reduction == MEAN else 1
    slope = slope * grad / (self.shape[-1] * batch)
    return xp.scatter(slope, -1, places, -xp.sum_dim(slope, (self.ndim - 1,), True))


general(
    "multi_margin_loss(self, target, p=1, margin=1, weight=None, reduction=1)",
    operands="self target weight",
    fused=True,
    self=multi_margin_slope,
)

# Arithmetic with numbers and the norm as PyTorch's composed losses record them: other node names.


def norm_dim_back(
    xp: Xp, grad: Value, self: Value, p: float, dim: tuple[int, ...], keepdim: bool, result: Value
) -> Value:
    """As `linalg_vector_norm`."""
    return vector_norm_self(xp, grad, self, result, p, dim, keepdim)


general(
    "norm_dim(self, p, dim, keepdim)", node="NormBackward1", holomorphic=False, self=norm_dim_back
)
elementwise("add_scalar(self, other)", node="AddBackward1", self=lambda xp, grad: grad)
elementwise("sub_scalar(self, other)", node="SubBackward1", self=lambda xp, grad: grad)
elementwise(
    "mul_scalar(self, other)", node="MulBackward1", self=lambda xp, grad, other: grad * other
)
elementwise(
    "div_scalar(self, other)", node="DivBackward1", self=lambda xp, grad, other: grad / other
)


def distance_slope(xp: Xp, difference: Value, distance: Value, p: float) -> Value:
    """The slope of a norm over the last dimension; of ties for the largest each has it whole."""
    if p == 0:
        return xp.zeros_like(difference)
    if math.isinf(p):
        return xp.where(xp.abs(difference) == distance, xp.sgn(difference), 0.0)
    return norm_slope(xp, difference, distance, p, (difference.ndim - 1,))


def cdist_slopes(xp: Xp, grad: Value, x1: Value, x2: Value, p: float, result: Value) -> Value:
    """The slope of each distance with respect to the difference of its two rows."""
    difference = xp.unsqueeze(x1, -2) - xp.unsqueeze(x2, -3)
    slope = distance_slope(xp, difference, xp.unsqueeze(result, -1), p)
    return xp.unsqueeze(grad, -1) * slope


general(
    "cdist(x1, x2, p)",
    x1=lambda xp, grad, x1, x2, p, result: xp.sum_dim(
        cdist_slopes(xp, grad, x1, x2, p, result), (grad.ndim - 1,), False
    ),
    x2=lambda xp, grad, x1, x2, p, result: xp.sum_dim(
        -cdist_slopes(xp, grad, x1, x2, p, result), (grad.ndim - 2,), False
    ),
)


# PyTorch's name of the usual distances of many rows.
general(
    "euclidean_dist(x1, x2)",
    x1=lambda xp, grad, x1, x2, result: xp.sum_dim(
        cdist_slopes(xp, grad, x1, x2, 2.0, result), (grad.ndim - 1,), False
    ),
    x2=lambda xp, grad, x1, x2, result: xp.sum_dim(
        -cdist_slopes(xp, grad, x1, x2, 2.0, result), (grad.ndim - 2,), False
    ),
)


def pdist_slope(
    xp: Xp, grad: Value, self: Value, self_shape: tuple[int, ...], p: float, result: Value
) -> Value:
    """The slope of each distance with respect to the difference of its rows."""
    slope = distance_slope(xp, xp.row_pairs(self), xp.unsqueeze(result, -1), p)
    return xp.row_pairs_backward(xp.unsqueeze(grad, -1) * slope, self_shape)


general("pdist(self, p)", self=pdist_slope)
linear(
    "row_pairs(self)",
    self=lambda xp, grad, self_shape: xp.row_pairs_backward(grad, self_shape),
)
linear(
    "row_pairs_backward(grad_output, self_shape)", grad_output=lambda xp, grad: xp.row_pairs(grad)
)


def multilabel_slope(xp: Xp, grad: Value, self: Value, target: Value, reduction: int) -> Value:
    """Each violation gives its class the slope 1 and its label -1, which are constant by steps."""
    batch = self.shape[0] if self.ndim > 1 and reduction == MEAN else 1
    each = xp.unsqueeze(grad, -1) if grad.ndim else grad
    return xp.multilabel_margin_slopes(self, target) * each / batch


general(
    "multilabel_margin_loss(self, target, reduction=1)",
    operands="self target",
    fused=True,
    self=multilabel_slope,
)
constant("multilabel_margin_slopes(self, target)", operands="self target")


# Sequences without alignment. As PyTorch's, the gradient has no derivative.


def ctc_again(xp: Xp, grad: Value) -> Value:
    """There is none."""
    raise RuntimeError("derivative for aten::_ctc_loss_backward is not implemented")


def ctc_back(
    xp: Xp,
    grad: Value,
    log_probs: Value,
    targets: Value,
    input_lengths: tuple[int, ...],
    target_lengths: tuple[int, ...],
    result0: Value,
    result1: Value,
    blank: int,
    zero_infinity: bool,
) -> Value:
    """What the inputs say less how often the ways of the target meet a class."""
    given = (log_probs, targets, input_lengths, target_lengths, result0, result1)
    return xp.ctc_loss_backward(grad, *given, blank, zero_infinity)


general(
    "ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)",
    operands="log_probs targets",
    outputs="result0 result1",
    wide=False,
    log_probs=ctc_back,
)
general(
    "ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, result0, "
    "result1, blank, zero_infinity)",
    operands="grad log_probs targets result0 result1",
    wide=False,
    grad=ctc_again,
    log_probs=ctc_again,
)
