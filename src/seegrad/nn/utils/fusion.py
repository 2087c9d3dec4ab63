"""A layer and the batch norm after it as one layer."""

import copy
from typing import TypeVar

from seegrad.nn.modules.batchnorm import _BatchNorm
from seegrad.nn.modules.conv import _ConvNd
from seegrad.nn.modules.linear import Linear
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import ones_like, zeros_like
from seegrad.tensor.tensor import Tensor

ConvT = TypeVar("ConvT", bound=_ConvNd)
LinearT = TypeVar("LinearT", bound=Linear)


def fuse_conv_bn_eval(conv: ConvT, bn: _BatchNorm, transpose: bool = False) -> ConvT:
    """One convolution that computes `bn(conv(x))`; both in evaluation mode.

    `transpose` says that it is a transposed one. Raises AssertionError in training mode, and for
    a batch norm without running statistics.

    >>> import seegrad as torch
    >>> conv, bn = torch.nn.Conv2d(2, 3, 1).eval(), torch.nn.BatchNorm2d(3).eval()
    >>> fused, x = torch.nn.utils.fuse_conv_bn_eval(conv, bn), torch.ones(1, 2, 1, 1)
    >>> torch.allclose(fused(x), bn(conv(x)))
    True
    """
    _check(conv.training or bn.training)
    fused = copy.deepcopy(conv)
    mean, variance = _statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, mean, variance, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of the convolution that `fuse_conv_bn_eval` returns."""
    conv_b = zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = zeros_like(bn_rm) if bn_b is None else bn_b
    shape = [1, -1] if transpose else [-1, 1]
    scale = bn_w * (bn_rv + bn_eps).rsqrt()
    weight = conv_w * scale.reshape(shape + [1] * (conv_w.ndim - 2))
    return _parameters(weight.to(conv_w.dtype), conv_w, (conv_b - bn_rm) * scale + bn_b, conv_b)


def fuse_linear_bn_eval(linear: LinearT, bn: _BatchNorm) -> LinearT:
    """One linear layer that computes `bn(linear(x))`; both in evaluation mode.

    Raises AssertionError in training mode, for sizes that do not fit and for a batch norm without
    running statistics.

    >>> import seegrad as torch
    >>> linear, bn = torch.nn.Linear(2, 3).eval(), torch.nn.BatchNorm1d(3).eval()
    >>> fused, x = torch.nn.utils.fuse_linear_bn_eval(linear, bn), torch.ones(1, 2)
    >>> torch.allclose(fused(x), bn(linear(x)))
    True
    """
    _check(linear.training or bn.training)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    fused = copy.deepcopy(linear)
    mean, variance = _statistics(bn)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, mean, variance, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of the layer that `fuse_linear_bn_eval` returns."""
    linear_b = zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * (bn_rv + bn_eps).rsqrt()
    weight = (linear_w * scale.unsqueeze(-1)).to(linear_w.dtype)
    return _parameters(weight, linear_w, (linear_b - bn_rm) * scale + bn_b, linear_b)


def _parameters(
    weight: Tensor, weight_before: Tensor, bias: Tensor, bias_before: Tensor
) -> tuple[Parameter, Parameter]:
    return (
        Parameter(weight, weight_before.requires_grad),
        Parameter(bias.to(bias_before.dtype), bias_before.requires_grad),
    )


def _check(training: bool) -> None:
    if training:
        raise AssertionError("Fusion only for eval!")


def _statistics(bn: _BatchNorm) -> tuple[Tensor, Tensor]:
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    return bn.running_mean, bn.running_var
