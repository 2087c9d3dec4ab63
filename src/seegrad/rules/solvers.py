"""Derivatives of linear systems: determinants, inverses, triangular, LU and Cholesky factors."""

from seegrad.arrays.solvers import is_vector
from seegrad.rules.matrices import (
    Value,
    Xp,
    columns,
    diagonal_of,
    identity,
    mH,
    rows,
    solved,
    total,
    triangular,
)
from seegrad.rules.spec import constant, general, linear

# Determinants


def adjugate(xp: Xp, A: Value) -> Value:
    """`det(A) A^-1`, which is a polynomial: for singular A too, and so are its derivatives.

    With constants `left` (n, k) and `right` (k, n) that make `M = A + left right` regular,

        det(A) = det(M) det(small),   small = 1 - right M^-1 left,   (k, k)

    whose derivative needs no inverse but that of M. k is 0 unless A is (nearly) singular.
    """
    left, right = xp.det_shift(A)
    regular = A + left @ right
    inverse = xp.linalg_inv_ex(regular, False)[0]
    det, small_adjugate = expanded(xp, identity(xp, right @ left) - right @ inverse @ left)
    around = inverse @ left @ small_adjugate @ right @ inverse
    whole = as_matrix(xp, xp.linalg_det(regular))
    return whole * (inverse if det is None else as_matrix(xp, det) * inverse + around)


def as_matrix(xp: Xp, x: Value) -> Value:
    """(...) to (..., 1, 1)."""
    return xp.unsqueeze(xp.unsqueeze(x, -1), -1)


def expanded(xp: Xp, K: Value) -> tuple[Value, Value]:
    """Determinant and adjugate of a small matrix by Faddeev and LeVerrier: sums and products.

    The determinant is None for a matrix of size 0.
    """
    size, eye = K.shape[-1], identity(xp, K)
    product, det, sign = eye, None, 1
    for step in range(1, size + 1):
        trace = xp.sum_dim(diagonal_of(xp, K @ product), (-1,), False) / step
        det = trace * sign
        if step < size:
            product, sign = K @ product - as_matrix(xp, trace) * eye, -sign
    return det, product * sign


def slogdet_back(xp: Xp, grads: tuple[Value, Value], A: Value, sign: Value) -> Value:
    """`grad A^-H`; a complex sign turns with the imaginary part of the trace of `A^-1 dA`."""
    of_sign, of_log = grads
    turning = None
    if of_sign is not None:
        product = xp.conj(of_sign) * sign
        turning = (xp.conj(product) - product) * 0.5
    inverse = mH(xp, xp.linalg_inv_ex(A, False)[0])
    return as_matrix(xp, total([of_log, turning])) * inverse


constant("det_shift(A)", operands="A", outputs="left right", wide=False)
general(
    "linalg_det(A)",
    wide=False,
    A=lambda xp, grad, A: as_matrix(xp, grad) * adjugate(xp, A).mT,
)
general(
    "linalg_slogdet(A)",
    holomorphic=False,
    wide=False,
    outputs="sign logabsdet",
    gradients="sign logabsdet",
    A=slogdet_back,
)

# Inverses and systems

general(
    "linalg_inv_ex(A, check_errors=False)",
    wide=False,
    outputs="inverse info",
    A=lambda xp, grad, inverse: -(inverse.mT @ grad @ inverse.mT),
)


def solve_right(xp: Xp, grad: Value, A: Value, B_shape: tuple[int, ...], left: bool) -> Value:
    """`A^-T grad`."""
    if is_vector(A.shape, B_shape):
        return xp.select(solved(xp, A.mT, xp.unsqueeze(grad, -1)), -1, 0)
    return solved(xp, A.mT, grad, left)


def solve_factor(
    xp: Xp,
    grad: Value,
    A: Value,
    B_shape: tuple[int, ...],
    result: Value,
    left: bool,
) -> Value:
    """`-A^-T grad X^T`."""
    if is_vector(A.shape, B_shape):
        grad, result = xp.unsqueeze(grad, -1), xp.unsqueeze(result, -1)
    of_B = solved(xp, A.mT, grad, left)
    return -(of_B @ result.mT if left else result.mT @ of_B)


general(
    "linalg_solve_ex(A, B, left=True, check_errors=False)",
    wide=False,
    outputs="result info",
    A=solve_factor,
    B=solve_right,
)


def triangle(xp: Xp, x: Value, upper: bool, unitriangular: bool) -> Value:
    """The triangle that counts; without its diagonal where that is taken for ones."""
    return xp.triu(x, int(unitriangular)) if upper else xp.tril(x, -int(unitriangular))


