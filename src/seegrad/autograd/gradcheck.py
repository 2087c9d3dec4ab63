"""Is backward the derivative of forward? A comparison with finite differences.

Note [What gradcheck compares]: forward is run at x + eps and x - eps for each element of each
input, which gives the numerical Jacobian; backward is run for each element of each output, which
gives the analytical one. A complex output counts as two real ones, first the imaginary part, then
the real one. Fast mode compares u J v for one pair of directions instead, and both Jacobians only
to explain a failure. Afterwards backward must answer zeros with zeros, and undefined gradients
with undefined or zero ones.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.random import uniform
from seegrad.autograd import _gradcheck_texts as texts
from seegrad.autograd._gradcheck_after import (
    check_batched,
    check_scaled_by_grad_output,
    check_undefined,
)
from seegrad.autograd._gradcheck_case import (
    Case,
    GradcheckError,
    Options,
    needs_gradient,
    requires_grad,
)
from seegrad.autograd._gradcheck_compare import compare
from seegrad.autograd._gradcheck_forward import check_undefined_tangents
from seegrad.autograd._jacobians import as_tuple
from seegrad.autograd._old_jacobians import get_analytical_jacobian, get_numerical_jacobian
from seegrad.graph.asked import tap
from seegrad.graph.tensor import wrap
from seegrad.tensor.differentiate import grad

__all__ = [
    "GradcheckError",
    "get_analytical_jacobian",
    "get_numerical_jacobian",
    "gradcheck",
    "gradgradcheck",
]

Func = Callable[..., Any]
_DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))


def gradcheck(
    func: Func,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compares the gradients that backward gives with finite differences of `func`.

    Args:
        func: takes the inputs, returns a tensor or a tuple of tensors, of any shapes.
        inputs: a tensor or a tuple of arguments; tensors that require gradients are checked. They
            should be float64 or complex128: in float32 the differences are mostly rounding.
        eps: half the distance between the two points of a difference.
        atol, rtol: the bound on |analytical - numerical| is atol + rtol * |numerical|.
        raise_exception: False returns False where the gradients differ.
        nondet_tol: how much two backward passes over the same graph may differ.
        check_undefined_grad: also try backward with undefined gradients of the outputs, and
            forward mode with an input that has no tangent.
        check_grad_dtypes: also ask for gradients of exactly the inputs' dtypes.
        check_batched_grad: also ask for the gradients of two at a time, `is_grads_batched`.
        check_forward_ad: also compares the tangents of forward mode, before the gradients.
        check_backward_ad: False leaves the gradients out.
        check_batched_forward_grad: accepted; directions are computed one after the other.
        fast_mode: compares one random projection of the Jacobians, in time that does not grow
            with the number of elements.
        masked: accepted; it concerns sparse tensors only.

    Returns: True where all agree.

    Raises: GradcheckError with PyTorch's message, and a note that names the worst element and,
    where the numbers tell, the likely mistake; ValueError where no input requires a gradient.

    >>> import seegrad as torch
    >>> x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.sin, x)
    True
    """
    assert check_forward_ad or check_backward_ad, texts.NEEDS_BACKWARD
    assert check_forward_ad or not check_batched_forward_grad, texts.BATCHED_NEEDS_FORWARD
    checks = check_undefined_grad, check_grad_dtypes, check_batched_grad
    modes = fast_mode, check_forward_ad, check_backward_ad
    options = Options(eps, atol, rtol, nondet_tol, *checks, *modes)
    return _checked(func, as_tuple(inputs), options, raise_exception)


