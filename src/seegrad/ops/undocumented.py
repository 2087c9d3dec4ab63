"""Public functions of `torch` that PyTorch has without a page of their own."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from seegrad.arrays.bags import MAX, MEAN, SUM
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops import ctc
from seegrad.ops.bags import row_of
from seegrad.ops.calls import public
from seegrad.ops.dropout import staying
from seegrad.ops.images import channel_shuffle
from seegrad.ops.randomized import without_channels
from seegrad.ops.sampling import sampled
from seegrad.ops.views import int_tuple

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "_assert",
    "affine_grid_generator",
    "constant_pad_nd",
    "conv_tbc",
    "ctc_loss",
    "embedding_bag",
    "feature_dropout",
    "get_device",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "native_channel_shuffle",
    "native_dropout",
    "split_with_sizes",
]

Number = bool | int | float | complex


def _assert(condition: object, message: str) -> None:
    """Raise AssertionError where `condition` is false; a call that may be traced.

    >>> import seegrad as torch
    >>> torch._assert(1 < 2, "never said")
    """
    if not condition:
        raise AssertionError(message)


@public
def affine_grid_generator(theta: Tensor, size: Sequence[int], align_corners: bool) -> Tensor:
    """Return the places that affine maps make of those of an output.

    As `torch.nn.functional.affine_grid`, which checks its arguments.

    >>> import seegrad as torch
    >>> turned = torch.tensor([[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])
    >>> torch.affine_grid_generator(turned, (1, 1, 1, 2), True)
    tensor([[[[ 0., -1.],
              [ 0.,  1.]]]])
    """
    return op.affine_grid_generator(theta, int_tuple(size), align_corners)


@public
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """Return the convolution of signals whose dimensions are time, batch, channels.

    `input`: (t, n, c). `weight`: (k, c, out). `bias`: (out,). Returns (t', n, out).

    >>> import seegrad as torch
    >>> torch.conv_tbc(torch.ones(3, 1, 1), torch.ones(2, 1, 1), torch.zeros(1)).flatten()
    tensor([2., 2.])
    """
    signal, kernel = op.permute(input, (1, 2, 0)), op.permute(weight, (2, 1, 0))
    out = op.convolution(signal, kernel, bias, (1,), (pad,), (1,), False, (0,), 1)
    return op.clone(op.permute(out, (2, 0, 1)), "contiguous")


@public
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: int = 0,  # PyTorch's signature says mean, and its default does none
    zero_infinity: bool = False,
) -> Tensor:
    """Return `torch.nn.functional.ctc_loss`, with numbers for "none", "mean" and "sum".

    >>> import seegrad as torch
    >>> halves = torch.full((2, 1, 2), 0.5).log()
    >>> torch.ctc_loss(halves, torch.tensor([[1]]), [2], [1])
    tensor([0.2877])
    """
    return ctc.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank,
        ("none", "mean", "sum")[reduction], zero_infinity,
    )  # fmt: skip


@public
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the bags of `torch.nn.functional.embedding_bag`, and how they were filled.

    `weight`: the table (rows, m). `indices`: (n,). `offsets`: (b,), where bags begin. `mode`: 0
    sum, 1 mean, 2 max. Returns the bags (b, m), the bag of each index, the sizes of the bags, and
    for the largest the rows they came of. As in PyTorch these are empty and zero where a sum does
    not need them.

    >>> import seegrad as torch
    >>> table, indices = torch.tensor([[1.0], [10.0], [100.0]]), torch.tensor([0, 1, 2])
    >>> torch.embedding_bag(table, indices, torch.tensor([0, 2]), mode=1)
    (tensor([[  5.5000],
            [100.0000]]), tensor([0, 0, 1]), tensor([2, 1]), tensor([2, 1]))
    """
    if mode not in (SUM, MEAN, MAX):
        raise RuntimeError("`mode` must be sum, mean, or max.")
    if per_sample_weights is not None and mode != SUM:
        raise RuntimeError("embedding_bag: per_sample_weights only supported with mode='sum'")
    if offsets is None:
        raise TypeError(
            "embedding_bag(): argument 'offsets' (position 3) must be Tensor, not NoneType"
        )
    padding = row_of(padding_idx, weight.shape[0])
    out, bag, share, _, rows = op.embedding_bag(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
        include_last_offset, padding,
    )  # fmt: skip
    kind, count = np.result_type(indices._array, offsets._array), out.shape[0]
    bags = bag._array.astype(kind)
    sizes = np.zeros(count, kind)
    if mode != SUM:
        sizes += np.bincount(bags[share._array != 0], minlength=count).astype(kind)
    elif padding < 0 and weight._array.dtype != np.float64 and weight.stride(1) == 1:
        bags = bags[:0]
    largest = np.maximum(rows._array, 0).astype(kind) if mode == MAX else sizes.copy()
    return out, wrap(bags), wrap(sizes), wrap(largest)


@public
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Return the tensor with whole channels zeroed with probability p, the others scaled up.

    `input`: (n, c, ...).

    >>> import seegrad as torch
    >>> torch.feature_dropout(torch.ones(1, 2, 1), 0.5, False).flatten()
    tensor([1., 1.])
    """
    return without_channels(input, p, train, False)


@public
def constant_pad_nd(input: Tensor, pad: Sequence[int], value: Number = 0) -> Tensor:
    """Return the tensor with margins of one value around its last dimensions.

    `input`: (...). `pad`: (low, high) of the last dimension, then of the one before it ...;
    negative margins cut. Raises RuntimeError where the margins do not fit.

    >>> import seegrad as torch
    >>> torch.constant_pad_nd(torch.tensor([1.0, 2.0]), (1, -1), 5)
    tensor([5., 1.])
    """
    if not hasattr(pad, "__iter__"):
        kind = type(pad).__name__
        raise TypeError(
            f"constant_pad_nd(): argument 'pad' (position 2) must be tuple of ints, not {kind}"
        )
    margins, dims = int_tuple(pad), input._array.ndim
    if len(margins) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(margins)}")
    if len(margins) > 2 * dims:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. "
            f"Pad length is {len(margins)}while the input has {dims}dimensions."
        )
    return op.constant_pad_nd(input, margins, value)


@public
def get_device(input: Tensor) -> int:
    """Return the number of the accelerator of a tensor: -1 on the CPU."""
    return input.get_device()


@public
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """Return images looked up at places, as `nn.functional.grid_sample` with numbers for modes.

    `interpolation_mode`: 0 "bilinear", 1 "nearest", 2 "bicubic". `padding_mode`: 0 "zeros",
    1 "border", 2 "reflection".

    >>> import seegrad as torch
    >>> image, place = torch.arange(4.0).reshape(1, 1, 2, 2), torch.tensor([[[[0.0, 1.0]]]])
    >>> torch.grid_sampler(image, place, 0, 0, True)
    tensor([[[[2.5000]]]])
    """
    return sampled(input, grid, interpolation_mode, padding_mode, align_corners)


@public
def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """Return images looked up at places, as grid_sampler, which takes volumes too.

    >>> import seegrad as torch
    >>> image, place = torch.arange(4.0).reshape(1, 1, 2, 2), torch.tensor([[[[0.0, 1.0]]]])
    >>> torch.grid_sampler_2d(image, place, 1, 0, True)
    tensor([[[[2.]]]])
    """
    return sampled(input, grid, interpolation_mode, padding_mode, align_corners, (4,))


@public
def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """Return volumes looked up at places, as grid_sampler, which takes images too.

    >>> import seegrad as torch
    >>> volume, place = torch.ones(1, 1, 2, 2, 2), torch.zeros(1, 1, 1, 1, 3)
    >>> torch.grid_sampler_3d(volume, place, 0, 0, True)
    tensor([[[[[1.]]]]])
    """
    return sampled(input, grid, interpolation_mode, padding_mode, align_corners, (5,))


@public
def native_channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Return `torch.channel_shuffle`."""
    return channel_shuffle(input, groups)


@public
def native_dropout(input: Tensor, p: float, train: bool | None) -> tuple[Tensor, Tensor]:
    """Return input with elements zeroed with probability p, and True where they stayed.

    With `train` False, all stay as they are.

    >>> import seegrad as torch
    >>> torch.native_dropout(torch.ones(2), 0.0, True)
    (tensor([1., 1.]), tensor([True, True]))
    """
    if train is False:
        return op.clone(input), wrap(np.ones(input.shape, bool))
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={1 - p:g}")
    mask = staying(input._array, p)
    out = op.mul(op.mul(input, wrap(mask)), 1 / (1 - p) if p < 1 else 0.0)
    return out, wrap(mask.astype(bool))


@public
def split_with_sizes(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Return views of pieces of the sizes given.

    `input`: (..., n, ...). Raises RuntimeError where the sizes do not add up to n.

    >>> import seegrad as torch
    >>> torch.split_with_sizes(torch.arange(3), (1, 2))
    (tensor([0]), tensor([1, 2]))
    """
    if not hasattr(split_sizes, "__iter__"):
        kind = type(split_sizes).__name__
        raise TypeError(
            "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, "
            f"not {kind}"
        )
    return op.split_with_sizes(input, int_tuple(split_sizes), dim)
