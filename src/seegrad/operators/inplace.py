"""In-place twins: one generic function, from the same rules; there is no per-operator code.

Checks come before the write: a refused write leaves data and version as they were.
"""

import sys
from typing import Any

import numpy as np

from seegrad.arrays import raw
from seegrad.arrays.dtypes import from_numpy
from seegrad.arrays.promotion import can_cast
from seegrad.errors import COPY_ON_OVERLAP, LEAF_IN_PLACE, SHARED_MEMORY, noted
from seegrad.graph.accumulate import dense
from seegrad.graph.asked import found_asked
from seegrad.graph.levels import LEVELS
from seegrad.graph.loans import unshare
from seegrad.graph.packed import flat, replace
from seegrad.graph.recorded import recorded
from seegrad.graph.saved import pack_results
from seegrad.graph.state import ASK, thread
from seegrad.graph.tensor import PLAIN, TensorBase, requires
from seegrad.graph.versions import bump, own_counter
from seegrad.graph.views import gradient_edge, has_node, rebase, refuse
from seegrad.operators.forward import Write, tie_tangents
from seegrad.operators.general import check_operands, class_for, compute, explained, wanted
from seegrad.operators.nodes import make_node
from seegrad.operators.unrecorded import written
from seegrad.rules.spec import Operator

__all__ = ["check_write", "inplace", "is_own", "is_separate", "partly_overlaps", "repeats"]

ndarray, ufunc = np.ndarray, np.ufunc

# What PyTorch lets write to an expanded tensor; all others refuse.
MAY_OVERLAP = frozenset(
    [
        "fill_scalar",
        "index_fill",
        "index_put",
        "masked_fill",
        "masked_fill_tensor",
        "tril",
        "triu",
        "zero",
    ]
)

# Whose second operand is broadcast to the first, without a ufunc that says so.
FITTED = frozenset(["copy", "masked_fill", "masked_fill_tensor"])

# What reads its operands to the end before it writes.
READS_FIRST = frozenset(["fill", "masked_fill_tensor", "masked_scatter"])


def inplace(operator: Operator, self: Any, *args: Any) -> Any:
    """Computes `operator` and writes the result into `self`, history included."""
    state = thread.state
    if state.mode < 2 and not LEVELS.open and written(operator, self, args, state):
        return self
    values = dict(zip(operator.parameters, (self, *args), strict=True))
    try:
        check_operands(operator, values)
    except TypeError:
        scope = sys._getframe(1).f_globals
        function: Any = scope.get("FUNCTION")
        if found_asked(function, (self, *args)):
            return function(self, *args)
        if scope.get("SYMBOL"):  # `x += y`, where `y` gets its turn
            return NotImplemented
        raise
    needs = wanted(operator, values)
    if needs:
        check_write(self)
    check_memory(self, values, operator)
    if operator.name in FITTED:
        check_fits(self._array.shape, values[operator.parameters[1]])
    if not needs and not LEVELS.open and write_directly(operator, self, args):
        bump(self)
        return self
    write = Write(operator, values) if LEVELS.open else None
    before = values
    if needs.get("self") is not None and "self" in operator.saved and uses_self(operator, needs):
        before = values | {"self": recorded.clone(self)}
    array = compute(operator, values)
    check_result(self, array)
    node = None
    if needs:
        cls = class_for(operator, values, self)
        node = make_node(operator, cls, before, needs, {operator.outputs[0]: self})
        node._shape, node._dtype = self._array.shape, self._array.dtype
        if before is not values:
            node._next = (gradient_edge(self), *node._next[1:])
            node._nrs = numbers(self, node)
    unshare(self)
    if operator.name in MAY_OVERLAP and repeats(self._array):
        write_changed(self._array, array)
    else:
        self._array[...] = array
    bump(self)
    if node is not None:
        settle_result(node, self)
        rebase(self, node)
        if thread.state.hooks:
            pack_results(node, thread.state.hooks[-1])
    if write is not None:
        write.finish(self)
        tie_tangents(node, [self])
    return self


def is_separate(self: TensorBase, other: Any, mode: int) -> bool:
    """Whether a ufunc may write into `self` at once: plain, own memory, nothing to record."""
    if self._requires_grad is ASK or self._shared or not isinstance(other, TensorBase):
        return False
    needs = other._requires_grad
    if needs is ASK and LEVELS.open:
        return False
    if mode and (self._requires_grad or needs):
        return False
    mine, theirs = self._array, other._array
    if mine.dtype is not theirs.dtype or mine.shape != theirs.shape:
        return False
    # NumPy's `base` is the owner of the memory; different owners do not overlap.
    owner, other_owner = mine.base, theirs.base
    if owner is other_owner is None:
        return mine is not theirs
    if 0 in mine.strides:
        return False
    owner = mine if owner is None else owner
    other_owner = theirs if other_owner is None else other_owner
    return owner is not other_owner and owner.__class__ is other_owner.__class__ is ndarray


def is_own(self: TensorBase, mode: int) -> bool:
    """Whether a ufunc may write a number into `self` at once."""
    if self._requires_grad is ASK or self._shared:
        return False
    if self._requires_grad and mode:
        return False
    return self._array.base is None or 0 not in self._array.strides


def uses_self(operator: Operator, needs: dict[str, bool]) -> bool:
    """Whether a gradient that is needed mentions the value that is about to be overwritten."""
    return any("self" in operator.uses[o] for o in operator.formulas if needs[o])


def numbers(self: TensorBase, node: Any) -> Any:
    """The output numbers of the edges, that of `self` first."""
    nrs = (self._nr, *(node._nrs or (0,) * len(node._next))[1:])
    return nrs if any(nrs) else None


