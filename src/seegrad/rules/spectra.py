"""Derivatives of decompositions: QR, eigenvalues, singular values, and what is made of them."""

import math

from seegrad.rules.matrices import (
    Value,
    Xp,
    columns,
    diagonal_of,
    hermitian,
    identity,
    mH,
    on_diagonal,
    rows,
    scale_columns,
    skew,
    solved,
    total,
    triangular,
)
from seegrad.rules.spec import constant, general, linear, not_implemented, without

# QR


def qr_back(
    xp: Xp,
    grads: tuple[Value, Value],
    Q: Value,
    R: Value,
    mode: str,
) -> Value:
    """`(gQ + Q sym(triu(gR R^H - Q^H gQ))) R^-H`; what R has beyond a square is `Q^H A`."""
    of_Q, of_R = grads
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
            "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through "
            "linalg.qr."
        )
    height, width = Q.shape[-2], R.shape[-1]
    if mode == "complete" and height > width:
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    wide = width - min(height, width)
    square = columns(xp, R, width - wide)
    beside = None
    if wide and of_R is not None:
        more = columns(xp, of_R, wide, width - wide)
        beside = Q @ more
        of_Q = total([of_Q, Q @ (columns(xp, R, wide, width - wide) @ mH(xp, more))])
    of_square = None if of_R is None else columns(xp, of_R, width - wide)
    inner = total(
        [
            None if of_square is None else of_square @ mH(xp, square),
            None if of_Q is None else -(mH(xp, Q) @ of_Q),
        ]
    )
    half = (xp.triu(inner) + xp.triu(inner, 1)) * 0.5
    found = total([of_Q, Q @ (half + mH(xp, half))])
    found = triangular(xp, mH(xp, square), found, False, False)
    if not wide:
        return found
    beside = xp.new_zeros(found, (*found.shape[:-1], wide)) if beside is None else beside
    return xp.cat((found, beside), -1)


general(
    "linalg_qr(A, mode='reduced')",
    wide=False,
    holomorphic=False,
    outputs="Q R",
    gradients="Q R",
    A=qr_back,
)


def reflectors(xp: Xp, input: Value, count: int) -> list[Value]:
    """The vectors v of the reflectors as columns (..., m, 1): zeros, a one, then what is saved."""
    below = xp.tril(input, -1)
    ones = on_diagonal(xp, xp.ones_like(columns(xp, xp.select(input, -2, 0), count)))
    missing = input.shape[-2] - count
    if missing:
        ones = xp.cat((ones, xp.new_zeros(input, (*input.shape[:-2], missing, count))), -2)
    vectors = columns(xp, below, count) + ones
    return [columns(xp, vectors, 1, place) for place in range(count)]


def reflected(xp: Xp, v: Value, factor: Value, x: Value) -> Value:
    """`(I - factor v v^H) x`."""
    return x - factor * (v @ (mH(xp, v) @ x))


def product_back(
    xp: Xp, grad: Value, input: Value, tau: Value, other: Value
) -> tuple[Value, Value, Value]:
    """Of `H_1 H_2 ... H_k other`: the gradients of the reflectors, their factors, and `other`.

    With `left = H_{i-1}^H ... H_1^H grad` and `right = H_{i+1} ... other` the gradient of
    `H_i = 1 - tau v v^H` is `left right^H`.
    """
    count = tau.shape[-1]
    if not count:
        return None, None, grad
    vectors = reflectors(xp, input, count)
    factors = [xp.unsqueeze(columns(xp, tau, 1, place), -1) for place in range(count)]
    after = [other]
    for v, factor in zip(reversed(vectors), reversed(factors), strict=True):
        after.append(reflected(xp, v, factor, after[-1]))
    of_vectors, of_factors, left = [], [], grad
    for v, factor, right in zip(vectors, factors, reversed(after[:-1]), strict=True):
        forth, back = left @ (mH(xp, right) @ v), right @ (mH(xp, left) @ v)
        of_factors.append(-(mH(xp, v) @ forth))
        of_vectors.append(-(xp.conj(factor) * forth + factor * back))
        left = reflected(xp, v, xp.conj(factor), left)
    of_input = xp.tril(xp.cat(tuple(of_vectors), -1), -1)
    rest = input.shape[-1] - count
    if rest:
        of_input = xp.cat((of_input, xp.new_zeros(input, (*input.shape[:-1], rest))), -1)
    return of_input, xp.select(xp.cat(tuple(of_factors), -1), -2, 0), left


