"""`check_function`: is this custom Function right?"""

from typing import Any

from seegrad.autograd.function import Function
from seegrad.explain.functions.calls import Call
from seegrad.explain.functions.faults import Checks
from seegrad.explain.quiet import Quiet
from seegrad.explain.report import Report

__all__ = ["check_function", "quiet_for"]


def check_function(function: Any, *inputs: Any, expect: str | None = None) -> Report:
    """Runs a custom Function under probes and reports each fault with its line.

    First and second derivatives are compared with differences of `forward`, at the inputs and near
    to them, in double precision where that works; backward is asked twice, and after another call;
    sizes that are equal by chance are told apart. Nothing of the caller's is changed.

    Args:
        function: a subclass of `torch.autograd.Function`.
        inputs: what `forward` takes after `ctx`. Tensors that require a gradient are examined; all
            floating ones where none does.
        expect: "surrogate" where backward is meant to differ from the derivative. Straight-through
            estimators, reversed and scaled gradients are recognised without it.

    Returns: a Report, the finding that explains the others first; empty where all is right.

    Raises: TypeError where `function` is no Function or no input is a floating tensor, ValueError
    for another `expect`; what `forward` itself raises for these inputs.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> class Cube(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x ** 3
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         x, = ctx.saved_tensors
    ...         return grad_output * 2 * x ** 2
    >>> [finding.kind for finding in explain.check_function(Cube, torch.rand(3))]
    ['function-first-derivative']
    """
    function = getattr(function, "__self__", function)  # `Fn.apply` will do
    if not (isinstance(function, type) and issubclass(function, Function)):
        raise TypeError(
            f"check_function checks subclasses of torch.autograd.Function, not {function!r}"
        )
    if expect not in (None, "surrogate"):
        raise ValueError(f"expect is None or 'surrogate', not {expect!r}")
    call = Call(function, inputs, {})
    floating = [array is not None and array.dtype.kind in "fc" for array in call.arrays]
    if not any(floating):
        raise TypeError(f"{call.name} got no floating tensor: there is no gradient to check")
    if not any(call.needs):
        call.needs = floating
    with quiet_for(function) as quiet:
        found = list(Checks(call, quiet, expect).faults())
    return Report(found, f"{call.name}: no fault was found")


def quiet_for(function: Any, seconds: float = 60.0) -> Quiet:
    """A context in which a Function's methods may be run unnoticed."""
    return Quiet([function.forward, function.backward, function.setup_context], seconds)
