"""Derivatives of pools. The largest element of a window gets its gradient; of ties, the first."""

from typing import Any

from seegrad.rules.spec import general, linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Shape = tuple[int, ...]


def flat_back(xp: Xp, grad: Value, self_shape: Shape, result1: Value) -> Value:
    """`result1` names the element of a plane that each gradient belongs to."""
    return xp.max_pool_backward(grad, result1, self_shape, 2)


def volume_back(xp: Xp, grad: Value, self_shape: Shape, result1: Value) -> Value:
    """The same in a volume."""
    return xp.max_pool_backward(grad, result1, self_shape, 3)


for _dims, _back in ((2, flat_back), (3, volume_back)):
    general(
        f"max_pool{_dims}d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)",
        node=f"MaxPool{_dims}DWithIndicesBackward0",
        outputs="result0 result1",
        self=_back,
    )
    general(
        f"adaptive_max_pool{_dims}d(self, output_size)",
        node=f"AdaptiveMaxPool{_dims}DBackward0",
        outputs="result0 result1",
        self=_back,
    )
    general(
        f"fractional_max_pool{_dims}d(self, kernel_size, output_size, random_samples)",
        node=f"FractionalMaxPool{_dims}DBackward0",
        operands="self random_samples",
        outputs="result0 result1",
        self=_back,
    )

linear(
    "max_pool_backward(grad_output, indices, self_shape, dims)",
    operands="grad_output indices",
    grad_output=lambda xp, grad, indices, dims: xp.max_pool_pick(grad, indices, dims),
)
linear(
    "max_pool_pick(self, indices, dims)",
    operands="self indices",
    self=lambda xp, grad, self_shape, indices, dims: xp.max_pool_backward(
        grad, indices, self_shape, dims
    ),
)
linear(
    "max_unpool2d(self, indices, output_size)",
    node="MaxUnpool2DBackward0",
    operands="self indices",
    self=lambda xp, grad, indices: xp.max_pool_pick(grad, indices, 2),
)
linear(
    "max_unpool3d(self, indices, output_size)",
    node="MaxUnpool3DBackward0",
    operands="self indices",
    self=lambda xp, grad, indices: xp.max_pool_pick(grad, indices, 3),
)


def avg_pool_back(
    xp: Xp,
    grad: Value,
    self_shape: Shape,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Value:
    """Each element gets its share of every mean that it is part of."""
    return xp.avg_pool_backward(
        grad,
        self_shape,
        kernel_size,
        stride,
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
    )


for _dims in (2, 3):
    linear(
        f"avg_pool{_dims}d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, "
        "divisor_override)",
        node=f"AvgPool{_dims}DBackward0",
        self=avg_pool_back,
    )


def avg_pool_again(
    xp: Xp,
    grad: Value,
    kernel_size: Shape,
    stride: Shape,
    padding: Shape,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Value:
    """The mean is linear, so what its gradient hands back is the mean of what comes in."""
    return xp.avg_pool2d(
        grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


linear(
    "avg_pool_backward(grad_output, self_shape, kernel_size, stride, padding, ceil_mode, "
    "count_include_pad, divisor_override)",
    grad_output=avg_pool_again,
)
