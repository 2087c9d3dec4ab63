"""Public functions of `torch.fft`: transforms over one, two and all dimensions."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.dtypes import from_numpy, get_default_dtype
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.complex import conj, conj_physical
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Sizes = Sequence[int]

COMPLEX = {"d": np.dtype(np.complex128)}  # of float64; everything else becomes complex64
MODES = (None, "backward", "ortho", "forward")


def _factor(norm: str | None, forward: bool) -> int:
    """PyTorch's number: 0 as it is, 1 by the root of the length, 2 by the length."""
    if norm not in MODES:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    if norm == "ortho":
        return 1
    return 2 if (norm == "forward") is forward else 0


def _floating(input: Any) -> Any:
    """The tensor itself, or its whole numbers in the default floating-point type."""
    kind = input._array.dtype
    if kind.kind in "iub":
        return op.to_copy(input, get_default_dtype())
    if kind.itemsize == 2:
        raise RuntimeError(f"Unsupported dtype {from_numpy(kind).scalar_name}")
    return input


def _complex(input: Any) -> Any:
    """The tensor as complex numbers."""
    input = _floating(input)
    kind = input._array.dtype
    if kind.kind == "c":
        return input
    return op.to_copy(input, from_numpy(COMPLEX.get(kind.char, np.dtype(np.complex64))))


def _real(name: str, input: Any, sort: str = "real") -> Any:
    """The tensor, which must not be complex."""
    if input._array.dtype.kind == "c":
        given = from_numpy(input._array.dtype).scalar_name
        if name == "ihfftn":
            raise RuntimeError(f"Only supports floating-point dtypes, but found: {given}")
        raise RuntimeError(f"{name} expects a {sort} input tensor, but got {given}")
    return _floating(input)


def _resized(input: Any, dims: Sizes, sizes: Sizes) -> Any:
    """The tensor cut, or filled with zeros, to these sizes."""
    shape = input._array.shape
    for dim, size in zip(dims, sizes, strict=True):
        if size < shape[dim]:
            input = op.slice(input, dim, 0, size, 1)
    added = {dim: size - shape[dim] for dim, size in zip(dims, sizes, strict=True)}
    if any(more > 0 for more in added.values()):
        margins = [(0, max(added.get(dim, 0), 0)) for dim in reversed(range(len(shape)))]
        input = op.constant_pad_nd(input, tuple(end for pair in margins for end in pair), 0)
    return input


def _one(input: Any, n: int | None, dim: int, default: int) -> tuple[int, int]:
    """The dimension counted from the front, and the length of the transform."""
    if not input._array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    place = wrap_dim(dim, input._array.ndim)
    size = default if n is None else n
    _expect_points(size)
    return place, size


def _expect_points(size: int) -> None:
    if size < 1:
        raise RuntimeError(f"Invalid number of data points ({size}) specified")


def _listed(given: Any) -> list[int] | None:
    """One number or several as a list; None where none was given."""
    return None if given is None else [given] if isinstance(given, int) else list(given)


def _several(input: Any, s: Any, dim: Any) -> tuple[tuple[int, ...], list[int]]:
    """The dimensions counted from the front, and the lengths of the transform, -1 as they are."""
    ndim, shape = input._array.ndim, input._array.shape
    lengths, places = _listed(s), _listed(dim)
    if places and not ndim:
        raise IndexError(f"Dimension specified as {places[0]} but tensor has no dimensions")
    if places is not None:
        places = [wrap_dim(one, ndim) for one in places]
        if len(set(places)) != len(places):
            raise RuntimeError("FFT dims must be unique")
    if lengths is not None:
        if places is not None and len(lengths) != len(places):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(lengths) > ndim:
            raise RuntimeError(
                f"Got shape with {len(lengths)} values but input tensor only has {ndim} "
                "dimensions."
            )
        if places is None:
            places = list(range(ndim - len(lengths), ndim))
    places = list(range(ndim)) if places is None else places
    lengths = [-1] * len(places) if lengths is None else lengths
    sizes = [shape[p] if n == -1 else n for p, n in zip(places, lengths, strict=True)]
    for size in sizes:
        _expect_points(size)
    return tuple(places), sizes


def _plain(input: Any, n: int | None, dim: int, norm: str | None, forward: bool) -> Any:
    """`fft` and `ifft`."""
    input = _floating(input)
    place, size = _one(input, n, dim, _length(input, dim))
    factor = _factor(norm, forward)
    input = _resized(input, (place,), (size,))
    if input._array.dtype.kind == "c":
        return op.fft_c2c(input, (place,), factor, forward)
    found = op.fft_r2c(input, (place,), factor, False)
    return found if forward else conj(found)