def gradgradcheck(
    func: Func,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compares second derivatives with finite differences of the first ones.

    The gradients of `func` are a function of the inputs and of the outputs' gradients; `gradcheck`
    checks that function.

    Args:
        func, inputs and the options: as for `gradcheck`.
        grad_outputs: gradients of the outputs, of their shapes; random ones in [-1, 1) where None.
        check_fwd_over_rev: also compares the tangents of gradients.
        check_rev_over_rev: False leaves the gradients of gradients out.
        gen_non_contig_grad_outputs: draws them as tensors that are not contiguous.

    Returns: True where all agree.

    Raises: as `gradcheck`; ValueError where no output requires a gradient.

    >>> import seegrad as torch
    >>> x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.sin, x)
    True
    """
    assert check_fwd_over_rev or check_rev_over_rev, texts.NEEDS_SECOND_BACKWARD
    assert check_rev_over_rev or not check_undefined_grad, texts.UNDEFINED_NEEDS_BACKWARD
    assert check_rev_over_rev or not check_batched_grad, texts.BATCHED_NEEDS_BACKWARD
    arguments = as_tuple(inputs)
    if grad_outputs is None:
        outputs = [o for o in as_tuple(func(*arguments)) if requires_grad(o)]
        if not outputs:
            given = any(needs_gradient(argument) for argument in arguments)
            raise ValueError(texts.NOT_DOUBLE if given else texts.NEEDS_GRAD)
        grads = tuple(_random_gradient(o, gen_non_contig_grad_outputs) for o in outputs)
    else:
        grads = as_tuple(grad_outputs)
    first = _first_derivative(func, len(arguments))
    checks = check_undefined_grad, check_grad_dtypes, check_batched_grad
    modes = fast_mode, check_fwd_over_rev, check_rev_over_rev
    options = Options(eps, atol, rtol, nondet_tol, *checks, *modes)
    return _checked(first, arguments + grads, options, raise_exception)


def _checked(
    func: Func, arguments: tuple[Any, ...], options: Options, raise_exception: bool
) -> bool:
    _check_inputs(arguments)
    try:
        _check(Case(func, arguments, options))
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_inputs(arguments: tuple[Any, ...]) -> None:
    places = [place for place, argument in enumerate(arguments) if needs_gradient(argument)]
    for place in places:
        argument = arguments[place]
        if argument._array.dtype not in _DOUBLE:
            warnings.warn(texts.NEEDS_DOUBLE.format(place), stacklevel=4)
        if any(s == 0 and n > 1 for s, n in zip(argument.stride(), argument.shape, strict=True)):
            raise RuntimeError(texts.OVERLAPPING.format(place))
        if not argument._array.flags.writeable:
            raise RuntimeError(texts.READ_ONLY.format(place))
    if not places:
        raise ValueError(texts.NEEDS_GRAD)


def _check(case: Case) -> None:
    compare(case)
    if case.is_constant:
        return
    if case.options.check_forward_ad and case.options.check_undefined_grad:
        check_undefined_tangents(case)
    if not case.options.check_backward_ad:
        return
    if case.options.check_batched_grad:
        check_batched(case)
    check_scaled_by_grad_output(case)
    if case.options.check_undefined_grad:
        check_undefined(case)


def _first_derivative(func: Func, count: int) -> Func:
    """The gradients of `func`, a function of its `count` arguments and the outputs' gradients."""

    def first(*arguments_and_grads: Any) -> tuple[Any, ...]:
        arguments, grads = arguments_and_grads[:count], arguments_and_grads[count:]
        outputs = [o for o in as_tuple(func(*arguments)) if requires_grad(o)]
        inputs = [argument for argument in arguments if needs_gradient(argument)]
        found = grad(outputs, inputs, grads, create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None)

    return first


def _random_gradient(output: Any, non_contiguous: bool) -> Any:
    """A gradient for `output` drawn from the default generator, elements in [-1, 1)."""
    dtype = output._array.dtype
    spaced = non_contiguous and output._array.size > 1
    shape = output._array.shape + ((2,) if spaced else ())
    if dtype.kind == "c":
        drawn = uniform(None, (*shape, 2), dtype.type().real.dtype, -1, 1).view(dtype)[..., 0]
    else:
        drawn = uniform(None, shape, dtype, -1, 1)
    return wrap(drawn[..., 1] if spaced else drawn).requires_grad_()


for _function in (gradcheck, gradgradcheck):
    tap(_function, "torch.autograd.gradcheck", _function.__name__)
