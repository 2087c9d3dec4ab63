"""A tensor as data: array, flags, history, version, view. No operator is known here."""

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import dtype, from_numpy
from seegrad.graph.counters import NEVER, Counter, Untracked
from seegrad.graph.read_only import read_only
from seegrad.graph.state import ASK, INFERRING, Ask, thread

if TYPE_CHECKING:
    from seegrad.graph.hooks import Hooks
    from seegrad.graph.levels import Tangents
    from seegrad.graph.loans import Loan
    from seegrad.graph.node import AccumulateGrad, Node
    from seegrad.graph.views import View

__all__ = [
    "PLAIN",
    "Number",
    "TensorBase",
    "mark",
    "needs_care",
    "new_tensor",
    "requires",
    "set_requires",
    "set_tensor_class",
    "tensor_class",
    "wrap",
]

Array = np.ndarray[Any, Any]

# The dtypes of the hot path: what NumPy computes as PyTorch does, and no rule needs conj.
PLAIN = frozenset({np.dtype(np.float32), np.dtype(np.float64)})


class TensorBase:
    """An array with flags and a history; the class that users see derives from it.

    A tensor whose dtype is not plain, a view that has no node of its own, and an inference tensor
    that requires a gradient say ASK in `_requires_grad` (Note [Two doors]); `_asked` then holds
    the flag that a user set.
    """

    _array: Array
    _requires_grad: bool | Ask = False
    _asked: bool = False
    _node: "Node | None" = None
    _nr: int = 0
    # Set by whoever makes a tensor. Python reads an attribute of instances ten times as fast where
    # their class has none of that name, or one of a builtin type.
    _counter: Counter
    _view: "View | None" = None
    _accumulator: "weakref.ref[AccumulateGrad] | None" = None
    _former: "weakref.ref[AccumulateGrad] | None" = None
    _grad: "TensorBase | None" = None
    _hooks: "Hooks | None" = None
    _shared: "bool | Loan" = False  # whether the memory is lent (Note [Fresh])
    _turned: bool = False  # whether it got another shape in place (Note [Views])
    _is_asked: bool = False  # of the class: it has a `__torch_function__` (Note [Asked])
    _tangents: "Tangents | None" = None  # of forward mode (Note [Levels])
    _cut: str | None = None  # why it has no history (Note [Cut])
    # What observers noted (Note [Observed]): where it came from, where its gradient was reset,
    # and, of a lent gradient that was written to, the memory it showed before.
    _made: Any = None
    _reset_by: Any = None
    _left: Any = None
    # The dtype of `.grad`: None for any, ... for the tensor's own.
    _grad_dtype: Any = ...

    @read_only
    def dtype(self) -> dtype:
        """The element type."""
        return from_numpy(self._array.dtype)

    @read_only
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim


class Number:
    """A Python number where a node saved an operand: never written to, of any dtype."""

    __slots__ = ("_array",)

    _counter = NEVER

    def __init__(self, value: Any) -> None:
        self._array = value


_tensor_class: type[TensorBase] = TensorBase


def set_tensor_class(cls: type[TensorBase]) -> None:
    """Handed down once by `tensor/`: the class of the tensors that operators make."""
    global _tensor_class
    _tensor_class = cls
    # Python lays instances out by the attributes of the first ones: this one has them all, so no
    # tensor needs a dictionary of its own, which would cost 0.1 us.
    first = object.__new__(cls)
    for name in TensorBase.__annotations__:
        setattr(first, name, None)


def tensor_class() -> type[TensorBase]:
    """The class of the tensors that operators make."""
    return _tensor_class


def new_tensor() -> Any:
    """A tensor without an array yet."""
    tensor = object.__new__(_tensor_class)
    tensor._counter = NEVER
    return tensor


def wrap(array: Any) -> Any:
    """A tensor without history that holds `array` itself."""
    tensor = object.__new__(_tensor_class)
    if array.__class__ is not np.ndarray:
        array = np.asarray(array)
    tensor._array = array
    tensor._counter = thread.state.fresh if INFERRING.threads else NEVER
    tensor._nr, tensor._cut = 0, None
    tensor._requires_grad = False if array.dtype in PLAIN else ASK
    return tensor


def needs_care(tensor: TensorBase) -> bool:
    """Whether operators on this tensor have to take the general path, whatever its history."""
    plain = tensor._array.dtype in PLAIN and tensor._tangents is None
    return tensor._is_asked or not plain


def mark(tensor: TensorBase) -> None:
    """Makes this a tensor that requires no gradient: False, or ASK where it needs care."""
    tensor._asked = False
    tensor._requires_grad = ASK if needs_care(tensor) else False


def requires(tensor: TensorBase) -> bool:
    """Whether `tensor` requires a gradient, its base asked where it has no node of its own."""
    flag = tensor._requires_grad
    if flag is not ASK:
        return bool(flag)
    if tensor._asked:
        return True
    view = tensor._view
    return view is not None and requires(view.base)


def set_requires(tensor: TensorBase, flag: bool) -> None:
    """Sets the tensor's own flag, keeping ASK where the dtype needs care."""
    if tensor._counter.__class__ is Untracked:
        tensor._requires_grad = ASK
    if not flag and tensor._accumulator is not None:
        # Whoever has one is a leaf that requires a gradient; it is the same if it does so again.
        tensor._former, tensor._accumulator = tensor._accumulator, None
    if tensor._requires_grad is ASK:
        tensor._asked = flag
    else:
        tensor._requires_grad = flag
