"""Public pools whose windows lie at random distances."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.random import uniform
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.sizes import sizes

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Pair = Any  # a Tensor, or a tuple of two where indices are wanted


@public
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Pair:
    """Return the largest elements of windows at random distances in an image.

    `input`: (n, c, h, w) or (c, h, w). `output_size`: how many windows; or `output_ratio`, the
    same as a share of the input. With `return_indices` also where the elements stand. Returns
    (n, c, *output_size) or without n. Raises ValueError where neither is given.

    >>> import seegrad as torch
    >>> image = torch.arange(16.0).reshape(1, 4, 4)
    >>> torch.nn.functional.fractional_max_pool2d(image, 2, output_size=3).shape
    torch.Size([1, 3, 3])
    """
    options = (kernel_size, output_size, output_ratio, _random_samples)
    found = _pooled("fractional_max_pool2d", 2, input, *options)
    return found if return_indices else found[0]


@public
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Pair:
    """Return the largest elements of windows at random distances in a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as fractional_max_pool2d.

    >>> import seegrad as torch
    >>> volume = torch.arange(27.0).reshape(1, 3, 3, 3)
    >>> torch.nn.functional.fractional_max_pool3d(volume, 2, output_size=2).shape
    torch.Size([1, 2, 2, 2])
    """
    options = (kernel_size, output_size, output_ratio, _random_samples)
    found = _pooled("fractional_max_pool3d", 3, input, *options)
    return found if return_indices else found[0]


def _pooled(
    name: str,
    dims: int,
    input: Any,
    kernel_size: Any,
    output_size: Any,
    output_ratio: Any,
    samples: Any,
) -> Any:
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    if input.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"{name}: Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(input.shape)}"
        )
    if output_size is None:
        ratios = sizes(output_ratio, dims, "output_ratio")
        inner = input.shape[input.ndim - dims :]
        output_size = [int(n * ratio) for n, ratio in zip(inner, ratios, strict=True)]
    if samples is None:
        lead = tuple(input.shape[: input.ndim - dims])
        samples = wrap(uniform(None, (*(1,) * (2 - len(lead)), *lead, dims), input._array.dtype))
    kernel = sizes(kernel_size, dims, "kernel_size")
    wanted = sizes(output_size, dims, "output_size")
    for axis, (width, count) in enumerate(zip(kernel, wanted, strict=True)):
        size = input.shape[input.ndim - dims + axis]
        if count + width - 1 > size:
            side = ("time", "height", "width")[3 - dims + axis]
            raise RuntimeError(
                f"{name}(): pool {side} {width} too large relative to input {side} {size}"
            )
    call = op.fractional_max_pool2d if dims == 2 else op.fractional_max_pool3d
    return call(input, kernel, wanted, samples)
