"""Public functions between complex and real numbers."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.grids import common_shape
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def conj(input: Tensor) -> Tensor:
    """Return the complex conjugate; a real tensor itself.

    `input`: (...). PyTorch conjugates lazily, here it is done at once: the result is a copy.

    >>> import seegrad as torch
    >>> torch.conj(torch.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    return op.conj(input) if input._array.dtype.kind == "c" else input


@public
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the complex conjugate; a real tensor itself.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.conj_physical(torch.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
    if out is not None:
        return into(out, "conj_physical", op.conj_physical, input)
    return op.conj_physical(input) if input._array.dtype.kind == "c" else input


def resolve_conj(input: Tensor) -> Tensor:
    """Return the tensor itself: nothing here is conjugated lazily.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.resolve_conj(torch.tensor([1 + 2j]).conj())
    tensor([1.-2.j])
    """
    return input


def resolve_neg(input: Tensor) -> Tensor:
    """Return the tensor itself: nothing here is negated lazily.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.resolve_neg(torch.tensor([1 + 2j]).conj().imag)
    tensor([-2.])
    """
    return input


def is_conj(input: Tensor) -> bool:
    """Whether the tensor waits to be conjugated: never, it is done at once.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.is_conj(torch.tensor([1 + 2j]).conj())
    False
    """
    return False


def is_neg(input: Tensor) -> bool:
    """Whether the tensor waits to be negated: never, it is done at once.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.is_neg(torch.tensor([1 + 2j]).conj().imag)
    False
    """
    return False


@public
def real(input: Tensor) -> Tensor:
    """Return the real part, a view; a real tensor itself.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.real(torch.tensor([1 + 2j]))
    tensor([1.])
    """
    if input._array.dtype.kind != "c":
        return input
    return op.select(op.view_as_real(input), input._array.ndim, 0)


@public
def imag(input: Tensor) -> Tensor:
    """Return the imaginary part, a view.

    `input`: (...), complex, else RuntimeError is raised.

    >>> import seegrad as torch
    >>> torch.imag(torch.tensor([1 + 2j]))
    tensor([2.])
    """
    if input._array.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return op.select(op.view_as_real(input), input._array.ndim, 1)


@public
def view_as_real(input: Tensor) -> Tensor:
    """Return a view with real and imaginary part as last dimension.

    `input`: (...), complex, else RuntimeError is raised. Returns (..., 2).

    >>> import seegrad as torch
    >>> torch.view_as_real(torch.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
    return op.view_as_real(input)


@public
def view_as_complex(input: Tensor) -> Tensor:
    """Return a view of pairs in the last dimension as complex numbers.

    `input`: (..., 2), float32 or float64, pairs beside each other in memory, else RuntimeError is
    raised. Returns (...).

    >>> import seegrad as torch
    >>> torch.view_as_complex(torch.tensor([[1.0, 2.0]]))
    tensor([1.+2.j])
    """
    return op.view_as_complex(input)


@public
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return complex numbers with these parts.

    `real` and `imag`: shapes that broadcast, of one floating-point type, else RuntimeError is
    raised.

    >>> import seegrad as torch
    >>> torch.complex(torch.tensor([1.0]), torch.tensor([2.0]))
    tensor([1.+2.j])
    """
    common_shape([real._array.shape, imag._array.shape])
    if out is not None:
        _need_complex(out, real)
        return into(out, "complex", op.complex, real, imag)
    return op.complex(real, imag)


def _need_complex(out: Any, part: Any) -> None:
    """Refuses an `out` that is not the complex type of its parts."""
    if part.dtype.is_floating_point and out.dtype is not part.dtype.to_complex():
        raise RuntimeError(
            f"Expected object of scalar type {part.dtype.to_complex().scalar_name} but got scalar "
            f"type {out.dtype.scalar_name} for argument 'out'"
        )


@public
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return complex numbers with these distances from 0 and angles.

    `abs` and `angle`: shapes that broadcast, of one floating-point type, else RuntimeError is
    raised.

    >>> import seegrad as torch
    >>> torch.polar(torch.tensor([2.0]), torch.tensor([0.0]))
    tensor([2.+0.j])
    """
    common_shape([abs._array.shape, angle._array.shape])
    if out is not None:
        _need_complex(out, abs)
        return into(out, "polar", op.polar, abs, angle)
    return op.polar(abs, angle)


@public
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the angle of complex numbers; of real ones 0, or pi where they are negative.

    `input`: (...).

    >>> import seegrad as torch
    >>> torch.angle(torch.tensor([1j, -1]))
    tensor([1.5708, 3.1416])
    """
    return op.angle(input) if out is None else into(out, "angle", op.angle, input)
