"""Public functions of `torch` that PyTorch has without a page of their own."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seegrad.operators.recording import recorded as op
from seegrad.ops import ctc
from seegrad.ops.calls import public
from seegrad.ops.randomized import without_channels
from seegrad.ops.sampling import sampled
from seegrad.ops.views import int_tuple

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "affine_grid_generator",
    "constant_pad_nd",
    "conv_tbc",
    "ctc_loss",
    "feature_dropout",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "split_with_sizes",
]

Number = bool | int | float | complex


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
