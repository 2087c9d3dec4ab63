"""Public functions that standardise: batch, layer, group, instance norm and their kin."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import bfloat16, float16, float32
from seegrad.arrays.refusals import need_kind
from seegrad.graph.state import thread
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.shape import pad

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

SHARED_STATISTICS = (
    "Batch norm got a batched tensor as input while the running_mean or running_var, which will "
    "be updated in place, were not batched.\nIf you are using a module and do not need eval mode, "
    "please set `track_running_stats` to be False.If you are using a prebuilt module and do not "
    "need eval mode, please see the functorch website for resources on how to patch your module "
    "to work with vmap"
)


@public
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Return channels less their mean, over their deviation, times weight and plus bias.

    `input`: (n, c, *). All others: (c,) or None. With `training` mean and variance are those of
    the batch, and the running ones move towards them; else the running ones are used. Returns
    input's shape. Raises ValueError for a single value per channel in training.

    >>> import seegrad as torch
    >>> x = torch.tensor([[1.0, 5.0], [3.0, 9.0]])
    >>> torch.nn.functional.batch_norm(x, None, None, training=True, eps=0.0)
    tensor([[-1., -1.],
            [ 1.,  1.]])
    """
    if training:
        _need_several(input)
        _need_own(running_mean, running_var)
    if not input._array.size:
        return _of_nothing(input, weight, bias)
    if _is_narrower(input, weight, bias, running_mean, running_var):
        rest = (running_mean, running_var, weight, bias, training, momentum, eps)
        return op.to_copy(batch_norm(op.to_copy(input, float32), *rest), input.dtype)
    return batch_normalized(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )[0]


def _is_narrower(input: Any, *others: Any) -> bool:
    """Whether the input is of half precision, and all of the others that there are of float32."""
    kinds = {other.dtype for other in others if other is not None}
    return kinds == {float32} and input.dtype in (bfloat16, float16)


def _of_nothing(input: Any, weight: Any, bias: Any) -> Any:
    """A copy that depends on all three."""
    out = op.clone(input)
    if weight is not None:
        out = op.mul(out, op.select(weight, 0, 0))
    return out if bias is None else op.add(out, op.select(bias, 0, 0))


def _need_several(input: Any) -> None:
    shape = tuple(input.shape)
    if shape[0] * math.prod(shape[2:]) == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size "
            f"torch.Size({list(shape)})"
        )


def batch_normalized(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    """The operator, and the running statistics that a training pass moves.

    Returns the mean and the inverse deviation of the batch too, of no elements in evaluation mode.
    """
    if not training and (running_mean is None or running_var is None):
        raise RuntimeError("running_mean and running_var must be defined in evaluation mode")
    out, mean, inverse, variance = op.native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )
    if training:
        count = math.prod(input.shape) // max(input.shape[1], 1)
        with np.errstate(all="ignore"):
            _move(running_mean, mean._array, momentum)
            _move(running_var, variance._array * np.divide(count, count - 1), momentum)
    return (out, mean, inverse) if training else (out, mean[:0], inverse[:0])


def _need_own(*running: Any) -> None:
    """Inside of a `vmap` a sample moves statistics of its own only, parts of a batch of them."""
    if thread.state.transforms and any(one is not None and one._view is None for one in running):
        if thread.state.maps_samples():
            raise RuntimeError(SHARED_STATISTICS)


def _move(running: Any, now: Any, momentum: float) -> None:
    """Towards what is now; the version stays, as in PyTorch."""
    if running is not None:
        array = running._array
        array[...] = ((1 - momentum) * array + momentum * now).astype(array.dtype)


@public
def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return the last dimensions less their mean, over their deviation, scaled and shifted.

    `input`: (..., *normalized_shape). `weight`, `bias`: normalized_shape or None. Returns input's
    shape. Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.layer_norm(torch.tensor([[1.0, 3.0], [0.0, 8.0]]), (2,), eps=0.0)
    tensor([[-1.,  1.],
            [-1.,  1.]])
    """
    if _is_narrower(input, weight, bias):
        wide = layer_norm(op.to_copy(input, float32), normalized_shape, weight, bias, eps)
        return op.to_copy(wide, input.dtype)
    return op.native_layer_norm(input, tuple(normalized_shape), weight, bias, eps)[0]


@public
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return groups of channels less their mean, over their deviation, scaled and shifted.

    `input`: (n, c, *), c divisible by num_groups. `weight`, `bias`: (c,) or None. Returns input's
    shape. Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.group_norm(torch.tensor([[1.0, 3.0, 0.0, 8.0]]), 2, eps=0.0)
    tensor([[-1.,  1., -1.,  1.]])
    """
    if input.ndim < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.ndim}"
        )
    need_channels(input, num_groups, weight, bias)
    if _is_narrower(input, weight, bias):
        wide = group_norm(op.to_copy(input, float32), num_groups, weight, bias, eps)
        return op.to_copy(wide, input.dtype)
    batch, channels, *sizes = input.shape
    _need_group(input, num_groups)
    whole = input if input._array.flags.c_contiguous else op.clone(input, "contiguous")
    options = (batch, channels, math.prod(sizes), num_groups, eps)
    return op.native_group_norm(whole, weight, bias, *options)[0]


