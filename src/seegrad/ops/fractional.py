"""Public pools whose windows lie at random distances."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.pooling import need_planes
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
    if output_size is None:
        output_size = _of_ratio(name, dims, input, output_ratio)
    if samples is None:
        wrap_dim(-dims - 1, input.ndim)
        lead = tuple(input.shape[: input.ndim - dims])[-2:]
        samples = wrap(uniform(None, (*(1,) * (2 - len(lead)), *lead, dims), input._array.dtype))
    kernel = _numbers(name, dims, kernel_size, "kernel_size")
    wanted = _numbers(name, dims, output_size, "output_size")
    named = f"{name}()" if dims == 2 else f"{name}_out()"
    if input.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"{named}: Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(input.shape)}"
        )
    need_planes(input._array, dims, named)
    for axis, (width, count) in enumerate(zip(kernel, wanted, strict=True)):
        size = input.shape[input.ndim - dims + axis]
        if count + width - 1 > size:
            side = ("time", "height", "width")[3 - dims + axis]
            raise RuntimeError(
                f"{named}: pool {side} {width} too large relative to input {side} {size}"
            )
    samples = _checked(samples, input, dims)
    call = op.fractional_max_pool2d if dims == 2 else op.fractional_max_pool3d
    return call(input, kernel, wanted, samples)


def _of_ratio(name: str, dims: int, input: Any, ratio: Any) -> list[int]:
    """The sizes of the result as shares of the input's."""
    ratios = ratio if isinstance(ratio, tuple | list) else (ratio,) * dims
    if len(ratios) > 2 and dims == 2:
        raise ValueError(
            f"{name} requires output_ratio to either be a single Int or tuple of Ints."
        )
    inner = input.shape[input.ndim - dims :]
    return [int(n * share) for n, share in zip(inner, ratios, strict=False)]


def _numbers(name: str, dims: int, value: Any, what: str) -> tuple[int, ...]:
    if isinstance(value, tuple | list) and len(value) not in (1, dims):
        kind = "Ints" if dims == 2 else "three Ints"
        raise RuntimeError(f"{name}: {what} must either be a single Int or tuple of {kind}")
    return sizes(value, dims, what)


def _checked(samples: Any, input: Any, dims: int) -> Any:
    """Samples (n, c, dims) that were given, or drawn."""
    batch, channels = (1, 1, *input.shape)[-dims - 2 : -dims]
    if samples.dtype != input.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if samples.ndim != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {samples.ndim}")
    if samples.shape[0] < batch:
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if samples.shape[1] != channels:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if samples.shape[2] != dims:
        raise RuntimeError(
            f"Expect _random_samples.size(2) equals to {dims}; got {samples.shape[2]}."
        )
    return samples[:batch]
