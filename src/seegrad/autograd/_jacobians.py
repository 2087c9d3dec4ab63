"""Jacobians measured by differences and Jacobians computed by backward, as arrays.

A Jacobian has a row for each element of the input and a column for each element of the output. The
function under test has been reduced to real outputs; a complex input z = a + ib then has the
gradient df/da + i df/db, which is PyTorch's convention.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from seegrad.graph.tensor import TensorBase, wrap
from seegrad.tensor.differentiate import grad

__all__ = [
    "Array",
    "Directions",
    "as_tuple",
    "backward",
    "differences",
    "directional",
    "dot",
    "draw_directions",
    "draw_real_directions",
    "jacobian_by_backward",
    "jacobian_by_differences",
]

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

# PyTorch's `Generator()` starts from this seed; NumPy's generator takes its low 32 bits.
_SEED = 67280421310721 & 0xFFFFFFFF


def as_tuple(values: Any) -> tuple[Any, ...]:
    """A tensor alone as a tuple of one, a list or tuple as a tuple."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def backward(
    outputs: Sequence[Any], inputs: Sequence[Any], grads: Sequence[Any]
) -> tuple[Any, ...]:
    """Gradients of `inputs`, None for those that the outputs do not use; the graph is kept."""
    return grad(outputs, inputs, grads, retain_graph=True, allow_unused=True)


@contextlib.contextmanager
def _shifted(array: Array, where: Any, step: Any) -> Iterator[None]:
    """The caller's own array moved by `step` at `where`, and put back whatever happens."""
    before = array[where].copy()
    array[where] = before + step
    try:
        yield
    finally:
        array[where] = before


def _values(func: Function, inputs: Sequence[Any]) -> list[Any]:
    """What the function returns, apart from its graph and from the memory of the inputs."""
    return [output.detach().clone() for output in as_tuple(func(*inputs))]


def differences(
    func: Function, inputs: Sequence[Any], array: Array, where: Any, step: Any, eps: float
) -> list[Array]:
    """(f(x + step) - f(x - step)) / 2 eps for each output; x is one of the inputs' arrays."""
    with _shifted(array, where, -step):
        below = _values(func, inputs)
    with _shifted(array, where, step):
        above = _values(func, inputs)
    pairs = list(zip(below, above, strict=False))
    for a, b in pairs:
        _expect_alike(a, b, where, eps)
    slopes = [((b - a) / (2 * eps))._array for a, b in pairs]
    if where is ...:
        return slopes
    # Whole numbers have no derivative, whatever their steps.
    whole = [a._array.dtype.kind in "iu" for a, _ in pairs]
    return [slope * 0 if w else slope for slope, w in zip(slopes, whole, strict=True)]


def _expect_alike(below: Any, above: Any, where: Any, eps: float) -> None:
    """Outputs whose shape or dtype depends on the values have no differences."""
    place = "" if where is ... else f"on index {where} "
    for what, a, b in (
        ("shape", below.shape, above.shape),
        ("dtype", below.dtype, above.dtype),
    ):
        assert a == b, (
            f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
            f"{place}by {eps}, but got: {what}s {a} and {b}."
        )


def jacobian_by_differences(
    func: Function, inputs: Sequence[Any], input: TensorBase, eps: float
) -> list[Array]:
    """One Jacobian for each output of `func`, each of shape (numel of input, numel of output)."""
    array = input._array
    rows = [_row(func, inputs, array, where, eps) for where in np.ndindex(array.shape)]
    if not rows:
        outputs = _values(func, inputs)
        return [np.zeros((0, output._array.size), output._array.dtype) for output in outputs]
    return [np.stack(columns) for columns in zip(*rows, strict=False)]


def _row(
    func: Function, inputs: Sequence[Any], array: Array, where: tuple[int, ...], eps: float
) -> list[Array]:
    real = differences(func, inputs, array, where, eps, eps)
    if array.dtype.kind != "c":
        return [change.reshape(-1) for change in real]
    imaginary = differences(func, inputs, array, where, eps * 1j, eps)
    return [_complex(a, b, array.dtype) for a, b in zip(real, imaginary, strict=True)]


