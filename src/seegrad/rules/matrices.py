"""What the derivatives of decompositions are made of; the shapes are those of batches."""

from typing import Any

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def mH(xp: Xp, x: Value) -> Value:
    """The conjugate transpose of each matrix."""
    return xp.conj(x).mT


def skew(xp: Xp, x: Value) -> Value:
    """`x - x^H`."""
    return x - mH(xp, x)


def hermitian(xp: Xp, x: Value) -> Value:
    """The Hermitian part."""
    return (x + mH(xp, x)) * 0.5


def diagonal_of(xp: Xp, x: Value) -> Value:
    """(..., n, m) to (..., min(n, m))."""
    return xp.diagonal(x, 0, -2, -1)


def on_diagonal(xp: Xp, x: Value) -> Value:
    """(..., n) to (..., n, n)."""
    return xp.diag_embed(x, 0, -2, -1)


def identity(xp: Xp, x: Value) -> Value:
    """The identity of the shape of square matrices."""
    return on_diagonal(xp, xp.ones_like(diagonal_of(xp, x)))


def rows(xp: Xp, x: Value, count: int, start: int = 0) -> Value:
    """Some of the rows."""
    return xp.slice(x, -2, start, start + count)


def columns(xp: Xp, x: Value, count: int, start: int = 0) -> Value:
    """Some of the columns."""
    return xp.slice(x, -1, start, start + count)


def scale_columns(xp: Xp, x: Value, factors: Value) -> Value:
    """`x diag(factors)`."""
    return x * xp.unsqueeze(factors, -2)


def total(terms: list[Value]) -> Value:
    """The sum of those that are there; None without any."""
    found = [term for term in terms if term is not None]
    if not found:
        return None
    result = found[0]
    for term in found[1:]:
        result = result + term
    return result


def solved(xp: Xp, A: Value, B: Value, left: bool = True) -> Value:
    """X of `A X = B`, or of `X A = B`."""
    return xp.linalg_solve_ex(A, B, left, False)[0]


def triangular(xp: Xp, A: Value, B: Value, upper: bool, left: bool = True) -> Value:
    """The same for a triangular A."""
    return xp.linalg_solve_triangular(A, B, upper, left, False)
