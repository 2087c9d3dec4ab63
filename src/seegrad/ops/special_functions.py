"""Public functions of `torch.special`: Bessel functions, the normal distribution, polynomials.

Real tensors of any shape; integers and bools become the default float dtype. Every function takes
`out=`, a tensor that receives the result when no gradient is recorded. Bessel functions of the
second block and polynomials have no derivative, as in PyTorch.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import float32
from seegrad.arrays.refusals import need_kind
from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.differences import floating
from seegrad.ops.out import into, need_one_tensor, need_tensors

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

# What `torch` itself shows of them; the rest stands in `torch.special`.
__all__ = ["i0", "igamma", "igammac", "mvlgamma"]

Number = float | int | bool


def _one(name: str, sentence: str, example: str) -> Any:
    """A function of one tensor, with its docstring."""
    operator = getattr(op, name)

    def function(input: Tensor, *, out: Tensor | None = None) -> Tensor:
        return operator(input) if out is None else into(out, name, operator, input)

    return _described(function, name, sentence, "`input`: (...). Returns (...).", example)


def _polynomial(name: str, sentence: str, example: str) -> Any:
    """A function of points and degrees, with its docstring."""
    operator = getattr(op, name)

    def function(
        input: Number | Tensor, n: Tensor | Number, *, out: Tensor | None = None
    ) -> Tensor:
        need_one_tensor(name, input, n)
        return operator(input, n) if out is None else into(out, name, operator, input, n)

    arguments = (
        "`input` and `n`: shapes that broadcast, or one of them a number. 0 for degrees below 0."
    )
    return _described(function, name, sentence, arguments, example)


def _fitting(name: str, first: Any, second: Any) -> Any:
    """The operator for two tensors, or for a number in the first or second place."""
    which = "" if isinstance(second, TensorBase) else "_other"
    return getattr(op, name + (which if isinstance(first, TensorBase) else "_self"))


def _described(function: Any, name: str, sentence: str, arguments: str, example: str) -> Any:
    call, _, shown = example.partition(" -> ")
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"""Return {sentence}.\n\n{arguments}\n\n>>> import seegrad as torch\n"""
        f""">>> {call}\n{shown}\n"""
    )
    return public(function)


i0 = _one(
    "i0",
    "the modified Bessel function of the first kind and order 0",
    "torch.special.i0(torch.tensor([0.0, 0.5])) -> tensor([1.0000, 1.0635])",
)
special_i0e = _one(
    "special_i0e",
    "`exp(-|input|) i0(input)`, which does not overflow",
    "torch.special.i0e(torch.tensor([0.0, 0.5])) -> tensor([1.0000, 0.6450])",
)
special_i1 = _one(
    "special_i1",
    "the modified Bessel function of the first kind and order 1",
    "torch.special.i1(torch.tensor([0.0, 0.5])) -> tensor([0.0000, 0.2579])",
)
special_i1e = _one(
    "special_i1e",
    "`exp(-|input|) i1(input)`, which does not overflow",
    "torch.special.i1e(torch.tensor([0.0, 0.5])) -> tensor([0.0000, 0.1564])",
)
special_ndtri = _one(
    "special_ndtri",
    "the inverse of `ndtr`, the quantile of the normal distribution",
    "torch.special.ndtri(torch.tensor([0.25])) -> tensor([-0.6745])",
)
special_log_ndtr = _one(
    "special_log_ndtr",
    "the logarithm of `ndtr`, exact far to the left",
    "torch.special.log_ndtr(torch.tensor([0.0, -10.0])) -> tensor([ -0.6931, -53.2313])",
)
special_entr = _one(
    "special_entr",
    "`-input * log(input)`, 0 at 0 and -inf below",
    "torch.special.entr(torch.tensor([0.0, 0.5])) -> tensor([0.0000, 0.3466])",
)
special_erfcx = _one(
    "special_erfcx",
    "`exp(input ** 2) * erfc(input)`, which does not underflow",
    "torch.special.erfcx(torch.tensor([0.0, 10.0])) -> tensor([1.0000, 0.0561])",
)
special_bessel_j0 = _one(
    "special_bessel_j0",
    "the Bessel function of the first kind and order 0",
    "torch.special.bessel_j0(torch.tensor([0.0, 1.0])) -> tensor([1.0000, 0.7652])",
)
special_bessel_j1 = _one(
    "special_bessel_j1",
    "the Bessel function of the first kind and order 1",
    "torch.special.bessel_j1(torch.tensor([0.0, 1.0])) -> tensor([0.0000, 0.4401])",
)
special_bessel_y0 = _one(
    "special_bessel_y0",
    "the Bessel function of the second kind and order 0",
    "torch.special.bessel_y0(torch.tensor([1.0])) -> tensor([0.0883])",
)
special_bessel_y1 = _one(
    "special_bessel_y1",
    "the Bessel function of the second kind and order 1",
    "torch.special.bessel_y1(torch.tensor([1.0])) -> tensor([-0.7812])",
)
special_modified_bessel_i0 = _one(
    "special_modified_bessel_i0",
    "the modified Bessel function of the first kind and order 0",
    "torch.special.modified_bessel_i0(torch.tensor([0.0, 1.0])) -> tensor([1.0000, 1.2661])",
)
special_modified_bessel_i1 = _one(
    "special_modified_bessel_i1",
    "the modified Bessel function of the first kind and order 1",
    "torch.special.modified_bessel_i1(torch.tensor([0.0, 1.0])) -> tensor([0.0000, 0.5652])",
)
special_modified_bessel_k0 = _one(
    "special_modified_bessel_k0",
    "the modified Bessel function of the second kind and order 0",
    "torch.special.modified_bessel_k0(torch.tensor([1.0])) -> tensor([0.4210])",
)
special_modified_bessel_k1 = _one(
    "special_modified_bessel_k1",
    "the modified Bessel function of the second kind and order 1",
    "torch.special.modified_bessel_k1(torch.tensor([1.0])) -> tensor([0.6019])",
)
special_scaled_modified_bessel_k0 = _one(
    "special_scaled_modified_bessel_k0",
    "`exp(input) * modified_bessel_k0(input)`",
    "torch.special.scaled_modified_bessel_k0(torch.tensor([1.0])) -> tensor([1.1445])",
)
special_scaled_modified_bessel_k1 = _one(
    "special_scaled_modified_bessel_k1",
    "`exp(input) * modified_bessel_k1(input)`",
    "torch.special.scaled_modified_bessel_k1(torch.tensor([1.0])) -> tensor([1.6362])",
)
special_airy_ai = _one(
    "special_airy_ai",
    "Airy's function Ai",
    "torch.special.airy_ai(torch.tensor([0.0, 1.0])) -> tensor([0.3550, 0.1353])",
)
special_spherical_bessel_j0 = _one(
    "special_spherical_bessel_j0",
    "the spherical Bessel function of order 0, `sin(input) / input`",
    "torch.special.spherical_bessel_j0(torch.tensor([0.0, 1.0])) -> tensor([1.0000, 0.8415])",
)
special_chebyshev_polynomial_t = _polynomial(
    "special_chebyshev_polynomial_t",
    "the Chebyshev polynomial T of degree n",
    "torch.special.chebyshev_polynomial_t(torch.tensor([0.5]), 3) -> tensor([-1.])",
)
special_chebyshev_polynomial_u = _polynomial(
    "special_chebyshev_polynomial_u",
    "the Chebyshev polynomial U of degree n",
    "torch.special.chebyshev_polynomial_u(torch.tensor([0.5]), 3) -> tensor([-1.])",
)
special_chebyshev_polynomial_v = _polynomial(
    "special_chebyshev_polynomial_v",
    "the Chebyshev polynomial V of degree n",
    "torch.special.chebyshev_polynomial_v(torch.tensor([0.5]), 3) -> tensor([-1.])",
)
special_chebyshev_polynomial_w = _polynomial(
    "special_chebyshev_polynomial_w",
    "the Chebyshev polynomial W of degree n",
    "torch.special.chebyshev_polynomial_w(torch.tensor([0.5]), 3) -> tensor([-1.])",
)
special_shifted_chebyshev_polynomial_t = _polynomial(
    "special_shifted_chebyshev_polynomial_t",
    "the shifted Chebyshev polynomial T of degree n",
    "torch.special.shifted_chebyshev_polynomial_t(torch.tensor([0.5]), 3) -> tensor([-0.])",
)
special_shifted_chebyshev_polynomial_u = _polynomial(
    "special_shifted_chebyshev_polynomial_u",
    "the shifted Chebyshev polynomial U of degree n",
    "torch.special.shifted_chebyshev_polynomial_u(torch.tensor([0.5]), 3) -> tensor([-0.])",
)
special_shifted_chebyshev_polynomial_v = _polynomial(
    "special_shifted_chebyshev_polynomial_v",
    "the shifted Chebyshev polynomial V of degree n",
    "torch.special.shifted_chebyshev_polynomial_v(torch.tensor([0.5]), 3) -> tensor([1.])",
)
special_shifted_chebyshev_polynomial_w = _polynomial(
    "special_shifted_chebyshev_polynomial_w",
    "the shifted Chebyshev polynomial W of degree n",
    "torch.special.shifted_chebyshev_polynomial_w(torch.tensor([0.5]), 3) -> tensor([-1.])",
)
special_hermite_polynomial_h = _polynomial(
    "special_hermite_polynomial_h",
    "the physicist's Hermite polynomial of degree n",
    "torch.special.hermite_polynomial_h(torch.tensor([0.5]), 3) -> tensor([-5.])",
)
special_hermite_polynomial_he = _polynomial(
    "special_hermite_polynomial_he",
    "the probabilist's Hermite polynomial of degree n",
    "torch.special.hermite_polynomial_he(torch.tensor([0.5]), 3) -> tensor([-1.3750])",
)
special_laguerre_polynomial_l = _polynomial(
    "special_laguerre_polynomial_l",
    "the Laguerre polynomial of degree n",
    "torch.special.laguerre_polynomial_l(torch.tensor([0.5]), 3) -> tensor([-0.1458])",
)
special_legendre_polynomial_p = _polynomial(
    "special_legendre_polynomial_p",
    "the Legendre polynomial of degree n",
    "torch.special.legendre_polynomial_p(torch.tensor([0.5]), 3) -> tensor([-0.4375])",
)


@public
def special_ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the distribution function of the standard normal distribution.

    `input`: (...). Returns (...), exact far to the left too.

    >>> import seegrad as torch
    >>> torch.special.ndtr(torch.tensor([0.0, 1.0]))
    tensor([0.5000, 0.8413])
    """
    if out is not None:
        return into(out, "special_ndtr", special_ndtr, input)
    need_kind(input._array.dtype, "erf_vml_cpu", "c")
    is_half = input.dtype.is_floating_point and input.dtype.itemsize == 2
    wide = op.to_copy(input, float32) if is_half else floating(input)
    result = op.mul_scalar(op.erfc(op.mul_scalar(wide, -(0.5**0.5))), 0.5)
    return op.to_copy(result, input.dtype) if is_half else result