def triangular_right(
    xp: Xp, grad: Value, self: Value, upper: bool, left: bool, unitriangular: bool
) -> Value:
    """`A^-T grad`."""
    return xp.linalg_solve_triangular(self.mT, grad, not upper, left, unitriangular)


def triangular_factor(
    xp: Xp,
    grad: Value,
    self: Value,
    result: Value,
    upper: bool,
    left: bool,
    unitriangular: bool,
) -> Value:
    """`-A^-T grad X^T`, in the triangle."""
    of_B = triangular_right(xp, grad, self, upper, left, unitriangular)
    product = of_B @ result.mT if left else result.mT @ of_B
    return -triangle(xp, product, upper, unitriangular)


general(
    "linalg_solve_triangular(self, B, upper, left=True, unitriangular=False)",
    wide=False,
    self=triangular_factor,
    B=triangular_right,
)


def old_triangular_right(
    xp: Xp,
    grads: tuple[Value, Value],
    A: Value,
    upper: bool,
    transpose: bool,
    unitriangular: bool,
) -> Value:
    """`A^-T grad`, with A first transposed where that was asked for."""
    if grads[0] is None:
        return None
    return xp.triangular_solve(grads[0], A, upper, not transpose, unitriangular)[0]


def old_triangular_factor(
    xp: Xp,
    grads: tuple[Value, Value],
    A: Value,
    solution: Value,
    upper: bool,
    transpose: bool,
    unitriangular: bool,
) -> Value:
    """`-A^-T grad X^T` in the triangle, and what the copy of A is used for."""
    of_B = old_triangular_right(xp, grads, A, upper, transpose, unitriangular)
    of_A = None
    if of_B is not None:
        product = solution @ of_B.mT if transpose else of_B @ solution.mT
        of_A = -triangle(xp, product, upper, unitriangular)
    return total([of_A, grads[1]])


general(
    "triangular_solve(self, A, upper=True, transpose=False, unitriangular=False)",
    wide=False,
    outputs="solution cloned_coefficient",
    gradients="solution cloned_coefficient",
    self=old_triangular_right,
    A=old_triangular_factor,
)

# LU


def lu_back(xp: Xp, of_L: Value, of_U: Value, P: Value, L: Value, U: Value) -> Value:
    """The gradient of A in `A = P L U`, of (m, n) and of any rank that its factors show.

    For a square A, `P L^-H (tril(L^H gL, -1) + triu(gU U^H)) U^-H`. What a wide U or a tall L has
    beyond that is `L^-1 A` or `A U^-1`, whose gradients come first.
    """
    least = min(L.shape[-2], U.shape[-1])
    wide, tall = U.shape[-1] - least, L.shape[-2] - least
    square_L, square_U = rows(xp, L, least), columns(xp, U, least)
    inner_L = mH(xp, square_L) @ rows(xp, of_L, least)
    inner_U = columns(xp, of_U, least) @ mH(xp, square_U)
    if wide:
        more = columns(xp, of_U, wide, least)
        inner_L = inner_L - more @ mH(xp, columns(xp, U, wide, least))
    if tall:
        more = rows(xp, of_L, tall, least)
        inner_U = inner_U - mH(xp, rows(xp, L, tall, least)) @ more
    inner = xp.tril(inner_L, -1) + xp.triu(inner_U)
    L_H, U_H = mH(xp, square_L), mH(xp, square_U)
    found = triangular(xp, U_H, triangular(xp, L_H, inner, True), False, False)
    if wide:
        beside = triangular(xp, L_H, columns(xp, of_U, wide, least), True)
        found = xp.cat((found, beside), -1)
    if tall:
        below = triangular(xp, U_H, rows(xp, of_L, tall, least), False, False)
        found = xp.cat((found, below), -2)
    return P @ found


def factors_back(xp: Xp, grad: Value, LU: Value, pivots: Value) -> Value:
    """Of both factors in one matrix."""
    P, L, U = xp.lu_unpack(LU, pivots, True, True)
    least = min(LU.shape[-2:])
    of_L, of_U = xp.tril(columns(xp, grad, least), -1), xp.triu(rows(xp, grad, least))
    return lu_back(xp, of_L, of_U, P, L, U)


general(
    "linalg_lu_factor_ex(A, pivot=True, check_errors=False)",
    wide=False,
    holomorphic=False,
    outputs="LU pivots info",
    A=factors_back,
)