def need_channels(input: Any, num_groups: int, weight: Any, bias: Any) -> None:
    """Raises where channels cannot be grouped or scaled so."""
    channels = input.shape[1]
    if not num_groups:
        raise ZeroDivisionError("integer division or modulo by zero")
    if num_groups < 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {list(input.shape)} and num_groups={num_groups}"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and tuple(value.shape) != (channels,):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in "
                f"input, but got {name} of shape {list(value.shape)} and input of shape "
                f"{list(input.shape)}"
            )


def _need_group(input: Any, num_groups: int) -> None:
    shape = tuple(input.shape)
    count = shape[0] * shape[1] // num_groups * math.prod(shape[2:])
    if count == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size "
            f"torch.Size({[shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]})"
        )


@public
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Return the channels of each instance less their mean, over their deviation.

    `input`: (n, c, *). All others as batch_norm's; the running statistics move towards the mean of
    those of all instances. Returns input's shape. Raises ValueError for a single value.

    >>> import seegrad as torch
    >>> torch.nn.functional.instance_norm(torch.tensor([[[1.0, 3.0], [0.0, 8.0]]]), eps=0.0)
    tensor([[[-1.,  1.],
             [-1.,  1.]]])
    """
    shape = tuple(input.shape)
    if use_input_stats and math.prod(shape[2:]) == 1:
        raise ValueError(
            "Expected more than 1 spatial element when training, got input size "
            f"torch.Size({list(shape)})"
        )
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    if use_input_stats:
        _need_own(running_mean, running_var)
    batch, channels, *sizes = shape
    scale, shift, mean, variance = (
        None if value is None else op.repeat(value, (batch,))
        for value in (weight, bias, running_mean, running_var)
    )
    whole = input if input._array.flags.c_contiguous else op.clone(input, "contiguous")
    joined = op.view(whole, (1, batch * channels, *sizes))
    options = (use_input_stats, momentum, eps)
    out = batch_normalized(joined, scale, shift, mean, variance, *options)[0]
    for running, moved in ((running_mean, mean), (running_var, variance)):
        if running is not None and moved is not None and use_input_stats:
            running._array[...] = moved._array.reshape(batch, channels).mean(0)
    return op.view(out, shape)


@public
def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Return the last dimensions over the root of the mean of their squares.

    `input`: (..., *normalized_shape). `weight`: normalized_shape or None. `eps`: added to the
    mean, by default the smallest step of the type at 1. Returns input's shape. Raises
    RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.rms_norm(torch.tensor([3.0, 4.0]), (2,))
    tensor([0.8485, 1.1314])
    """
    wanted = list(normalized_shape)
    _check_rms(list(input.shape), wanted, weight)
    need_kind(input._array.dtype, "rms_norm", "uilb")
    dims = tuple(range(input.ndim - len(wanted), input.ndim))
    wide = op.to_copy(input, float32) if input.dtype.itemsize == 2 else input
    if eps is None:
        eps = float(np.finfo(wide._array.real.dtype).eps)
    square = op.mean_dim(op.pow_scalar(wide, 2), dims, True)
    out = op.mul(wide, op.rsqrt(op.add_scalar(square, eps)))
    if weight is not None:
        out = op.mul(out, weight)
    if not out._array.flags.c_contiguous:
        out = op.clone(out, "contiguous")
    return out if wide is input else op.to_copy(out, input.dtype)


def _check_rms(shape: list[int], wanted: list[int], weight: Any) -> None:
    if not wanted:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            "one element, but got normalized_shape = []"
        )
    if weight is not None and list(weight.shape) != wanted:
        raise RuntimeError(
            "Expected weight to be of same shape as normalized_shape, but got weight of shape "
            f"{list(weight.shape)} and normalized_shape = {wanted}"
        )
    if shape[len(shape) - len(wanted) :] != wanted or len(shape) < len(wanted):
        sizes = ", ".join(map(str, wanted))
        raise RuntimeError(
            f"Given normalized_shape={wanted}, expected input with shape [*{sizes}], but got "
            f"input of size{shape}"
        )


@public
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Return the elements over a power of the mean square of neighbouring channels.

    `input`: (n, c, *). `size`: how many channels are neighbours. Returns input's shape. Raises
    ValueError for fewer than three dimensions.

    >>> import seegrad as torch
    >>> torch.nn.functional.local_response_norm(torch.ones(1, 2, 1), 2, alpha=3.0, beta=1.0)
    tensor([[[0.4000],
             [0.2500]]])
    """
    if input.ndim < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality                          input "
            f"(got {input.ndim} dimensions)"
        )
    if not input._array.size:
        return input
    shape, low, high = tuple(input.shape), size // 2, (size - 1) // 2
    square = op.mul(input, input)
    if input.ndim == 3:
        margin = pad(op.unsqueeze(square, 1), (0, 0, low, high))
        mean = op.avg_pool2d(margin, (size, 1), (1, 1), (0, 0), False, True, None)
        mean = op.squeeze_dim(mean, 1)
    else:
        flat = op.view(square, (shape[0], 1, shape[1], shape[2], math.prod(shape[3:])))
        margin = pad(flat, (0, 0, 0, 0, low, high))
        mean = op.avg_pool3d(margin, (size, 1, 1), (1, 1, 1), (0, 0, 0), False, True, None)
        mean = op.view(op.squeeze_dim(mean, 1), shape)
    return op.div(input, op.pow_scalar(op.add(op.mul(mean, alpha), k), beta))
