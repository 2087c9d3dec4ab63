"""Nodes of the backward graph: what every one of them is and shows.

Note [Sequence numbers]: one counter for all threads. A node points only to nodes that existed when
it was made, so descending sequence number is a topological order. A node takes its number *after*
its edges, because reading the edge of a stale view makes a node.
"""

import itertools
import operator
from typing import Any, ClassVar

import numpy as np

from seegrad.arrays.dtypes import from_numpy
from seegrad.device import device
from seegrad.graph.accumulate import accumulate
from seegrad.graph.hooks import Hook, Hooks, RemovableHandle, add, hooks_of
from seegrad.graph.levels import Tangents
from seegrad.graph.packed import PackedValue, flat, replace
from seegrad.graph.recorded import recorded
from seegrad.graph.saved import read_slot, saved_attribute_names
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase
from seegrad.graph.versions import Counter

__all__ = ["LAST", "AccumulateGrad", "InputMetadata", "Node", "next_sequence"]

next_sequence = itertools.count().__next__
LAST = 2**64 - 1


class InputMetadata:
    """Shape, dtype and device of the gradient that a node expects."""

    is_nested_tensor = False
    is_cpp_nested_tensor = False

    def __init__(self, shape: tuple[int, ...], kind: "np.dtype[Any]") -> None:
        self.shape = list(shape)
        self.dtype = from_numpy(kind)
        self.device = device("cpu")

    def __repr__(self) -> str:
        return f"<torch._C._autograd._InputMetadata object at {id(self):#x}>"


class Node:
    """One step of the backward pass: from the gradient of an output to those of the inputs.

    `saved` is a flat tuple `(value, version, value, version, ...)`, None once freed; `constants`
    holds shapes and numbers, which stay.
    """

    _next: tuple["Node | None", ...] = ()
    _nrs: tuple[int, ...] | None = None
    _saved: Any = ()
    _constants: tuple[Any, ...] = ()
    _hooks: Hooks | None = None
    _metadata: dict[str, Any] | None = None
    _sequence: int = 0
    # The gradient expected: None in `shape` where there are several outputs (then in `shapes`).
    _shape: tuple[int, ...] | None = None
    _dtype: "np.dtype[Any] | None" = None
    _outputs: int = 1
    _shapes: tuple[tuple[int, ...], ...] = ()
    _dtypes: tuple["np.dtype[Any]", ...] = ()
    # What observers noted (Note [Observed]): who made the node, which pass freed it.
    # Of the results that were saved: what they carry (Note [Levels]).
    _tangents: "list[Tangents | None] | None" = None
    _made: Any = None
    _freed_by: Any = None

    _tensor_names: ClassVar[tuple[str, ...]] = ()
    _constant_names: ClassVar[tuple[str, ...]] = ()
    _attributes: ClassVar[dict[str, Any]] = {}
    # For each saved value, the places of the inputs whose gradients mention it.
    _saved_for: ClassVar[tuple[tuple[int, ...], ...]] = ()
    _result_slots: ClassVar[dict[int, int]] = {}
    _holomorphic: ClassVar[bool] = True
    _builtin: ClassVar[bool] = True
    _renumbered: ClassVar[bool] = False  # whether a user ever set the number of a node

    def _run(self, grad: Any) -> tuple[Any, ...]:
        """The gradients of the inputs, arrays in and out; nothing is recorded."""
        raise NotImplementedError

    def _read(self, grad: Any) -> tuple[Any, ...]:
        """The formulas read in the recorded namespace, Tensors in and out."""
        raise NotImplementedError

    def _run_recording(self, grad: Any) -> tuple[Any, ...]:
        """As `read`, with the conjugation that rules do not say; no class is asked."""
        state = thread.state
        before, state.unasked = state.unasked, 2
        try:
            if self._holomorphic and is_complex(grad):
                return tuple(conjugate(r) for r in self._read(conjugate(grad)))
            return self._read(grad)
        finally:
            state.unasked = before

    def _adopt_counter(self, nr: int, counter: Counter) -> None:
        """Takes the counter of output `nr`, if that was saved (Note [Versions])."""
        slot = self._result_slots.get(nr)
        if slot is not None and self._saved:
            if flat(self)[slot].__class__ is not PackedValue:
                replace(self, slot + 1, (counter, 0))

    def _blame(self, error: RuntimeError, index: int) -> RuntimeError:
        """Says more of an error about the gradient of one input, where the node is a user's."""
        return error

    def _saved_at(self, place: int) -> Any:
        """The saved value at a place of the flat tuple, as users see it."""
        return read_slot(self, place)

    # What users see.

    def name(self) -> str:
        """The name of the node, such as `MulBackward0`."""
        name = type(self).__name__
        full = NAMESPACED.get(name)
        return name if full is None else f"torch::autograd::{full}"

    @property
    def next_functions(self) -> tuple[tuple["Node | None", int], ...]:
        """The nodes that receive the gradients of the inputs, in the order of the inputs."""
        return tuple(zip(self._next, self._nrs or itertools.repeat(0), strict=False))

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for anomaly mode and for users."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    @property
    def requires_grad(self) -> bool:
        """Always True: a node exists because something required a gradient."""
        return True

    @property
    def _input_metadata(self) -> tuple[InputMetadata, ...]:
        if self._shape is not None and self._dtype is not None:
            return (InputMetadata(self._shape, self._dtype),)
        pairs = zip(self._shapes, self._dtypes, strict=True)
        return tuple(InputMetadata(shape, kind) for shape, kind in pairs)

    def _sequence_nr(self) -> int:
        return self._sequence

    def _set_sequence_nr(self, number: int) -> None:
        self._sequence = operator.index(number)
        Node._renumbered = True

    def register_hook(self, fn: Hook) -> RemovableHandle:
        """Calls `fn(grad_inputs, grad_outputs)` after the node; a tuple replaces grad_inputs."""
        return add(hooks_of(self).post, fn)

    def register_prehook(self, fn: Hook) -> RemovableHandle:
        """Calls `fn(grad_outputs)` before the node runs; a tuple replaces grad_outputs."""
        return add(hooks_of(self).pre, fn)

    def _register_hook_dict(self, hooks: Any) -> None:
        hooks_of(self)

    def __call__(self, *gradients: Any) -> Any:
        """Runs the node by hand."""
        check_arguments(gradients, self._outputs)
        if self._builtin and all(gradient is None for gradient in gradients):
            return (None,) * len(self._next) if len(self._next) > 1 else None
        results = self._run_recording(gradients[0] if self._shape is not None else gradients)
        return results[0] if len(results) == 1 else results

    def __dir__(self) -> list[str]:
        special = [n for n in object.__dir__(self) if n.startswith("__")]
        return sorted({*special, *NODE_NAMES, *saved_attribute_names(type(self))})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