def _complex(real: Array, imaginary: Array, dtype: Any) -> Array:
    """df/da and df/db as one row df/da + i df/db."""
    return (real.reshape(-1) + 1j * imaginary.reshape(-1)).astype(dtype)


def jacobian_by_backward(output: TensorBase, inputs: Sequence[TensorBase]) -> list[Array]:
    """One Jacobian for each input, a backward pass for each element of the output."""
    size = output._array.size
    jacobians = [np.zeros((i._array.size, size), i._array.dtype) for i in inputs]
    for position in range(size):
        grads = backward([output], inputs, [wrap(_one_at(output, position))])
        for jacobian, found in zip(jacobians, grads, strict=True):
            if found is not None:
                # Conjugating twice leaves -0 where PyTorch has 0; adding 0 takes the sign away.
                flat = found._array.reshape(-1)
                jacobian[:, position] = flat + 0 if flat.dtype.kind == "c" else flat
    return jacobians


def _one_at(output: TensorBase, position: int) -> Array:
    """Zeros of the output's shape with a one at `position`."""
    one = np.zeros(output._array.size, output._array.dtype)
    one[position] = 1
    return one.reshape(output._array.shape)


class Directions:
    """The random directions of fast mode: one for each input (two where complex) and output."""

    def __init__(self, inputs: list[tuple[Array, ...]], outputs: list[Array]) -> None:
        self.inputs = inputs
        self.outputs = outputs

    def weight(self, input_index: int, output_index: int) -> float:
        """How much an error of one in every element of the Jacobian amounts to along them."""
        whole = sum(float(direction.sum()) for direction in self.inputs[input_index])
        return whole * float(self.outputs[output_index].sum())


def draw_directions(inputs: Sequence[TensorBase], outputs: Sequence[TensorBase]) -> Directions:
    """PyTorch's directions, which do not depend on the user's seed and leave it alone."""
    generator = np.random.RandomState(_SEED)
    return Directions(
        [_input_directions(generator, i._array) for i in inputs],
        [_direction(generator, o._array) for o in outputs],
    )


def draw_real_directions(inputs: Sequence[TensorBase]) -> list[Array]:
    """The same for inputs alone, of which complex ones count as real."""
    generator = np.random.RandomState(_SEED)
    return [_direction(generator, i._array) for i in inputs]


def _input_directions(generator: "np.random.RandomState", array: Array) -> tuple[Array, ...]:
    count = 2 if array.dtype.kind == "c" else 1
    return tuple(_direction(generator, array) for _ in range(count))


def _direction(generator: "np.random.RandomState", array: Array) -> Array:
    """A flat vector of length one, real, not negative, in the array's precision."""
    words = generator.randint(0, 2**32, size=array.size, dtype=np.uint32)
    vector = ((words & 0xFFFFFF) * 2.0**-24).astype(array.real.dtype)
    return vector / np.linalg.norm(vector) if array.size else vector


def directional(
    func: Function,
    inputs: Sequence[Any],
    input: TensorBase,
    directions: tuple[Array, ...],
    weights: Sequence[Array],
    eps: float,
) -> list[Any]:
    """u J v by differences, a number for each output: u the input's direction, v the output's."""
    array = input._array
    steps = [eps * u.reshape(array.shape) for u in directions]
    along = [
        differences(func, inputs, array, ..., step * unit, eps)
        for step, unit in zip(steps, (1, 1j), strict=False)
    ]
    totals = [[dot(v, change) for v, change in zip(weights, c, strict=True)] for c in along]
    if len(totals) == 1:
        return totals[0]
    return [complex(real, imaginary) for real, imaginary in zip(*totals, strict=True)]


def dot(direction: Array, values: Array) -> float:
    """A product summed in float64 and rounded to the dtype of the values."""
    return float(values.dtype.type(np.dot(direction, values.reshape(-1).astype(np.float64))))