@public
def special_xlog1py(
    input: Number | Tensor, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return `input * log1p(other)`, and 0 where input is 0.

    `input` and `other`: shapes that broadcast, or one of them a number.

    >>> import seegrad as torch
    >>> torch.special.xlog1py(torch.tensor([0.0, 2.0]), torch.tensor([-1.0, 1.0]))
    tensor([0.0000, 1.3863])
    """
    if out is not None:
        return into(out, "special_xlog1py", special_xlog1py, input, other)
    need_one_tensor("special_xlog1py", input, other)
    return _fitting("special_xlog1py", input, other)(input, other)


@public
def special_zeta(
    input: Number | Tensor, other: Tensor | Number, *, out: Tensor | None = None
) -> Tensor:
    """Return Hurwitz' zeta function, the sum of `(k + other) ** -input` over k = 0, 1, ...

    `input` and `other`: shapes that broadcast, or one of them a number. NotImplementedError is
    raised when a gradient of `input` is asked for.

    >>> import seegrad as torch
    >>> torch.special.zeta(torch.tensor([2.0, 4.0]), 1)
    tensor([1.6449, 1.0823])
    """
    if out is not None:
        return into(out, "special_zeta", special_zeta, input, other)
    need_one_tensor("special_zeta", input, other)
    return _fitting("special_zeta", input, other)(input, other)


@public
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the lower incomplete gamma function divided by the whole one.

    `input` and `other`: shapes that broadcast. NotImplementedError is raised when a gradient of
    `input` is asked for.

    >>> import seegrad as torch
    >>> torch.igamma(torch.tensor([1.0]), torch.tensor([1.0]))
    tensor([0.6321])
    """
    need_tensors("igamma", input, other)
    return op.igamma(input, other) if out is None else into(out, "igamma", op.igamma, input, other)


@public
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the upper incomplete gamma function divided by the whole one.

    `input` and `other`: as of `igamma`.

    >>> import seegrad as torch
    >>> torch.igammac(torch.tensor([1.0]), torch.tensor([1.0]))
    tensor([0.3679])
    """
    need_tensors("igammac", input, other)
    if out is not None:
        return into(out, "igammac", op.igammac, input, other)
    return op.igammac(input, other)


@public
def mvlgamma(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithm of the gamma function of p x p matrices.

    `input`: (...). Raises RuntimeError for `p` below 1.

    >>> import seegrad as torch
    >>> torch.mvlgamma(torch.tensor([3.0, 4.0]), 2)
    tensor([1.5502, 3.5651])
    """
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    return op.mvlgamma(input, p) if out is None else into(out, "mvlgamma", op.mvlgamma, input, p)
