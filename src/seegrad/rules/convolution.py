"""Derivatives of convolution: three kernels, each the gradient of the two others.

    <g, conv(x, w)> = <conv_input(g, w), x> = <conv_weight(g, x), w>

A transposed convolution is `conv_input` of its input.
"""

from typing import Any

from seegrad.rules.spec import general, linear, multilinear, size_of

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]


def forward(
    xp: Xp,
    input: Value,
    weight: Value,
    shape: Size,
    stride: Size,
    padding: Size,
    dilation: Size,
    groups: int,
) -> Value:
    """A convolution without bias, cut off where an output padding left place for more windows."""
    none = (0,) * len(stride)
    out = xp.convolution(input, weight, None, stride, padding, dilation, False, none, groups)
    for dim in range(2, len(shape)):
        if out.shape[dim] > shape[dim]:
            out = xp.slice(out, dim, 0, shape[dim])
    return out


def convolution_input_back(
    xp: Xp,
    grad: Value,
    input_shape: Size,
    weight: Value,
    stride: Size,
    padding: Size,
    dilation: Size,
    transposed: bool,
    groups: int,
) -> Value:
    """Transposed it is a convolution of the gradient."""
    if transposed:
        return forward(xp, grad, weight, input_shape, stride, padding, dilation, groups)
    return xp.convolution_input(grad, weight, input_shape[2:], stride, padding, dilation, groups)


def convolution_weight_back(
    xp: Xp,
    grad: Value,
    input: Value,
    weight_shape: Size,
    stride: Size,
    padding: Size,
    dilation: Size,
    transposed: bool,
    groups: int,
) -> Value:
    """Transposed, input and gradient change their places."""
    small, large = (input, grad) if transposed else (grad, input)
    return xp.convolution_weight(small, large, weight_shape[2:], stride, padding, dilation, groups)


general(
    "convolution(input, weight, bias=None, stride=None, padding=None, dilation=None, "
    "transposed=False, output_padding=None, groups=1)",
    fused=True,
    shown="bias_shape output_padding",
    # As in PyTorch, no bias has size 0.
    attributes={
        "bias_sym_sizes_opt": property(lambda node: node._saved_bias_sym_sizes or (0,)),
    },
    input=convolution_input_back,
    weight=convolution_weight_back,
    bias=lambda xp, grad: xp.sum_dim(grad, (0, *range(2, grad.ndim)), False),
)
multilinear(
    "convolution_input(grad_output, weight, sizes, stride, padding, dilation, groups)",
    fused=True,
    grad_output=lambda xp, grad, weight, grad_output_shape, stride, padding, dilation, groups: (
        forward(xp, grad, weight, grad_output_shape, stride, padding, dilation, groups)
    ),
    weight=lambda xp, grad, grad_output, weight_shape, stride, padding, dilation, groups: (
        xp.convolution_weight(
            grad_output, grad, weight_shape[2:], stride, padding, dilation, groups
        )
    ),
)
multilinear(
    "convolution_weight(grad_output, input, kernel, stride, padding, dilation, groups)",
    fused=True,
    grad_output=lambda xp, grad, input, grad_output_shape, stride, padding, dilation, groups: (
        forward(xp, input, grad, grad_output_shape, stride, padding, dilation, groups)
    ),
    input=lambda xp, grad, grad_output, input_shape, stride, padding, dilation, groups: (
        xp.convolution_input(grad_output, grad, input_shape[2:], stride, padding, dilation, groups)
    ),
)

# Windows as columns, (n, c, h, w) to (n, c * kernel, places), and back

linear(
    "im2col(self, kernel_size, dilation, padding, stride)",
    node="Im2ColBackward0",
    attributes={
        "self_sym_argsize_minus_2": size_of("self", -2),
        "self_sym_argsize_minus_1": size_of("self", -1),
    },
    self=lambda xp, grad, self_shape, kernel_size, dilation, padding, stride: xp.col2im(
        grad, self_shape[-2:], kernel_size, dilation, padding, stride
    ),
)
linear(
    "col2im(self, output_size, kernel_size, dilation, padding, stride)",
    node="Col2ImBackward0",
    self=lambda xp, grad, kernel_size, dilation, padding, stride: xp.im2col(
        grad, kernel_size, dilation, padding, stride
    ),
)
