"""Gradients of convolutions as functions of their own."""

from typing import Any

from seegrad.operators.recording import recorded as op
from seegrad.ops.sizes import sizes
from seegrad.tensor.tensor import Tensor


def _input(dims: int, size: Any, weight: Tensor, grad: Tensor, options: tuple[Any, ...]) -> Tensor:
    steps = [sizes(each, dims, "") for each in options[:3]]
    made: Tensor = op.convolution_input(grad, weight, tuple(size[-dims:]), *steps, options[3])
    return made


def _weight(dims: int, input: Tensor, size: Any, grad: Tensor, options: tuple[Any, ...]) -> Tensor:
    steps = [sizes(each, dims, "") for each in options[:3]]
    made: Tensor = op.convolution_weight(grad, input, tuple(size[-dims:]), *steps, options[3])
    return made


def conv1d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of the input of `conv1d`, a tensor of `input_size`.

    >>> import seegrad as torch
    >>> weight, grad = torch.ones(1, 1, 3), torch.ones(1, 1, 2)
    >>> torch.nn.grad.conv1d_input((1, 1, 4), weight, grad).shape
    torch.Size([1, 1, 4])
    """
    return _input(1, input_size, weight, grad_output, (stride, padding, dilation, groups))


def conv1d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of the weight of `conv1d`, a tensor of `weight_size`.

    >>> import seegrad as torch
    >>> input, grad = torch.ones(1, 1, 4), torch.ones(1, 1, 2)
    >>> torch.nn.grad.conv1d_weight(input, (1, 1, 3), grad).shape
    torch.Size([1, 1, 3])
    """
    return _weight(1, input, weight_size, grad_output, (stride, padding, dilation, groups))


def conv2d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of the input of `conv2d`, a tensor of `input_size`.

    >>> import seegrad as torch
    >>> weight, grad = torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)
    >>> torch.nn.grad.conv2d_input((1, 1, 4, 4), weight, grad).shape
    torch.Size([1, 1, 4, 4])
    """
    return _input(2, input_size, weight, grad_output, (stride, padding, dilation, groups))


def conv2d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of the weight of `conv2d`, a tensor of `weight_size`.

    >>> import seegrad as torch
    >>> input, grad = torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2)
    >>> torch.nn.grad.conv2d_weight(input, (1, 1, 3, 3), grad).shape
    torch.Size([1, 1, 3, 3])
    """
    return _weight(2, input, weight_size, grad_output, (stride, padding, dilation, groups))


def conv3d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of the input of `conv3d`, a tensor of `input_size`.

    >>> import seegrad as torch
    >>> weight, grad = torch.ones(1, 1, 3, 3, 3), torch.ones(1, 1, 2, 2, 2)
    >>> torch.nn.grad.conv3d_input((1, 1, 4, 4, 4), weight, grad).shape
    torch.Size([1, 1, 4, 4, 4])
    """
    return _input(3, input_size, weight, grad_output, (stride, padding, dilation, groups))


def conv3d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of the weight of `conv3d`, a tensor of `weight_size`.

    >>> import seegrad as torch
    >>> input, grad = torch.ones(1, 1, 4, 4, 4), torch.ones(1, 1, 2, 2, 2)
    >>> torch.nn.grad.conv3d_weight(input, (1, 1, 3, 3, 3), grad).shape
    torch.Size([1, 1, 3, 3, 3])
    """
    return _weight(3, input, weight_size, grad_output, (stride, padding, dilation, groups))