# PyTorch's nodes that have a class in C++ only: the last one none in Python either.
NAMESPACED = {
    "CopyBackwards": "CopyBackwards", "NotImplemented": "NotImplemented",
    "CppFunction": "Identity",
}  # fmt: skip
NODE_NAMES = [
    "_input_metadata",
    "_register_hook_dict",
    "_sequence_nr",
    "_set_sequence_nr",
    "metadata",
    "name",
    "next_functions",
    "register_hook",
    "register_prehook",
    "requires_grad",
]


class AccumulateGrad(Node):
    """The end of a path: adds the gradient that arrives into the `.grad` of a leaf."""

    _sequence = LAST
    variable: TensorBase

    def name(self) -> str:
        """PyTorch's full name of this node."""
        return "torch::autograd::AccumulateGrad"

    def __call__(self, *gradients: Any) -> tuple[()]:
        """Adds a gradient by hand."""
        check_arguments(gradients, 1)
        (gradient,) = gradients
        if gradient is not None:
            if gradient._array.shape != self._shape:
                got, wanted = list(gradient._array.shape), list(self._shape or ())
                raise RuntimeError(f"got a gradient of shape {got} for a leaf of shape {wanted}")
            accumulate(self, gradient, fresh=False, recorded=False)
        return ()

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), "variable"])


AccumulateGrad.__module__ = "builtins"


def check_arguments(gradients: tuple[Any, ...], count: int) -> None:
    """A node called by hand gets as many gradients as it has outputs, Tensors or None."""
    if len(gradients) != count:
        raise TypeError(f"expected {count} arguments, got {len(gradients)} instead")
    for index, gradient in enumerate(gradients):
        if gradient is not None and not isinstance(gradient, TensorBase):
            raise TypeError(f"argument {index} is not a Variable")


def is_complex(value: Any) -> bool:
    """Whether a gradient (a Tensor, or a tuple of them) has a complex value."""
    if isinstance(value, tuple):
        return any(is_complex(v) for v in value)
    return value is not None and value._array.dtype.kind == "c"


def conjugate(value: Any) -> Any:
    """The recorded conjugate of a Tensor, or of each of a tuple."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(conjugate(v) for v in value)
    return recorded.conj(value)
