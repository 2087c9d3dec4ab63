"""Public functions of binary exponents, common divisors and multiples."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.out import into, need_tensor

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["frexp", "gcd", "lcm", "ldexp"]


@public
def frexp(input: Tensor, *, out: Any = None) -> return_types.frexp:
    """Return mantissa and exponent: `input == mantissa * 2 ** exponent`.

    `input`: (...), floating point. Returns a named tuple of the mantissa, from 0.5 to below 1 in
    size, and the int32 exponent, both (...). Raises RuntimeError for other types.

    >>> import seegrad as torch
    >>> torch.frexp(torch.tensor([5.0, -0.25]))
    torch.return_types.frexp(
    mantissa=tensor([ 0.6250, -0.5000]),
    exponent=tensor([ 3, -1], dtype=torch.int32))
    """
    if out is not None:
        return return_types.frexp(into(tuple(out), "frexp", op.frexp, input))
    return return_types.frexp(op.frexp(input))


def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return `input * 2 ** other`, without overflow on the way.

    `input` and `other`: shapes that broadcast; integers become the default float dtype. Returns
    the common shape.

    >>> import seegrad as torch
    >>> torch.ldexp(torch.tensor([1.0, 3.0]), torch.tensor([2, -1]))
    tensor([4.0000, 1.5000])
    """
    return _of_two("ldexp", input, other, out)


def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the greatest common divisor of whole numbers, not negative.

    `input` and `other`: integers of shapes that broadcast. Returns the common shape. Raises
    NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.gcd(torch.tensor([12, 0]), torch.tensor([-18, 5]))
    tensor([6, 5])
    """
    return _of_two("gcd", input, other, out)


def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the least common multiple of whole numbers, not negative; 0 beside 0.

    `input` and `other`: integers of shapes that broadcast. Returns the common shape. Raises
    NotImplementedError for other types.

    >>> import seegrad as torch
    >>> torch.lcm(torch.tensor([4, 0]), torch.tensor([-6, 5]))
    tensor([12,  0])
    """
    return _of_two("lcm", input, other, out)


def _of_two(name: str, input: Any, other: Any, out: Any) -> Any:
    need_tensor(name, "input", 1, input)
    need_tensor(name, "other", 2, other)
    operator = getattr(op, name)
    return operator(input, other) if out is None else into(out, name, operator, input, other)
