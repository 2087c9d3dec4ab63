"""Functions that differentiate functions by backward passes: `grad`, `vjp`, `jacrev`, `hessian`.

They rest on the ordinary graph (Note [Scopes]), so they can be put inside of each other.
"""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.autograd._functional_jacobian import jacobian_together
from seegrad.autograd._functional_steps import differentiate, without_gaps
from seegrad.autograd._trees import Structure, flatten, mapped
from seegrad.func.scopes import Scope, transforming
from seegrad.graph.state import is_recording
from seegrad.graph.tensor import TensorBase

__all__ = ["argument_numbers", "grad", "grad_and_value", "hessian", "jacrev", "vjp"]

Function = Callable[..., Any]
Numbers = int | tuple[int, ...]

COTANGENTS = (
    "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
    "function. cotangents: {}, primal output: {}"
)


def grad(func: Function, argnums: Numbers = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient of `func`, which returns one number.

    Args:
        func: returns a tensor without dimensions, with `has_aux` a pair of it and of others.
        argnums: the place, or the places, of the arguments to differentiate by, which are tensors
            or containers of tensors.
        has_aux: return a pair of the gradient and of what `func` returned beside the number.

    The returned function takes what `func` takes, and returns gradients in the structure of the
    argument, a tuple of them for a tuple `argnums`. Gradients can be differentiated by what
    requires one outside. Recording is on inside, whatever it is outside.
    Raises RuntimeError for what is not one number, and for `argnums` that are not there.

    >>> import seegrad as torch
    >>> torch.func.grad(torch.sin)(torch.tensor(0.0))
    tensor(1.)
    >>> torch.func.grad(torch.func.grad(lambda t: t ** 3))(torch.tensor(2.0))
    tensor(12.)
    """

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = _gradient(func, argnums, has_aux, args, kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapper


def grad_and_value(func: Function, argnums: Numbers = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient of `func` and what it returned.

    Arguments as for `grad`; with `has_aux` the second is the pair that `func` returned.

    >>> import seegrad as torch
    >>> torch.func.grad_and_value(torch.exp)(torch.tensor(0.0))
    (tensor(1.), tensor(1.))
    """

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return _gradient(func, argnums, has_aux, args, kwargs)

    return wrapper


def _gradient(
    func: Function, argnums: Numbers, has_aux: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    """The gradient, and what the function returned."""
    scope = Scope()
    with transforming("grad", scope):
        given, structure = _begun(scope, args, argnums)
        output = func(*given, **kwargs)
        aux: Any = ()
        if has_aux:
            output, aux = _pair(output, "grad_and_value(f)(*args)")
        _expect_number(output)
        scope.close()
        grads = differentiate(
            (output,), tuple(scope.inputs), None, create_graph=scope.leads_outside(output)
        )
        found = structure.filled(without_gaps(grads, tuple(scope.inputs)))
    value = (output, mapped(_expect_tensor, aux)) if has_aux else output
    return scope.seen_from_outside(found), scope.seen_from_outside(value)


def _expect_number(output: Any) -> None:
    start = "grad_and_value(f)(*args): Expected f(*args) to return a"
    if not isinstance(output, TensorBase):
        raise RuntimeError(f"{start} Tensor, got {type(output)}")
    if output.ndim:
        raise RuntimeError(
            f"{start} scalar Tensor, got tensor with {output.ndim} dims. Maybe you wanted to use "
            "the vjp or jacrev APIs instead?"
        )


def _expect_tensor(value: Any) -> Any:
    if not isinstance(value, TensorBase):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
    return value


def _pair(output: Any, where: str) -> tuple[Any, Any]:
    if not isinstance(output, tuple) or len(output) != 2:
        raise RuntimeError(
            f"{where}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return output


def argument_numbers(argnums: Any, count: int) -> tuple[int, ...]:
    """The places of arguments counted from the front; RuntimeError where there are none such."""
    if not isinstance(argnums, (int, tuple)):
        text = f"argnums must be int or Tuple[int, ...], got: {type(argnums)}"
        raise RuntimeError(text)
    given = argnums if isinstance(argnums, tuple) else (argnums,)
    if not given:
        raise RuntimeError("argnums must be non-empty")
    places = tuple(_place(number, count) for number in given)
    if len(set(places)) < len(places):
        raise RuntimeError(f"argnums elements must be unique, got {places}")
    return places


def _place(number: Any, count: int) -> int:
    if not isinstance(number, int):
        raise RuntimeError(f"argnum must be int, got: {type(number)}")
    if not -count <= number < count:
        raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    return number % count


def _begun(scope: Scope, args: tuple[Any, ...], argnums: Numbers) -> tuple[list[Any], Structure]:
    """All arguments, those to differentiate by as aliases, and the structure of these."""
    places = argument_numbers(argnums, len(args))
    given = list(args)
    for place in places:
        given[place] = mapped(scope.begin, given[place])
    chosen = tuple(given[place] for place in places)
    return given, flatten(chosen if isinstance(argnums, tuple) else chosen[0])[1]


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """What `func` returns at `primals`, and a function for products with its Jacobian.

    Args:
        func: takes the primals and returns tensors, in containers or not; a pair of these and of
            other tensors with `has_aux`.
        primals: tensors, or containers of tensors.
        has_aux: return what `func` returned beside the outputs as a third.

    The function that is returned takes cotangents in the structure of the outputs, and returns a
    tuple of the products, in the structures of the primals: one backward pass a call.
    Raises RuntimeError for outputs that are no tensors, and for cotangents that do not fit.

    >>> import seegrad as torch
    >>> output, pull = torch.func.vjp(torch.square, torch.tensor([1.0, 3.0]))
    >>> output, pull(torch.tensor([1.0, 10.0]))
    (tensor([1., 9.]), (tensor([ 2., 60.]),))
    """
    run = Pullback(func, tuple(range(len(primals))), primals, has_aux)

    def wrapper(
        cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None
    ) -> Any:
        return run.product(cotangents, retain_graph, create_graph)

    output = run.scope.seen_from_outside(run.output)
    return (
        (output, wrapper, run.scope.seen_from_outside(run.aux)) if has_aux else (output, wrapper)
    )


class Pullback:
    """One call of a function, whose outputs are differentiated as often as one likes."""

    def __init__(
        self, func: Function, argnums: Numbers, args: tuple[Any, ...], has_aux: bool
    ) -> None:
        self.scope = Scope()
        with transforming("vjp", self.scope):
            given, self.structure = _begun(self.scope, args, argnums) if args else ([], NOTHING)
            self.output = func(*given)
            self.aux: Any = ()
            if has_aux:
                self.output, aux = _pair(self.output, "vjp(f, *primals)")
                self.aux = mapped(_expect_tensor, aux)
            outputs, self.outputs_structure = flatten(self.output)
            _check_outputs(outputs)
        self.inputs = tuple(self.scope.inputs)
        self.outputs: tuple[Any, ...] = tuple(outputs)
        self.create_graph = any(map(self.scope.leads_outside, self.outputs))

    def product(self, cotangents: Any, retain_graph: bool, create_graph: bool | None) -> Any:
        """The gradients of the inputs from these of the outputs."""
        leaves, structure = flatten(cotangents)
        if structure != self.outputs_structure:
            raise RuntimeError(COTANGENTS.format(structure, self.outputs_structure))
        if create_graph is None:
            create_graph = is_recording() and (
                self.create_graph or any(map(Scope().leads_outside, leaves))
            )
        grads = differentiate(self.outputs, self.inputs, leaves, create_graph=create_graph)
        found = self.structure.filled(without_gaps(grads, self.inputs))
        return Scope().seen_from_outside(found)

    def jacobians(self) -> list[tuple[Any, ...]]:
        """For each output, by input."""
        _expect_real(self.inputs, "inputs")
        _expect_real(self.outputs, "outputs")
        return jacobian_together(self)


NOTHING = Structure(tuple, None, ())


def _check_outputs(outputs: list[Any]) -> None:
    if not outputs or all(output is None for output in outputs):
        raise RuntimeError(
            "vjp(f, *primals): Expected f to be a function that has non-empty output (got output "
            f"= {outputs})"
        )
    for output in outputs:
        if not isinstance(output, TensorBase):
            raise RuntimeError(
                "vjp(f, *primals): expected f(*primals) to return only tensors, got unsupported "
                f"type {type(output)}"
            )
    for output in outputs:
        if not (output.dtype.is_floating_point or output.dtype.is_complex):
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got "
                f"Tensor with dtype {output.dtype}"
            )


def _expect_real(tensors: tuple[Any, ...], which: str) -> None:
    for place, tensor in enumerate(tensors):
        if tensor.dtype.is_complex:
            raise RuntimeError(
                f"jacrev: Expected all {which} to be real but received complex tensor at "
                f"flattened input idx: {place}"
            )


def jacrev(
    func: Function,
    argnums: Numbers = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Function:
    """A function that returns the Jacobian of `func`, by a backward pass for each output element.

    Args:
        func: returns real tensors, in containers or not; a pair of these and of other tensors with
            `has_aux`.
        argnums: the place, or the places, of the arguments to differentiate by.
        has_aux: return a pair of the Jacobian and of what `func` returned beside the outputs.
        chunk_size: accepted; the passes run one after the other.

    The returned function takes the positional arguments of `func`. Its result has the structure
    of the outputs, with that of the argument in the place of each tensor, a tuple for a tuple
    `argnums`; there stand tensors of shape (*output.shape, *input.shape).
    Raises RuntimeError for complex tensors and for outputs that are no tensors.

    >>> import seegrad as torch
    >>> torch.func.jacrev(torch.square)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        run = Pullback(func, argnums, args, has_aux)
        by_output = [run.structure.filled(row) for row in run.jacobians()]
        found = run.scope.seen_from_outside(run.outputs_structure.filled(by_output))
        return (found, run.scope.seen_from_outside(run.aux)) if has_aux else found

    return wrapper


def hessian(func: Function, argnums: Numbers = 0) -> Function:
    """A function that returns the second derivatives of `func`.

    Args: `func` and `argnums` as for `jacrev`. The result has the structure of the outputs, with
    that of the argument twice, for the two derivatives, in the place of each tensor; there stand
    tensors of shape (*output.shape, *input.shape, *input.shape).

    >>> import seegrad as torch
    >>> torch.func.hessian(lambda t: (t ** 3).sum())(torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacrev(jacrev(func, argnums), argnums)
