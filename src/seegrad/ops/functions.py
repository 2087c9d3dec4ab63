"""Public elementary functions: exponentials, logarithms, roots, trigonometry.

Every function takes `out=`, a tensor that receives the result when no gradient is recorded.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING

from seegrad.operators.recording import recorded as op
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return e to the power of each element.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.exp(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """
    return op.exp(input) if out is None else into(out, "exp", op.exp, input)


def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return 2 to the power of each element.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.exp2(torch.tensor([0.0, 3.0]))
    tensor([1., 8.])
    """
    return op.exp2(input) if out is None else into(out, "exp2", op.exp2, input)


def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `exp(input) - 1`, exact for small elements.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.expm1(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.7183])
    """
    return op.expm1(input) if out is None else into(out, "expm1", op.expm1, input)


def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the natural logarithm; NaN for negative elements.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.log(torch.tensor([1.0, 10.0]))
    tensor([0.0000, 2.3026])
    """
    return op.log(input) if out is None else into(out, "log", op.log, input)


def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `log(1 + input)`, exact for small elements.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.log1p(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.6931])
    """
    return op.log1p(input) if out is None else into(out, "log1p", op.log1p, input)


def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithm to base 2.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.log2(torch.tensor([1.0, 8.0]))
    tensor([0., 3.])
    """
    return op.log2(input) if out is None else into(out, "log2", op.log2, input)


def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithm to base 10.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.log10(torch.tensor([1.0, 100.0]))
    tensor([0., 2.])
    """
    return op.log10(input) if out is None else into(out, "log10", op.log10, input)


def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the square root; NaN for negative elements.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.sqrt(torch.tensor([4.0, 2.0]))
    tensor([2.0000, 1.4142])
    """
    return op.sqrt(input) if out is None else into(out, "sqrt", op.sqrt, input)


def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return one over the square root.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.rsqrt(torch.tensor([4.0, 2.0]))
    tensor([0.5000, 0.7071])
    """
    return op.rsqrt(input) if out is None else into(out, "rsqrt", op.rsqrt, input)


def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the sine.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.sin(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8415])
    """
    return op.sin(input) if out is None else into(out, "sin", op.sin, input)


def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the cosine.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.cos(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.5403])
    """
    return op.cos(input) if out is None else into(out, "cos", op.cos, input)


def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the tangent.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.tan(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5574])
    """
    return op.tan(input) if out is None else into(out, "tan", op.tan, input)


def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the angle whose sine is input; NaN outside of -1 to 1.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.asin(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5708])
    """
    return op.asin(input) if out is None else into(out, "asin", op.asin, input)


arcsin = asin


def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the angle whose cosine is input; NaN outside of -1 to 1.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.acos(torch.tensor([0.0, 1.0]))
    tensor([1.5708, 0.0000])
    """
    return op.acos(input) if out is None else into(out, "acos", op.acos, input)


arccos = acos


def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the angle whose tangent is input.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.atan(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7854])
    """
    return op.atan(input) if out is None else into(out, "atan", op.atan, input)


arctan = atan


def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the hyperbolic sine.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.sinh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.1752])
    """
    return op.sinh(input) if out is None else into(out, "sinh", op.sinh, input)


def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the hyperbolic cosine.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.cosh(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 1.5431])
    """
    return op.cosh(input) if out is None else into(out, "cosh", op.cosh, input)


def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the hyperbolic tangent.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.tanh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """
    return op.tanh(input) if out is None else into(out, "tanh", op.tanh, input)


def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of the hyperbolic sine.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.asinh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8814])
    """
    return op.asinh(input) if out is None else into(out, "asinh", op.asinh, input)


arcsinh = asinh


def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of the hyperbolic cosine; NaN below 1.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.acosh(torch.tensor([1.0, 2.0]))
    tensor([0.0000, 1.3170])
    """
    return op.acosh(input) if out is None else into(out, "acosh", op.acosh, input)


arccosh = acosh


def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of the hyperbolic tangent.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.atanh(torch.tensor([0.0, 0.5]))
    tensor([0.0000, 0.5493])
    """
    return op.atanh(input) if out is None else into(out, "atanh", op.atanh, input)


arctanh = atanh


def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `1 / (1 + exp(-input))`.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.sigmoid(torch.tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """
    return op.sigmoid(input) if out is None else into(out, "sigmoid", op.sigmoid, input)


expit = sigmoid


def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `sin(pi input) / (pi input)`, and 1 at 0.

    `input`: (...), any dtype; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.sinc(torch.tensor([0.0, 0.5]))
    tensor([1.0000, 0.6366])
    """
    return op.sinc(input) if out is None else into(out, "sinc", op.sinc, input)


def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return degrees as radians.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.deg2rad(torch.tensor([180.0, 90.0]))
    tensor([3.1416, 1.5708])
    """
    return op.deg2rad(input) if out is None else into(out, "deg2rad", op.deg2rad, input)


def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return radians as degrees.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.rad2deg(torch.tensor([0.0, 1.0]))
    tensor([ 0.0000, 57.2958])
    """
    return op.rad2deg(input) if out is None else into(out, "rad2deg", op.rad2deg, input)