def _length(input: Any, dim: int) -> int:
    """The size of a dimension, 0 where there is none."""
    shape = input._array.shape
    return shape[wrap_dim(dim, len(shape))] if shape else 0


def _to_half(input: Any, n: int | None, dim: int, factor: int) -> Any:
    """The half of a transform of real numbers over one dimension."""
    place, size = _one(input, n, dim, _length(input, dim))
    return op.fft_r2c(_resized(input, (place,), (size,)), (place,), factor, True)


def _from_half(input: Any, n: int | None, dim: int, factor: int, conjugated: bool) -> Any:
    """Real numbers from a half, over one dimension."""
    place, size = _one(input, n, dim, 2 * (_length(input, dim) - 1))
    input = _resized(input, (place,), (size // 2 + 1,))
    return op.fft_c2r(conj(input) if conjugated else input, (place,), factor, size)


def _halves(name: str, input: Any, s: Any, dim: Any) -> tuple[Any, tuple[int, ...], list[int]]:
    """The complex tensor cut or filled to the halves that give sizes `s`, dimensions, sizes."""
    input = _complex(input)
    places, sizes = _several(input, s, dim)
    if not places:
        raise RuntimeError(f"{name} must transform at least one axis")
    lengths = _listed(s)
    if lengths is None or lengths[-1] == -1:
        sizes[-1] = 2 * (input._array.shape[places[-1]] - 1)
        _expect_points(sizes[-1])
    return _resized(input, places, [*sizes[:-1], sizes[-1] // 2 + 1]), places, sizes


@public
def fft_fft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the discrete Fourier transform over one dimension.

    `input`: (..., length, ...), real or complex. `n`: the length, cut or filled with zeros.
    `norm`: 'backward' (as it is), 'ortho' or 'forward' (divided by the length). Returns complex
    numbers. Raises RuntimeError for a length below 1 and for half precision.

    >>> import seegrad as torch
    >>> torch.fft.fft(torch.tensor([1.0, 0.0, -1.0, 0.0]))
    tensor([0.+0.j, 2.+0.j, 0.+0.j, 2.+0.j])
    """
    if out is not None:
        return into(out, "fft_fft", fft_fft, input, n, dim, norm)
    return _plain(input, n, dim, norm, True)


@public
def fft_ifft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the inverse of `fft`.

    Arguments and errors: as of `fft`.

    >>> import seegrad as torch
    >>> torch.fft.ifft(torch.tensor([0.0, 2.0, 0.0, 2.0])).real
    tensor([ 1.,  0., -1.,  0.])
    """
    if out is not None:
        return into(out, "fft_ifft", fft_ifft, input, n, dim, norm)
    return _plain(input, n, dim, norm, False)


@public
def fft_rfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the half of the transform of real numbers that determines the other.

    `input`: (..., length, ...), real, else RuntimeError is raised. Returns (..., length // 2 + 1,
    ...). Arguments: as of `fft`.

    >>> import seegrad as torch
    >>> torch.fft.rfft(torch.tensor([1.0, 0.0, -1.0, 0.0]))
    tensor([0.+0.j, 2.+0.j, 0.+0.j])
    """
    if out is not None:
        return into(out, "fft_rfft", fft_rfft, input, n, dim, norm)
    return _to_half(_real("rfft", input), n, dim, _factor(norm, True))


@public
def fft_irfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the inverse of `rfft`: real numbers.

    `input`: (..., half, ...). `n`: the length of the result, 2 (half - 1) by default.

    >>> import seegrad as torch
    >>> torch.fft.irfft(torch.tensor([0.0, 2.0, 0.0]))
    tensor([ 1.,  0., -1.,  0.])
    """
    if out is not None:
        return into(out, "fft_irfft", fft_irfft, input, n, dim, norm)
    return _from_half(_complex(input), n, dim, _factor(norm, False), False)


@public
def fft_hfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the transform, real numbers, of a signal that is the mirror image of its conjugate.

    `input`: (..., half, ...), the half of it. `n`: the length of the result, 2 (half - 1) by
    default.

    >>> import seegrad as torch
    >>> torch.fft.hfft(torch.tensor([1.0, 2.0, 1.0]))
    tensor([ 6.,  0., -2.,  0.])
    """
    if out is not None:
        return into(out, "fft_hfft", fft_hfft, input, n, dim, norm)
    return _from_half(_complex(input), n, dim, _factor(norm, True), True)


@public
def fft_ihfft(
    input: Tensor,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the inverse of `hfft`, its half.

    `input`: (..., length, ...), real, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.fft.ihfft(torch.tensor([6.0, 0.0, -2.0, 0.0])).real
    tensor([1., 2., 1.])
    """
    if out is not None:
        return into(out, "fft_ihfft", fft_ihfft, input, n, dim, norm)
    return conj(_to_half(_real("ihfft", input), n, dim, _factor(norm, False)))


@public
def fft_fftn(
    input: Tensor,
    s: int | Sizes | None = None,
    dim: int | Sizes | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the discrete Fourier transform over several dimensions.

    `input`: any shape. `s`: the lengths, -1 as they are, of the last dimensions or of `dim`.
    `norm`: as of `fft`. Raises RuntimeError for dimensions that appear twice, and for lengths that
    are below 1 or not as many as dimensions.

    >>> import seegrad as torch
    >>> torch.fft.fftn(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    if out is not None:
        return into(out, "fft_fftn", fft_fftn, input, s, dim, norm)
    input = _complex(input)
    places, sizes = _several(input, s, dim)
    return op.fft_c2c(_resized(input, places, sizes), places, _factor(norm, True), True)


@public
def fft_ifftn(
    input: Tensor,
    s: int | Sizes | None = None,
    dim: int | Sizes | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the inverse of `fftn`.

    Arguments and errors: as of `fftn`.

    >>> import seegrad as torch
    >>> torch.fft.ifftn(torch.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    if out is not None:
        return into(out, "fft_ifftn", fft_ifftn, input, s, dim, norm)
    input = _complex(input)
    places, sizes = _several(input, s, dim)
    return op.fft_c2c(_resized(input, places, sizes), places, _factor(norm, False), False)


@public
def fft_rfftn(
    input: Tensor,
    s: int | Sizes | None = None,
    dim: int | Sizes | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the half of the transform of real numbers over several dimensions.

    `input`: any shape, real, else RuntimeError is raised. The last of the dimensions is halved.

    >>> import seegrad as torch
    >>> torch.fft.rfftn(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    if out is not None:
        return into(out, "fft_rfftn", fft_rfftn, input, s, dim, norm)
    input = _real("rfftn", input, "real-valued")
    places, sizes = _several(input, s, dim)
    if not places:
        raise RuntimeError("rfftn must transform at least one axis")
    return op.fft_r2c(_resized(input, places, sizes), places, _factor(norm, True), True)


@public
def fft_irfftn(
    input: Tensor,
    s: int | Sizes | None = None,
    dim: int | Sizes | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the inverse of `rfftn`: real numbers.

    `input`: any shape, halved in the last of the dimensions. `s`: the sizes of the result.

    >>> import seegrad as torch
    >>> torch.fft.irfftn(torch.fft.rfftn(torch.eye(2)), s=(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    if out is not None:
        return into(out, "fft_irfftn", fft_irfftn, input, s, dim, norm)
    input, places, sizes = _halves("irfftn", input, s, dim)
    return op.fft_c2r(input, places, _factor(norm, False), sizes[-1])


@public
def fft_hfftn(
    input: Tensor,
    s: int | Sizes | None = None,
    dim: int | Sizes | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the transform, real numbers, of a signal that mirrors its conjugate.

    `input`: any shape, halved in the last of the dimensions. `s`: the sizes of the result.

    >>> import seegrad as torch
    >>> torch.fft.hfftn(torch.ones(2, 2))
    tensor([[4., 0.],
            [0., 0.]])
    """
    if out is not None:
        return into(out, "fft_hfftn", fft_hfftn, input, s, dim, norm)
    input, places, sizes = _halves("hfftn", input, s, dim)
    factor = _factor(norm, True)
    if len(places) > 1:
        input = op.fft_c2c(input, places[:-1], factor, True)
    return op.fft_c2r(conj(input), places[-1:], factor, sizes[-1])


@public
def fft_ihfftn(
    input: Tensor,
    s: int | Sizes | None = None,
    dim: int | Sizes | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the inverse of `hfftn`, its half.

    `input`: any shape, real, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.fft.ihfftn(torch.ones(2, 2)).real
    tensor([[1., 0.],
            [0., 0.]])
    """
    if out is not None:
        return into(out, "fft_ihfftn", fft_ihfftn, input, s, dim, norm)
    input = _real("ihfftn", input, "real-valued")
    places, sizes = _several(input, s, dim)
    if not places:
        raise RuntimeError("ihfftn must transform at least one axis")
    factor = _factor(norm, False)
    half = op.fft_r2c(_resized(input, places, sizes), places[-1:], factor, True)
    if len(places) == 1:
        return conj(half)
    return op.fft_c2c(conj_physical(half), places[:-1], factor, False)


def _in_two(function: Any, name: str) -> Any:
    """A transform of several dimensions, over the last two unless others are given."""
    whole = function.__name__.removeprefix("fft_")

    def called(
        input: Tensor,
        s: int | Sizes | None = None,
        dim: int | Sizes = (-2, -1),
        norm: str | None = None,
        *,
        out: Tensor | None = None,
    ) -> Tensor:
        return function(input, s, dim, norm, out=out)

    called.__name__ = called.__qualname__ = f"fft_{name}"
    called.__doc__ = f"""Return `{whole}` over the last two dimensions.

    Arguments, result and errors: as of `{whole}`.

    >>> import seegrad as torch
    >>> x = torch.ones(2, 2)
    >>> bool((torch.fft.{name}(x) == torch.fft.{whole}(x)).all())
    True
    """
    return called


fft_fft2 = _in_two(fft_fftn, "fft2")
fft_ifft2 = _in_two(fft_ifftn, "ifft2")
fft_rfft2 = _in_two(fft_rfftn, "rfft2")
fft_irfft2 = _in_two(fft_irfftn, "irfft2")
fft_hfft2 = _in_two(fft_hfftn, "hfft2")
fft_ihfft2 = _in_two(fft_ihfftn, "ihfft2")


def fft_fftfreq(n: int, d: float = 1.0, *, out: Tensor | None = None, **options: Any) -> Tensor:
    """Return the frequencies of `fft` for `n` points at distance `d`.

    Options: `dtype` and `requires_grad`. Returns (n,).

    >>> import seegrad as torch
    >>> torch.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    whole = [*range((n + 1) // 2), *range(-(n // 2), 0)]
    return _frequencies("fft_fftfreq", whole, n, d, out, options)


def fft_rfftfreq(n: int, d: float = 1.0, *, out: Tensor | None = None, **options: Any) -> Tensor:
    """Return the frequencies of `rfft` for `n` points at distance `d`.

    Options: `dtype` and `requires_grad`. Returns (n // 2 + 1,).

    >>> import seegrad as torch
    >>> torch.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
    return _frequencies("fft_rfftfreq", range(n // 2 + 1), n, d, out, options)


def _frequencies(
    name: str, whole: Iterable[int], n: int, d: float, out: Any, options: dict[str, Any]
) -> Any:
    kind = (options.get("dtype") or get_default_dtype()).numpy
    step = 1.0 / (n * d) if n * d else math.inf
    made = wrap((np.array(list(whole), np.float64).astype(kind) * kind.type(step)).astype(kind))
    if out is not None:
        return into(out, name, lambda: made)
    if options.get("requires_grad", False):
        made.requires_grad = True
    return made


@public
def fft_fftshift(input: Tensor, dim: int | Sizes | None = None) -> Tensor:
    """Return the tensor with frequency 0 moved to the middle.

    `input`: any shape. `dim`: the dimensions, all by default.

    >>> import seegrad as torch
    >>> torch.fft.fftshift(torch.fft.fftfreq(4))
    tensor([-0.5000, -0.2500,  0.0000,  0.2500])
    """
    return _shifted(input, dim, lambda size: size // 2)


@public
def fft_ifftshift(input: Tensor, dim: int | Sizes | None = None) -> Tensor:
    """Return what `fftshift` shifted, back in its order.

    `input`: any shape. `dim`: the dimensions, all by default.

    >>> import seegrad as torch
    >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1]))
    tensor([ 0,  1, -2, -1])
    """
    return _shifted(input, dim, lambda size: (size + 1) // 2)


def _shifted(input: Any, dim: Any, amount: Any) -> Any:
    ndim, shape = input._array.ndim, input._array.shape
    dims = range(ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    places = tuple(wrap_dim(one, ndim) for one in dims)
    return op.roll(input, tuple(amount(shape[place]) for place in places), places)
