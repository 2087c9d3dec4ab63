"""Functions that differentiate functions in forward mode: `jvp`, `jacfwd`, `linearize`.

Each call is a level of its own (Note [Levels]), so they can be put inside of each other.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad import ops
from seegrad.autograd import forward_ad
from seegrad.autograd._functional_steps import differentiate, without_gaps
from seegrad.autograd._trees import Structure, flatten, mapped
from seegrad.autograd.grad_mode import enable_grad
from seegrad.func.mapping import vmap
from seegrad.func.reverse import Numbers, Pullback, argument_numbers
from seegrad.func.scopes import Scope, transforming
from seegrad.graph.levels import Level
from seegrad.graph.state import is_recording
from seegrad.graph.tangents import tangents_of
from seegrad.graph.tensor import TensorBase, requires, wrap
from seegrad.tensor.creation import zeros_like
from seegrad.tensor.duals import dual, refuse_tangent, value_below

__all__ = ["jacfwd", "jvp", "linearize"]

Function = Callable[..., Any]

START = "jvp(f, primals, tangents): "
STRUCTURES = (
    "Expected primals and tangents to have the same python structure. For example, if primals is "
    "a tuple of 3 tensors, tangents also must be. Got primals with structure {} and tangents with "
    "structure {}"
)
INDEPENDENT = (
    "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This "
    "is not allowed with strict=True."
)
FITTING = "Expected the tangents {} to have the same argspec as the primals {}"
MISFIT = (
    "tangent:{} with {} {} in flattened pytree doesn't match the {} {} of the corresponding "
    "primal."
)  # fmt: skip


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """What `func` returns at `primals`, and its derivative there in the direction `tangents`.

    Args:
        func: returns tensors, in containers or not; a pair of these and of other tensors with
            `has_aux`.
        primals: a tuple of the arguments, tensors or containers of tensors.
        tangents: the direction, in the structure of `primals`.
        strict: raise RuntimeError for an output that does not depend on the inputs.
        has_aux: return what `func` returned beside the outputs as a third.

    Raises RuntimeError for what is no tensor and for tangents that do not fit.

    >>> import seegrad as torch
    >>> x, direction = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0])
    >>> torch.func.jvp(torch.square, (x,), (direction,))
    (tensor([1., 4.]), tensor([2., 0.]))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            START + "Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    return _pushed(func, primals, tangents, tuple(range(len(primals))), strict, has_aux)


def _pushed(
    func: Function,
    args: tuple[Any, ...],
    tangents: Any,
    places: tuple[int, ...],
    strict: bool = False,
    has_aux: bool = False,
) -> Any:
    """As `jvp`, in the direction of the arguments at these places."""
    chosen = tuple(args[place] for place in places)
    values, structure = flatten(chosen)
    directions, other = flatten(tangents)
    if structure != other:
        raise RuntimeError(START + STRUCTURES.format(structure.told(), other.told()))
    for what, tensors in (("primals", values), ("tangents", directions)):
        _expect_tensors(tensors, what)
    with transforming("jvp"), forward_ad.inner_level() as level:
        duals = [_dual(v, t, level) for v, t in zip(values, directions, strict=True)]
        given = list(args)
        for place, value in zip(places, structure.filled(duals), strict=True):
            given[place] = value
        output, aux = func(*given), None
        if has_aux:
            output, aux = _pair(output)
            aux = mapped(lambda one: value_below(_expect_tensor(one), level), aux)
        outputs, outputs_structure = flatten(output)
        _check_outputs(outputs)
        found = [_unpacked(one, level, strict) for one in outputs]
    parts = tuple(outputs_structure.filled(column) for column in zip(*found, strict=True))
    return (*parts, aux) if has_aux else parts


def _dual(value: Any, tangent: Any, level: Level) -> Any:
    forward_ad.expect_differentiable(value, tangent)
    refuse_tangent(value, tangent, level, 0)
    return dual(value, tangent, level)


def _unpacked(output: Any, level: Level, strict: bool) -> tuple[Any, Any]:
    """An output and its tangent, zeros where it has none."""
    tangent = tangents_of(output).get(level.number)
    if tangent is None and strict:
        raise RuntimeError(INDEPENDENT)
    value = value_below(output, level)
    return value, zeros_like(value) if tangent is None else tangent


def _expect_tensors(tensors: list[Any], what: str) -> None:
    if not tensors:
        raise RuntimeError(f"{START}Expected {what} to contain at least one Tensor.")
    for one in tensors:
        if not isinstance(one, TensorBase):
            text = f"Expected {what} to only contain Tensors, got {type(one)}"
            raise RuntimeError(START + text)


def _expect_tensor(value: Any) -> Any:
    if not isinstance(value, TensorBase):
        raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
    return value