def three_factors_back(xp: Xp, grads: tuple[Value, Value], P: Value, L: Value, U: Value) -> Value:
    """Of L and U, those that were used; the ones and zeros of L do not count."""
    of_L, of_U = grads
    of_L = xp.zeros_like(L) if of_L is None else xp.tril(of_L, -1)
    of_U = xp.zeros_like(U) if of_U is None else of_U
    return lu_back(xp, of_L, of_U, P, L, U)


general(
    "linalg_lu(A, pivot=True)",
    wide=False,
    holomorphic=False,
    outputs="P L U",
    gradients="L U",
    A=three_factors_back,
)


def unpack_back(xp: Xp, grads: tuple[Value, Value], LU_data_shape: tuple[int, ...]) -> Value:
    """The strict triangle of L and the triangle of U in one matrix, zeros where one is wider."""
    of_L, of_U = grads
    height, width = LU_data_shape[-2:]
    if of_L is not None:
        of_L = xp.tril(of_L, -1)
        if width > height:
            beside = (*LU_data_shape[:-1], width - height)
            of_L = xp.cat((of_L, xp.new_zeros(of_L, beside)), -1)
    if of_U is not None:
        of_U = xp.triu(of_U)
        if height > width:
            below = (*LU_data_shape[:-2], height - width, width)
            of_U = xp.cat((of_U, xp.new_zeros(of_U, below)), -2)
    return total([of_L, of_U])


linear(
    "lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True)",
    wide=False,
    operands="LU_data LU_pivots",
    outputs="P L U",
    gradients="L U",
    LU_data=unpack_back,
)


def lu_solve_right(
    xp: Xp, grad: Value, LU: Value, pivots: Value, left: bool, adjoint: bool
) -> Value:
    """The solution of the adjoint system."""
    return xp.linalg_lu_solve(LU, pivots, grad, left, not adjoint)


def lu_solve_factors(
    xp: Xp, grad: Value, LU: Value, pivots: Value, result: Value, left: bool, adjoint: bool
) -> Value:
    """Of A first, `-(A^-H grad) X^H`, then of `A = P L U`."""
    of_B = lu_solve_right(xp, grad, LU, pivots, left, adjoint)
    of_A = of_B @ mH(xp, result) if left else mH(xp, result) @ of_B
    of_A = -(mH(xp, of_A) if adjoint else of_A)
    P, L, U = xp.lu_unpack(LU, pivots, True, True)
    exchanged = mH(xp, P) @ of_A
    return xp.tril(exchanged @ mH(xp, U), -1) + xp.triu(mH(xp, L) @ exchanged)


general(
    "linalg_lu_solve(LU, pivots, B, left=True, adjoint=False)",
    wide=False,
    holomorphic=False,
    operands="LU pivots B",
    LU=lu_solve_factors,
    B=lu_solve_right,
)

# Cholesky


def cholesky_back(xp: Xp, grad: Value, L: Value, upper: bool) -> Value:
    """`L^-H inner L^-1`, with half of the lower triangle of `L^H gL` below and mirrored above."""
    if upper:
        grad, L = mH(xp, grad), mH(xp, L)
    inner = mH(xp, L) @ grad
    inner = (xp.tril(inner) + mH(xp, xp.tril(inner, -1))) * 0.5
    return triangular(xp, L, triangular(xp, mH(xp, L), inner, True), False, False)


general(
    "linalg_cholesky_ex(A, upper=False, check_errors=False)",
    wide=False,
    holomorphic=False,
    outputs="L info",
    A=cholesky_back,
)
general(
    "cholesky(self, upper=False)",
    wide=False,
    holomorphic=False,
    self=lambda xp, grad, result, upper: cholesky_back(xp, grad, result, upper),
)


def of_factor(xp: Xp, of_A: Value, factor: Value, upper: bool) -> Value:
    """From `A = L L^H`, or `U^H U`, to its factor."""
    both = of_A + mH(xp, of_A)
    return factor @ both if upper else both @ factor


general(
    "cholesky_solve(self, input2, upper=False)",
    wide=False,
    holomorphic=False,
    self=lambda xp, grad, input2, upper: xp.cholesky_solve(grad, input2, upper),
    input2=lambda xp, grad, input2, result, upper: of_factor(
        xp, -(xp.cholesky_solve(grad, input2, upper) @ mH(xp, result)), input2, upper
    ),
)
general(
    "cholesky_inverse(self, upper=False)",
    wide=False,
    holomorphic=False,
    self=lambda xp, grad, self, result, upper: of_factor(
        xp, -(result @ grad @ result), self, upper
    ),
)