def first_columns(xp: Xp, input: Value) -> Value:
    """The identity of the shape of `input`."""
    square = on_diagonal(xp, xp.ones_like(xp.select(input, -1, 0)))
    return columns(xp, square, input.shape[-1])


def householder_back(xp: Xp, grad: Value, input: Value, tau: Value, place: int) -> Value:
    """Of the reflectors (0) or of their factors (1)."""
    other = first_columns(xp, input) if tau.shape[-1] else None
    return product_back(xp, grad, input, tau, other)[place]


general(
    "linalg_householder_product(input, tau)",
    wide=False,
    holomorphic=False,
    input=lambda xp, grad, input, tau: householder_back(xp, grad, input, tau, 0),
    tau=lambda xp, grad, input, tau: householder_back(xp, grad, input, tau, 1),
)


def ormqr_back(
    xp: Xp,
    grad: Value,
    self: Value,
    input2: Value,
    input3: Value,
    left: bool,
    transpose: bool,
    place: int,
) -> Value:
    """Of the reflectors (0), of their factors (1).

    `C Q` is `(Q^H C^H)^H`, and `X = Q^H Y` has for Q the gradient of `Q X` turned round: `Y g^H`.
    """
    if not left:
        grad, input3, transpose = mH(xp, grad), mH(xp, input3), not transpose
    if transpose:
        grad, input3 = input3, grad
    return product_back(xp, grad, self, input2, input3)[place]


general(
    "ormqr(self, input2, input3, left=True, transpose=False)",
    wide=False,
    holomorphic=False,
    self=lambda xp, grad, self, input2, input3, left, transpose: ormqr_back(
        xp, grad, self, input2, input3, left, transpose, 0
    ),
    input2=lambda xp, grad, self, input2, input3, left, transpose: ormqr_back(
        xp, grad, self, input2, input3, left, transpose, 1
    ),
    input3=lambda xp, grad, self, input2, left, transpose: xp.ormqr(
        self, input2, grad, left, not transpose
    ),
)

# Eigenvalues and singular values


def gaps_of(xp: Xp, values: Value) -> Value:
    """(..., n, n): `values_j - values_i`, infinite on the diagonal."""
    apart = xp.unsqueeze(values, -2) - xp.unsqueeze(values, -1)
    return apart + on_diagonal(xp, xp.ones_like(values) * math.inf)


def gaps_back(xp: Xp, grad: Value, self: Value, values: Value) -> Value:
    """`-self / gaps^2` summed over the pairs of a value."""
    gaps = gaps_of(xp, values)
    each = -(xp.conj(grad) * self) / (gaps * gaps)
    return xp.sum_dim(each, (-2,), False) - xp.sum_dim(each, (-1,), False)


# `self_ij / (values_j - values_i)`. Where two values agree, a loss that is smooth there has a
# Hermitian numerator, and the quotient a limit; Note [Repeated values] in arrays/repeated.py.
general(
    "over_gaps(self, values, of_values)",
    wide=False,
    holomorphic=False,
    operands="self values of_values",
    self=lambda xp, grad, values: grad / gaps_of(xp, values),
    values=gaps_back,
)
# `values_i + values_j`, and on the diagonal 1 in the place of 0.
linear(
    "pair_sums(self)",
    wide=False,
    self=lambda xp, grad: xp.sum_dim(grad, (-1,), False) + xp.sum_dim(grad, (-2,), False),
)
# The phase of a complex vector is arbitrary: raises where a loss depends on it.
constant("check_phase(self, name)", wide=False)


def eigh_back(
    xp: Xp, grads: tuple[Value, Value], eigenvalues: Value, eigenvectors: Value
) -> Value:
    """`V (diag(gL) + V^H gV / gaps) V^H`, the quotient made Hermitian."""
    of_values, of_vectors = grads
    V = eigenvectors
    if of_vectors is None:
        return scale_columns(xp, V, of_values) @ mH(xp, V)
    inner = mH(xp, V) @ of_vectors
    xp.check_phase(inner, "linalg_eigh_backward")
    of_values = xp.zeros_like(eigenvalues) if of_values is None else of_values
    inner = hermitian(xp, xp.over_gaps(inner, eigenvalues, of_values))
    return V @ (inner + on_diagonal(xp, of_values)) @ mH(xp, V)