def _pair(output: Any) -> tuple[Any, Any]:
    if not isinstance(output, tuple) or len(output) != 2:
        raise RuntimeError(
            START + "output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return output


def _check_outputs(outputs: list[Any]) -> None:
    if not outputs or all(output is None for output in outputs):
        raise RuntimeError(
            f"{START}Expected f to be a function that has non-empty output (got output = "
            f"{outputs})"
        )
    for output in outputs:
        if not isinstance(output, TensorBase):
            raise RuntimeError(
                f"{START}expected f(*primals) to return only tensors, got unsupported type "
                f"{type(output)}"
            )


def jacfwd(
    func: Function, argnums: Numbers = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Function:
    """A function that returns the Jacobian of `func`, by a `jvp` for each input element.

    Args:
        func: returns real tensors, in containers or not; a pair of these and of other tensors with
            `has_aux`. It is called once for each element of the inputs.
        argnums: the place, or the places, of the arguments to differentiate by.
        has_aux: return a pair of the Jacobian and of what `func` returned beside the outputs.
        randomness: as for `vmap`.

    The returned function takes the positional arguments of `func`. Its result has the structure
    of the outputs, with that of the argument in the place of each tensor, a tuple for a tuple
    `argnums`; there stand tensors of shape (*output.shape, *input.shape).
    Raises RuntimeError for complex tensors and for outputs that are no tensors.

    >>> import seegrad as torch
    >>> torch.func.jacfwd(torch.square)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        places = argument_numbers(argnums, len(args))
        inputs, structure = flatten(tuple(args[place] for place in places))
        _expect_real(inputs, "inputs")

        def push(direction: Any) -> Any:
            outputs, *others = _pushed(func, args, direction, places, False, has_aux)
            _expect_real(flatten(outputs)[0], "outputs")
            return tuple(others)

        found = vmap(push, randomness=randomness)(structure.filled(_basis(inputs)))
        columns, outputs_structure = flatten(found[0])
        rows = [_by_input(column, inputs, structure, argnums) for column in columns]
        jacobian = outputs_structure.filled(rows)
        return (jacobian, mapped(lambda one: one[0], found[1])) if has_aux else jacobian

    return wrapper


def _basis(inputs: list[Any]) -> list[Any]:
    """For each input the directions of all elements: zeros, and one 1 for each of its own."""
    sizes = [one.numel() for one in inputs]
    found, start = [], 0
    for one, size in zip(inputs, sizes, strict=True):
        rows = np.zeros((sum(sizes), size), one._array.dtype)
        rows[range(start, start + size), range(size)] = 1
        found.append(wrap(rows.reshape(-1, *one._array.shape)))
        start += size
    return found


def _by_input(column: Any, inputs: list[Any], structure: Structure, argnums: Numbers) -> Any:
    """One output's derivatives, of which the first dimension are the elements of all inputs."""
    last = ops.movedim(column, 0, -1)
    pieces = last.split([one.numel() for one in inputs], -1)
    shaped = [
        piece.reshape((*piece.shape[:-1], *one.shape))
        for piece, one in zip(pieces, inputs, strict=True)
    ]
    tree = structure.filled(shaped)
    return tree if isinstance(argnums, tuple) else tree[0]


def _expect_real(tensors: list[Any], which: str) -> None:
    for place, tensor in enumerate(tensors):
        if isinstance(tensor, TensorBase) and tensor.dtype.is_complex:
            raise RuntimeError(
                f"jacfwd: Expected all {which} to be real but received complex tensor at "
                f"flattened input idx: {place}"
            )


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """What `func` returns at `primals`, and the linear function that is its derivative there.

    The function that is returned takes tangents in the structure of `primals`, and gives what
    `jvp` gives, without calling `func` again: a backward pass, of the backward pass that is
    recorded once.
    Raises RuntimeError for what is no tensor and for tangents that do not fit.

    >>> import seegrad as torch
    >>> output, push = torch.func.linearize(torch.square, torch.tensor([1.0, 3.0]))
    >>> output, push(torch.tensor([1.0, 10.0]))
    (tensor([1., 9.]), tensor([ 2., 60.]))
    """
    run = Pullback(func, tuple(range(len(primals))), primals, False)
    inputs, structure = flatten(primals)
    with enable_grad():
        dummies = tuple(zeros_like(one).requires_grad_() for one in run.outputs)
        grads = differentiate(run.outputs, run.inputs, dummies, create_graph=True)

    def jvp_fn(*tangents: Any) -> Any:
        directions, other = flatten(tangents)
        if other != structure:
            raise RuntimeError(FITTING.format(other.told(), structure.told()))
        _check_fit(directions, inputs)
        pairs = [
            (grad, tangent)
            for grad, tangent in zip(grads, directions, strict=True)
            if grad is not None and requires(grad)
        ]
        outer = run.create_graph or any(map(Scope().leads_outside, directions))
        found = differentiate(
            tuple(grad for grad, _ in pairs),
            dummies,
            tuple(tangent for _, tangent in pairs),
            create_graph=is_recording() and outer,
        )
        made = run.outputs_structure.filled(without_gaps(found, dummies))
        return Scope().seen_from_outside(made)

    return run.scope.seen_from_outside(run.output), jvp_fn


def _check_fit(tangents: list[Any], primals: list[Any]) -> None:
    for place, (tangent, primal) in enumerate(zip(tangents, primals, strict=True)):
        for what in ("shape", "dtype"):
            found, wanted = getattr(tangent, what), getattr(primal, what)
            if found != wanted:
                raise RuntimeError(MISFIT.format(place, what, found, what, wanted))