def settle_result(node: Any, self: TensorBase) -> None:
    """A saved output of an in-place operator is the memory as it is after the write."""
    slot = node._result_slots.get(0)
    if slot is not None and flat(node)[slot] is not None:
        counter = own_counter(self)
        written = (counter, counter.value)
        replace(node, slot, self._array, written)


def write_directly(operator: Operator, self: TensorBase, args: tuple[Any, ...]) -> bool:
    """The quick way where nothing is recorded: the ufunc writes into the memory itself."""
    kernel = raw.plain_kernel(operator.name)
    array = self._array
    if kernel.__class__ is not ufunc or array.dtype not in PLAIN or self._shared:
        return False
    raws = []
    for arg in args:
        value = arg._array if isinstance(arg, TensorBase) else arg
        if value.__class__ is np.ndarray:
            if value.dtype is not array.dtype:
                return False
        elif value.__class__ not in (int, float):
            return False
        raws.append(value)
    try:
        thread.state.quiet(kernel, array, *raws, out=array)
    except ValueError as error:
        shape = np.broadcast_shapes(*(np.shape(r) for r in (array, *raws))) if (
            "non-broadcastable" in str(error)
        ) else None  # fmt: skip
        if shape is not None:
            raise mismatch(array.shape, shape) from None
        named = dict(zip(operator.parameters, (array, *raws), strict=True))
        raise explained(operator, named, error) from None
    return True


def mismatch(shape: tuple[int, ...], result: tuple[int, ...]) -> RuntimeError:
    """PyTorch's error for a result that does not fit into what is written to."""
    return RuntimeError(
        f"output with shape {list(shape)} doesn't match the broadcast shape {list(result)}"
    )


def check_fits(shape: tuple[int, ...], other: Any) -> None:
    """Refuses an operand that does not broadcast to the shape of what is written to."""
    found = other._array.shape if isinstance(other, TensorBase) else ()
    for dim in range(-1, -min(len(shape), len(found)) - 1, -1):
        if shape[dim] != found[dim] and 1 not in (shape[dim], found[dim]):
            raise RuntimeError(
                f"The size of tensor a ({shape[dim]}) must match the size of tensor b "
                f"({found[dim]}) at non-singleton dimension {max(len(shape), len(found)) + dim}"
            )
    together = np.broadcast_shapes(shape, found)
    if together != shape:
        raise mismatch(shape, together)


def check_write(tensor: TensorBase) -> None:
    """Refuses a recorded write into a leaf, or through a view that forbids it."""
    view = tensor._view
    if view is not None:
        refuse(tensor, view)
        if requires(tensor) and view.base._node is None:
            raise leaf_in_place("a view of " + LEAF_IN_PLACE, view.base)
    # A view whose base got a history, and whose own nobody read yet, counts as a leaf here.
    if not has_node(tensor) and requires(tensor):
        raise leaf_in_place(LEAF_IN_PLACE, tensor)


def leaf_in_place(text: str, leaf: TensorBase) -> RuntimeError:
    """PyTorch's error for a recorded write into a leaf; the note says what to do."""
    note = (
        f"The leaf has the shape {list(leaf._array.shape)} and requires a gradient: update it "
        "under `torch.no_grad()`, or compute a new tensor from it."
    )
    return noted(RuntimeError(text), note, kind="leaf-in-place", leaf=leaf)


def check_memory(self: TensorBase, values: dict[str, Any], operator: Operator) -> None:
    """Refuses memory that overlaps itself, or partly overlaps an operand."""
    array = self._array
    if operator.name == "copy" and is_same(array, values["src"]._array):
        return
    if 0 in array.strides and repeats(array) and operator.name not in MAY_OVERLAP:
        raise RuntimeError(COPY_ON_OVERLAP)
    for name in operator.operands[1:]:
        other = getattr(values[name], "_array", None) if operator.name not in READS_FIRST else None
        if not isinstance(other, np.ndarray) or array.base is other.base is None:
            continue  # the usual case: two that own their memory
        if partly_overlaps(array, other):
            raise RuntimeError(SHARED_MEMORY)


def repeats(array: Any) -> bool:
    """Whether an expanded dimension shows the same memory again and again."""
    pairs = zip(array.strides, array.shape, strict=True)
    return bool(array.size) and any(stride == 0 and size > 1 for stride, size in pairs)


def write_changed(memory: Any, result: Any) -> None:
    """Writes where the result differs, so that a place shown twice keeps what was written once."""
    np.copyto(memory, result, where=(memory != result) & ((memory == memory) | (result == result)))


def is_same(array: Any, other: Any) -> bool:
    """Whether two arrays are the same elements in the same order."""
    return bool(
        array.__array_interface__["data"] == other.__array_interface__["data"]
        and array.strides == other.strides
        and array.shape == other.shape
    )


def partly_overlaps(array: Any, other: Any) -> bool:
    """Whether two arrays without gaps share some memory but are not the same elements."""
    return bool(
        array.size
        and other.size
        and np.may_share_memory(array, other)
        and not is_same(array, other)
        and dense(array)
        and dense(other)
    )


def check_result(self: TensorBase, array: Any) -> None:
    """The result must fit into `self` in shape and dtype."""
    if array.shape != self._array.shape:
        raise mismatch(self._array.shape, array.shape)
    found, wanted_dtype = from_numpy(array.dtype), self.dtype
    if found is not wanted_dtype and not can_cast(found, wanted_dtype):
        raise RuntimeError(
            f"result type {found.scalar_name} can't be cast to the desired output type "
            f"{wanted_dtype.scalar_name}"
        )