general(
    "linalg_eigh(A, UPLO='L')",
    wide=False,
    holomorphic=False,
    outputs="eigenvalues eigenvectors",
    gradients="eigenvalues eigenvectors",
    A=eigh_back,
)
constant("linalg_eigvalsh(A, UPLO='L')", wide=False, operands="A")


def eig_back(xp: Xp, grads: tuple[Value, Value], eigenvalues: Value, eigenvectors: Value) -> Value:
    """`V^-H (diag(gL) + (V^H gV - V^H V Re diag(V^H gV)) / conj(gaps)) V^H`, V of length 1."""
    of_values, of_vectors = grads
    V_H = mH(xp, eigenvectors)
    if of_vectors is None:
        return solved(xp, V_H, on_diagonal(xp, of_values) @ V_H)
    inner = V_H @ of_vectors
    xp.check_phase(inner, "linalg_eig_backward")
    inner = inner - scale_columns(xp, V_H @ eigenvectors, xp.real(diagonal_of(xp, inner)))
    inner = inner - on_diagonal(xp, diagonal_of(xp, inner))
    values = xp.conj(eigenvalues)
    gaps = xp.unsqueeze(values, -2) - xp.unsqueeze(values, -1) + identity(xp, inner)
    inner = inner / gaps
    if of_values is not None:
        inner = inner + on_diagonal(xp, of_values)
    return solved(xp, V_H, inner @ V_H)


general(
    "linalg_eig(A)",
    wide=False,
    holomorphic=False,
    result="other",
    outputs="eigenvalues eigenvectors",
    gradients="eigenvalues eigenvectors",
    A=eig_back,
)
constant("linalg_eigvals(A)", wide=False, operands="A", result="other")


def svd_back(
    xp: Xp, grads: tuple[Value, Value, Value], U: Value, S: Value, Vh: Value, full_matrices: bool
) -> Value:
    """`U (inner + diag(gS)) V^H` and what gU and gV have outside of the spaces of U and V.

    With `P = U^H gU` and `Q = V^H gV`, `inner` is half of
    `skew(P + Q) / (S_j - S_i) + skew(P - Q) / (S_i + S_j)`.
    """
    of_U, of_S, of_Vh = grads
    least = S.shape[-1]
    height, width = U.shape[-2], Vh.shape[-1]
    U, Vh = columns(xp, U, least), rows(xp, Vh, least)
    if of_U is None and of_Vh is None:
        return scale_columns(xp, U, of_S) @ Vh
    zero = xp.new_zeros(U, (*S.shape, least))
    of_U = None if of_U is None else columns(xp, of_U, least)
    of_Vh = None if of_Vh is None else rows(xp, of_Vh, least)
    P = zero if of_U is None else mH(xp, U) @ of_U
    Q = zero if of_Vh is None else Vh @ mH(xp, of_Vh)
    both = P + Q
    xp.check_phase(both, "svd_backward")
    of_S = xp.zeros_like(S) if of_S is None else of_S
    inner = hermitian(xp, xp.over_gaps(both, S, of_S))
    inner = inner + skew(xp, P - Q) / (xp.pair_sums(S) * 2) + on_diagonal(xp, of_S)
    found = U @ inner @ Vh
    if of_U is not None and height > least:
        found = found + scale_columns(xp, of_U - U @ P, 1 / S) @ Vh
    if of_Vh is not None and width > least:
        outside = of_Vh - of_Vh @ mH(xp, Vh) @ Vh
        found = found + scale_columns(xp, U, 1 / S) @ outside
    return found


general(
    "linalg_svd(A, full_matrices=True)",
    wide=False,
    holomorphic=False,
    outputs="U S Vh",
    gradients="U S Vh",
    A=svd_back,
)
constant("linalg_svdvals(A)", wide=False, operands="A")
constant("matrix_ranks(self, atol, rtol, hermitian=False)", wide=False)

# Pseudo-inverses and least squares


