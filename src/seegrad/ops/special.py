"""Public special functions, and functions of two tensors.

Every function takes `out=`, a tensor that receives the result when no gradient is recorded.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING

from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.out import into, need_tensors

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the error function.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.erf(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8427])
    """
    return op.erf(input) if out is None else into(out, "erf", op.erf, input)


def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `1 - erf(input)`, exact where that is small.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.erfc(torch.tensor([0.0, 3.0]))
    tensor([1.0000e+00, 2.2090e-05])
    """
    return op.erfc(input) if out is None else into(out, "erfc", op.erfc, input)


def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of the error function.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.erfinv(torch.tensor([0.0, 0.5]))
    tensor([0.0000, 0.4769])
    """
    return op.erfinv(input) if out is None else into(out, "erfinv", op.erfinv, input)


def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithm of the absolute value of the gamma function.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.lgamma(torch.tensor([1.0, 5.0]))
    tensor([0.0000, 3.1781])
    """
    return op.lgamma(input) if out is None else into(out, "lgamma", op.lgamma, input)


gammaln = lgamma


def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithmic derivative of the gamma function.

    `input`: (...), real; integers and bools become the default float dtype. Returns (...).

    >>> import seegrad as torch
    >>> torch.digamma(torch.tensor([1.0, 5.0]))
    tensor([-0.5772,  1.5061])
    """
    return op.digamma(input) if out is None else into(out, "digamma", op.digamma, input)


psi = digamma


@public
def logit(input: Tensor, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of the sigmoid.

    `input`: (...), real; integers and bools become the default float dtype. With `eps`, input is
    held within eps and 1 - eps. Returns (...).

    >>> import seegrad as torch
    >>> torch.logit(torch.tensor([0.5, 0.9]))
    tensor([0.0000, 2.1972])
    """
    return op.logit(input, eps) if out is None else into(out, "logit", op.logit, input, eps)


def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the n-th derivative of digamma; n comes first.

    `n`: the order. `input`: (...), real; integers and bools become the default float dtype.
    Returns (...). Raises RuntimeError for a negative n.

    >>> import seegrad as torch
    >>> torch.polygamma(1, torch.tensor([1.0, 0.5]))
    tensor([1.6449, 4.9348])
    """
    if out is not None:
        return into(out, "polygamma", op.polygamma, n, input)
    return op.polygamma(n, input)


def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the angle of the point (other, input) in the plane.

    `input` and `other`: shapes that broadcast, real, any dtype. Returns the common shape.
    Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.atan2(torch.tensor([1.0, -1.0]), torch.tensor([1.0, 0.0]))
    tensor([ 0.7854, -1.5708])
    """
    need_tensors("atan2", input, other)
    if out is not None:
        return into(out, "atan2", op.atan2, input, other)
    return op.atan2(input, other)


arctan2 = atan2


def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the length of the hypotenuse, without overflow.

    `input` and `other`: shapes that broadcast, floating point. Returns the common shape.
    Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.hypot(torch.tensor([3.0]), torch.tensor([4.0]))
    tensor([5.])
    """
    need_tensors("hypot", input, other)
    if out is not None:
        return into(out, "hypot", op.hypot, input, other)
    return op.hypot(input, other)


def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `log(exp(input) + exp(other))` without overflow.

    `input` and `other`: shapes that broadcast, floating point. Returns the common shape.
    Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.logaddexp(torch.tensor([0.0]), torch.tensor([1000.0]))
    tensor([1000.])
    """
    need_tensors("logaddexp", input, other)
    if out is not None:
        return into(out, "logaddexp", op.logaddexp, input, other)
    return op.logaddexp(input, other)


def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `log2(2 ** input + 2 ** other)` without overflow.

    `input` and `other`: shapes that broadcast, floating point. Returns the common shape.
    Raises TypeError where other is no tensor.

    >>> import seegrad as torch
    >>> torch.logaddexp2(torch.tensor([1.0]), torch.tensor([1.0]))
    tensor([2.])
    """
    need_tensors("logaddexp2", input, other)
    if out is not None:
        return into(out, "logaddexp2", op.logaddexp2, input, other)
    return op.logaddexp2(input, other)


def xlogy(input: Tensor | float, other: Tensor | float, *, out: Tensor | None = None) -> Tensor:
    """Return `input * log(other)`, and 0 where input is 0.

    `input` and `other`: real tensors of shapes that broadcast, or one of them a number.
    Returns the common shape.

    >>> import seegrad as torch
    >>> torch.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 3.0]))
    tensor([0.0000, 2.1972])
    """
    if out is not None:
        return into(out, "xlogy", xlogy, input, other)
    if not isinstance(other, TensorBase):
        return op.xlogy_other(input, other)
    return op.xlogy(input, other) if isinstance(input, TensorBase) else op.xlogy_self(input, other)


def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the next representable number after each element, towards `other`.

    Args:
        input: (...), floating point.
        other: (...), floating point, broadcast with `input`.
        out: where to write the result.

    Returns:
        (...).

    >>> import seegrad as torch
    >>> one = torch.tensor([1.0], dtype=torch.float64)
    >>> (torch.nextafter(one, one + 1) - 1).item() == torch.finfo(torch.float64).eps
    True
    """
    need_tensors("nextafter", input, other)
    if out is not None:
        return into(out, "nextafter", op.nextafter, input, other)
    return op.nextafter(input, other)
