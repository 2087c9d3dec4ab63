"""The names of `torch.autograd.functional`: products with Jacobians and Hessians, and these."""

from collections.abc import Callable
from typing import Any

from seegrad.autograd import _functional_checks as checks
from seegrad.autograd._functional_checks import Stage
from seegrad.autograd._functional_jacobian import (
    jacobian_forward,
    jacobian_one_by_one,
    jacobian_together,
    standard_basis,
)
from seegrad.autograd._functional_steps import (
    Run,
    differentiate,
    without_gaps,
    zeros_to_differentiate,
)
from seegrad.autograd.grad_mode import enable_grad

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Function = Callable[..., Any]
_construct_standard_basis_for = standard_basis  # PyTorch's private name, which programs use

HINT = (
    ' Hint: If your function has more outputs than inputs, "forward-mode" tends to be more '
    'performant. Otherwise, prefer to use "reverse-mode".'
)


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, and the product of `v` with its Jacobian: one backward pass.

    Args:
        func: takes tensors and returns one tensor or a tuple of tensors.
        inputs: one tensor or a tuple of tensors, the arguments of `func`.
        v: a tensor of the shape of each output; may be left out where the output is one number.
        create_graph: give both results a history, so that they can be differentiated.
        strict: an error where an output does not depend on an input, instead of zeros.

    Returns the outputs, and tensors in the shapes and dtypes of the inputs.
    Raises TypeError for what is not a tensor, RuntimeError where `v` does not fit.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vjp(lambda t: t ** 2, x, torch.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        run = Run("vjp", inputs, create_graph, strict)
        run.call(func)
        vector = run.output_vector(v)
        grads = differentiate(run.outputs, run.inputs, vector, create_graph=create_graph)
        product = run.filled(grads, run.inputs, Stage.FIRST)
        return run.for_outputs(run.outputs), run.for_inputs(product)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, and the product of its Jacobian with `v`: two backward passes.

    Args:
        func: takes tensors and returns one tensor or a tuple of tensors.
        inputs: one tensor or a tuple of tensors, the arguments of `func`.
        v: a tensor of the shape of each input; may be left out where the input is one number.
        create_graph: give both results a history, so that they can be differentiated.
        strict: an error where an output does not depend on an input, instead of zeros.

    Returns the outputs, and tensors in the shapes and dtypes of the outputs.
    Raises TypeError for what is not a tensor, RuntimeError where `v` does not fit.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.jvp(lambda t: (t ** 2).sum(), x, torch.tensor([1.0, 10.0]))
    (tensor(5.), tensor(42.))
    """
    with enable_grad():
        run = Run("jvp", inputs, create_graph, strict)
        vector = run.input_vector(v)
        run.call(func)
        starts = zeros_to_differentiate(run.outputs)
        grads = differentiate(run.outputs, run.inputs, starts, create_graph=True)
        grads = run.filled(grads, run.inputs, Stage.FIRST)
        forward = differentiate(grads, starts, vector, create_graph=create_graph)
        product = run.filled(forward, run.outputs, Stage.FIRST_FORWARD)
        return run.for_outputs(run.outputs), run.for_outputs(product)


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, one number, and the product of `v` with its Hessian.

    Args:
        func: takes tensors and returns a tensor of one element.
        inputs: one tensor or a tuple of tensors, the arguments of `func`.
        v: a tensor of the shape of each input; may be left out where the input is one number.
        create_graph: give both results a history, so that they can be differentiated.
        strict: an error where the gradient does not depend on an input, instead of zeros.

    Returns the output, and tensors in the shapes and dtypes of the inputs.
    Raises TypeError for what is not a tensor, RuntimeError where `v` or the output does not fit.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vhp(lambda t: (t ** 3).sum(), x, torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        run = Run("vhp", inputs, create_graph, strict)
        vector = run.input_vector(v)
        run.call_for_number(func)
        first = run.jacobian()
        grads = differentiate(first, run.inputs, vector, create_graph=create_graph)
        product = run.filled(grads, run.inputs, Stage.SECOND)
        return run.for_outputs(run.outputs), run.for_inputs(product)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """What `func` returns, one number, and the product of its Hessian with `v`.

    The Hessian of a smooth function is symmetric, so `vhp` gives the same values with one backward
    pass less.

    Args:
        func: takes tensors and returns a tensor of one element.
        inputs: one tensor or a tuple of tensors, the arguments of `func`.
        v: a tensor of the shape of each input; may be left out where the input is one number.
        create_graph: give both results a history, so that they can be differentiated.
        strict: an error where the gradient does not depend on an input, instead of zeros.

    Returns the output, and tensors in the shapes and dtypes of the inputs.
    Raises TypeError for what is not a tensor, RuntimeError where `v` or the output does not fit.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hvp(lambda t: (t ** 3).sum(), x, torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        run = Run("hvp", inputs, create_graph, strict)
        vector = run.input_vector(v)
        run.call_for_number(func)
        first = run.jacobian()
        starts = zeros_to_differentiate(run.inputs)
        grads = differentiate(first, run.inputs, starts, create_graph=True)
        grads = without_gaps(grads, run.inputs)
        forward = differentiate(grads, starts, vector, create_graph=create_graph)
        product = run.filled(forward, run.inputs, Stage.SECOND_FORWARD)
        return run.for_outputs(run.outputs), run.for_inputs(product)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivative of every element that `func` returns by every element of its inputs.

    Args:
        func: takes tensors and returns one tensor or a tuple of tensors.
        inputs: one tensor or a tuple of tensors, the arguments of `func`.
        create_graph: give the result a history, so that it can be differentiated.
        strict: an error where an output does not depend on an input, instead of zeros.
        vectorize: start from all elements of all outputs together; the values are the same.
        strategy: "forward-mode" starts from all elements of all inputs; wants `vectorize`, and
            neither `create_graph` nor `strict`.

    Returns a tensor of shape (*output.shape, *input.shape) and the dtype of the input, in forward
    mode of the output; a tuple of
    them for a tuple of inputs, or of outputs; a tuple by output of tuples by input for both.
    Raises TypeError for what is not a tensor.

    >>> import seegrad as torch
    >>> torch.autograd.functional.jacobian(lambda t: t ** 2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    with enable_grad():
        checks.check_strategy(strategy, HINT)
        forward = strategy == "forward-mode"
        if forward:
            checks.check_forward_mode(create_graph, strict, vectorize)
        run = Run("jacobian", inputs, create_graph, strict)
        run.call(func)
        if vectorize:
            checks.check_reverse_mode(strict)
        rows = _WAYS[forward, vectorize](run)
        by_output = tuple(run.for_inputs(row) for row in rows)
        return by_output if run.outputs_are_tuple else by_output[0]


_WAYS = {
    (False, False): jacobian_one_by_one,
    (False, True): jacobian_together,
    (True, True): jacobian_forward,
}


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of one number by every pair of elements of the inputs.

    Args:
        func: takes tensors and returns a tensor of one element.
        inputs: one tensor or a tuple of tensors, the arguments of `func`.
        create_graph: give the result a history, so that it can be differentiated.
        strict: an error where the gradient does not depend on an input, instead of zeros.
        vectorize: as for `jacobian`.
        outer_jacobian_strategy: the `strategy` of the second derivative.

    Returns a tensor of shape (*input.shape, *input.shape); for a tuple of inputs a tuple of tuples
    of tensors (*inputs[i].shape, *inputs[j].shape) of the dtype of inputs[j].
    Raises TypeError for what is not a tensor, RuntimeError for more than one output.

    >>> import seegrad as torch
    >>> torch.autograd.functional.hessian(lambda t: (t ** 3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    is_tuple, given = checks.tensors_of(inputs, "inputs", "hessian")
    checks.check_strategy(outer_jacobian_strategy)

    def first_derivative(*values: Any) -> Any:
        found = _differentiable_jacobian(func, values, strict)
        return found if is_tuple else found[0]

    return jacobian(
        first_derivative,
        given if is_tuple else given[0],
        create_graph,
        strict,
        vectorize,
        outer_jacobian_strategy,
    )


def _differentiable_jacobian(func: Function, inputs: tuple[Any, ...], strict: bool) -> Any:
    """The gradient of one number, with history."""

    def single(*values: Any) -> Any:
        result = func(*values)
        is_tuple, outputs = checks.tensors_of(result, checks.OUTPUTS, "hessian")
        if strict:
            checks.refuse_constant_outputs(outputs)
        checks.check_single_output(is_tuple, outputs, "hessian")
        return outputs[0].squeeze()

    found = jacobian(single, inputs, create_graph=True)
    if strict:
        checks.refuse_constant_jacobian(found)
    return found