def pinv_back(xp: Xp, grad: Value, self: Value, result: Value) -> Value:
    """`-X^H g X^H + (g^H - A X g^H) X X^H + X^H X (g^H - g^H X A)` with X the pseudo-inverse."""
    X, X_H, g_H = result, mH(xp, result), mH(xp, grad)
    beside = (g_H - self @ (X @ g_H)) @ X @ X_H
    below = X_H @ X @ (g_H - (g_H @ X) @ self)
    return beside + below - X_H @ grad @ X_H


general(
    "linalg_pinv(self, atol, rtol, hermitian=False)",
    wide=False,
    holomorphic=False,
    self=pinv_back,
)


def lstsq_columns(xp: Xp, x: Value, is_vector: bool) -> Value:
    """Right-hand sides as matrices."""
    return xp.unsqueeze(x, -1) if is_vector and x is not None else x


def lstsq_parts(
    xp: Xp, grads: tuple[Value, Value], self: Value, b: Value, solution: Value
) -> tuple[Value, Value, bool, Value, Value]:
    """The pseudo-inverse, b as matrices, whether it was none, `gX`, and `2 (A X - b) diag(g)`."""
    of_X, of_residuals = grads
    is_vector = self.ndim - 1 == b.ndim
    b, X = lstsq_columns(xp, b, is_vector), lstsq_columns(xp, solution, is_vector)
    of_X = lstsq_columns(xp, of_X, is_vector)
    rest = None
    if of_residuals is not None and of_residuals.shape != (0,):
        rest = scale_columns(xp, self @ X - b, of_residuals * 2)
    return xp.linalg_pinv(self, 0.0, None, False), b, is_vector, of_X, rest


def lstsq_factor(
    xp: Xp, grads: tuple[Value, Value], self: Value, b: Value, solution: Value
) -> Value:
    """Of the pseudo-inverse in `X = A^+ b`; the residuals change with A alone, X being best."""
    inverse, sides, is_vector, of_X, rest = lstsq_parts(xp, grads, self, b, solution)
    X = lstsq_columns(xp, solution, is_vector)
    through = None if of_X is None else pinv_back(xp, of_X @ mH(xp, sides), self, inverse)
    return total([through, None if rest is None else rest @ mH(xp, X)])


def lstsq_right(
    xp: Xp, grads: tuple[Value, Value], self: Value, b: Value, solution: Value
) -> Value:
    """`(A^+)^H gX`, and the residuals' `-2 (A X - b)`."""
    inverse, _, is_vector, of_X, rest = lstsq_parts(xp, grads, self, b, solution)
    through = None if of_X is None else mH(xp, inverse) @ of_X
    found = total([through, None if rest is None else -rest])
    return found if found is None or not is_vector else xp.select(found, -1, 0)


general(
    "linalg_lstsq(self, b, rcond, driver)",
    wide=False,
    holomorphic=False,
    outputs="solution residuals rank singular_values",
    gradients="solution residuals",
    self=lstsq_factor,
    b=lstsq_right,
)

# Exponentials


def exp_back(xp: Xp, grad: Value, self: Value) -> Value:
    """The derivative at A^T towards g: the upper right block of exp([[A^T, g], [0, A^T]])."""
    size, turned = self.shape[-1], self.mT
    upper = xp.cat((turned, grad), -1)
    lower = xp.cat((xp.zeros_like(turned), turned), -1)
    whole = xp.linalg_matrix_exp(xp.cat((upper, lower), -2))
    return columns(xp, rows(xp, whole, size), size, size)


general("linalg_matrix_exp(self)", self=exp_back)

# PyTorch does not differentiate these.

general(
    "geqrf(self)",
    wide=False,
    outputs="a tau",
    gradients="a tau",
    self=without("geqrf"),
)
general(
    "linalg_ldl_factor_ex(self, hermitian=False, check_errors=False)",
    node="NotImplemented",
    wide=False,
    outputs="LD pivots info",
    self=not_implemented("linalg_ldl_factor_ex"),
)
general(
    "linalg_ldl_solve(LD, pivots, B, hermitian=False)",
    node="NotImplemented",
    wide=False,
    operands="LD pivots B",
    LD=not_implemented("linalg_ldl_solve"),
    B=not_implemented("linalg_ldl_solve"),
)
