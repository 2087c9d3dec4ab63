"""What nodes save: checked when read, freed after backward, shown as `_saved_*`.

Note [Saved values]: a saved *input* is the Tensor itself with its version at saving. A saved
*output* keeps the array, and `(counter, version)` once there is a counter, but no Tensor: that
would be a cycle through its own node. Read by a formula that records it is tied to its node again.
A Python number is kept as a Number.
"""

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import from_numpy, version_type_name
from seegrad.errors import BACKWARD_TWICE, noted
from seegrad.graph.counters import CUT, NEVER
from seegrad.graph.levels import bearing
from seegrad.graph.packed import PackedValue, check_hooks, flat, pack, replace, unpacked
from seegrad.graph.state import ANOMALY, Pair, recording
from seegrad.graph.tensor import Number, TensorBase, set_requires, wrap

if TYPE_CHECKING:
    from seegrad.graph.node import Node

__all__ = [
    "SavedTensor",
    "add_saved_attributes",
    "freed",
    "live",
    "pack_inputs",
    "pack_results",
    "retie",
    "stale",
    "stale_result",
    "unpack",
    "written",
]

HINT = (
    " Hint: enable anomaly detection to find the operation that failed to compute its gradient, "
    "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
HINT_WATCHED = (
    " Hint: the backtrace further above shows the operation that failed to compute its gradient. "
    "The variable in question was changed in there or anywhere later. Good luck!"
)
TWICE_PACKED = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
    "pair of hooks is allowed at a time."
)
FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
    "of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to "
    "access saved variables after calling backward."
)
CUT_OFF = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is "
    "not supported, please use out-of-place `.detach()` instead"
)
WRITTEN = (
    "{} had saved it as `{}`, to compute a gradient with it, and since then it was written to in "
    "place {}. Make a new tensor instead (`x = x + 1`, not `x += 1`), or write into a clone."
)
FREED_EARLIER = (
    "{} was run by an earlier backward, which freed what it had saved. Where two losses share a "
    "part of the graph, call backward once, on their sum; detach() what is carried over from an "
    "earlier step; compute again what was computed before the loop."
)
NOTHING_SAVED = "Calling register_hooks on a saved tensor with value None is forbidden"


def unpack(node: "Node", saved: Any) -> tuple[Any, ...]:
    """The flat tuple of saved values, where a node's `saved` is not that tuple itself."""
    if saved is None:
        places = range(len(node._saved_for))
        if places and not any(was_kept(node, place) for place in places):
            return (None, 0) * len(places)
        raise freed(node)
    return unpacked(node, saved.flat)


def freed(node: "Node") -> RuntimeError:
    """PyTorch's error for a node whose saved values are gone; the note names the node."""
    note = FREED_EARLIER.format(node.name())
    return noted(RuntimeError(BACKWARD_TWICE), note, kind="freed-graph", node=node)


def was_kept(node: "Node", place: int) -> bool:
    """Whether a node that was freed had kept its saved value at a place: a gradient needed it."""
    if place >= len(node._saved_for):
        return True
    return any(node._next[number] is not None for number in node._saved_for[place])


def pack_inputs(node: "Node", hooks: Pair) -> None:
    """Packs what a new node saved, in the order of the names, but for its own results."""
    results = node._result_slots.values()
    for place in sorted(range(0, len(node._saved), 2), key=lambda p: node._tensor_names[p // 2]):
        value = flat(node)[place]
        if place not in results and isinstance(value, TensorBase):
            replace(node, place, pack(value, hooks))


def pack_results(node: "Node", hooks: Pair) -> None:
    """Packs the results that a node saved, when they have their history."""
    for place in node._result_slots.values():
        if flat(node)[place] is not None:
            replace(node, place, pack(read_slot(node, place), hooks, is_result=True))


def operator_name(node: "Node") -> str:
    """`ExpBackward0` is called `Exp` inside sentences, and `ProdBackward1` is called `Prod1`."""
    return re.sub(r"Backward(0$|(?=\d*$))", "", node.name())


def modified(
    array: Any, producer: str, node: "Node | None", counter: Any, saved: int
) -> RuntimeError:
    """PyTorch's error for a saved tensor that was written to; the note names who saved it."""
    now, saved = counter.value % CUT, saved % CUT
    kind = version_type_name(from_numpy(array.dtype))
    shape = ", ".join(map(str, array.shape))
    error = RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [{kind} [{shape}]]{producer} is at version {now}; expected version {saved} "
        f"instead.{HINT_WATCHED if ANOMALY.enabled else HINT}"
    )
    times = "once" if now == saved + 1 else f"{now - saved} times"
    note = WRITTEN.format(*reader_of(node, array), times)
    facts = {"node": node, "counter": counter, "version": saved, "shape": array.shape}
    return noted(error, note, kind="wrote-saved-value", **facts)


def reader_of(node: "Node | None", array: Any) -> tuple[str, str]:
    """Who saved an array, and under which name."""
    if node is None:
        return "IndexBackward0", "indices"
    for place, value in enumerate(flat(node)):
        if value is array or getattr(value, "_array", None) is array:
            slot = node._tensor_names[place // 2] if node._builtin else f"saved_tensors[{place}]"
            return node.name(), slot
    return node.name(), "result"


def stale(tensor: Any, version: int, node: "Node | None") -> None:
    """Raises: a saved input was written to, or cut from its history, after it was saved."""
    if tensor._counter.value // CUT != version // CUT:
        raise RuntimeError(CUT_OFF)
    written(tensor, version, node)


def written(tensor: Any, version: int, reader: "Node | None") -> None:
    """Raises where a saved input was written to; as in PyTorch, who only looks may see it cut."""
    if tensor._counter.value % CUT == version % CUT:
        return
    node = tensor.grad_fn
    producer = "" if node is None else f", which is output {tensor._nr} of {operator_name(node)},"
    raise modified(tensor._array, producer, reader, tensor._counter, version)


def stale_result(node: "Node", array: Any, written: Any, nr: int = 0) -> None:
    """Raises: an output that its own node saved was written to."""
    tied = len(written) == 3 and written[2].is_current()
    name = written[2].name() if tied else operator_name(node)
    producer = f", which is output {nr} of {name},"
    raise modified(array, producer, node, written[0], written[1])


def live(value: Any, version: int, node: "Node") -> Any:
    """A saved input for a formula that records."""
    if value.__class__ is Number:
        return value._array
    if value is not None and value._counter.value != version:
        stale(value, version, node)
    return value


def retie(array: Any, node: "Node", written: Any, nr: int = 0) -> Any:
    """A saved output as a Tensor with its node as history."""
    tensor = wrap(array)
    tangents = None if node._tangents is None else node._tangents[nr]
    tensor._counter = NEVER if written is None else written[0]
    if written is not None:
        if len(written) == 3:
            node, nr = written[2].node(), 0
    set_requires(tensor, True)
    tensor._node = node
    tensor._nr = nr
    return tensor if tangents is None else bearing(tensor, tangents)


class SavedTensor:
    """One saved tensor of a node, as `_raw_saved_*` shows it."""

    def __init__(self, node: Any = None, slot: int = 0) -> None:
        if not hasattr(node, "_saved"):
            raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")
        self._node: Node = node
        self._slot = slot

    def unpack(self) -> Any:
        """The saved tensor; RuntimeError when it was freed or written to."""
        return self._node._saved_at(self._slot)

    def register_hooks(self, *hooks: Any) -> None:
        """Packs the saved tensor with `pack_hook` now, and reads it with `unpack_hook`.

        Raises TypeError for what is not two functions; RuntimeError for a tensor that was freed,
        that is None, or whose hooks are set already.
        """
        node, place = self._node, self._slot
        check_hooks("register_hooks", hooks, "torch._C._autograd.SavedTensor", repr(self))
        if node._saved is None:
            raise RuntimeError(FREED)
        value = flat(node)[place]
        if value is None:
            raise RuntimeError(NOTHING_SAVED)
        if value.__class__ is PackedValue:
            raise RuntimeError(TWICE_PACKED)
        is_result = not isinstance(value, (TensorBase, Number))
        # Detached as in PyTorch: a result that the hook keeps would be a cycle with its own node.
        detached = (lambda tensor: hooks[0](tensor.detach()), hooks[1])
        # An input that was written to since is packed as it is, as in PyTorch.
        saved = value if isinstance(value, TensorBase) else node._saved_at(place)
        replace(node, place, pack(saved, detached, is_result))

    @property
    def data(self) -> Any:
        """What is kept: the saved tensor, or what the pack hook made of it; None when freed."""
        if self._node._saved is None:
            return None
        value = flat(self._node)[self._slot]
        if value.__class__ is PackedValue:
            return value.packed
        return wrap(value) if isinstance(value, np.ndarray) else self.unpack()

    @property
    def unpack_hook(self) -> Any:
        """The hook that unpacks the saved tensor, None without one."""
        value = None if self._node._saved is None else flat(self._node)[self._slot]
        return value.unpack_hook if value.__class__ is PackedValue else None

    def __repr__(self) -> str:
        return f"<torch._C._autograd.SavedTensor object at {id(self):#x}>"


SavedTensor.__module__ = "torch._C._autograd"


class PackedIndex:
    """Stands for an index that hooks packed, where kernels ask for its array."""

    def __init__(self, packed: Any, unpack_hook: Any) -> None:
        self.packed, self.unpack_hook = packed, unpack_hook

    @property
    def _array(self) -> Any:
        return self.unpack_hook(self.packed)._array


class SavedIndex(SavedTensor):
    """One of the index tensors of a node, as `_raw_saved_indices` shows it."""

    def unpack(self) -> Any:
        """The index tensor; RuntimeError when the node was freed."""
        return read_indices(self._node)[self._slot]

    def register_hooks(self, *hooks: Any) -> None:
        """As for other saved tensors."""
        node = self._node
        check_hooks("register_hooks", hooks, "torch._C._autograd.SavedTensor", repr(self))
        place = type(node)._constant_names.index("indices")
        indices = node._constants[place]
        value = indices[self._slot]
        if value.__class__ is PackedIndex:
            raise RuntimeError(TWICE_PACKED)
        if node._saved is None:
            raise RuntimeError(FREED)
        if value is None:
            raise RuntimeError(NOTHING_SAVED)
        with recording(False):
            packed = PackedIndex(hooks[0](value), hooks[1])
        constants = list(node._constants)
        constants[place] = indices.replaced(self._slot, packed)
        node._constants = tuple(constants)


SavedIndex.__name__ = SavedIndex.__qualname__ = "SavedTensor"
SavedIndex.__module__ = "torch._C._autograd"


def read_indices(node: "Node") -> tuple[Any, ...]:
    """The index tensors of a node, None for a whole dimension; RuntimeError when it was freed."""
    if node._saved is None:
        raise freed(node)
    indices = node._constants[type(node)._constant_names.index("indices")]
    return tuple(wrap(i._array) if i.__class__ is PackedIndex else i for i in indices)


def raw_indices(node: "Node") -> tuple[Any, ...]:
    """The index tensors as `_raw_saved_indices` shows them."""
    return tuple(SavedIndex(node, number) for number in range(len(read_indices(node))))


def read_slot(node: "Node", slot: int) -> Any:
    """The value at `slot` of a node's saved tuple as users see it."""
    if node._saved is None:
        if not was_kept(node, slot // 2):
            return None
        raise freed(node)
    saved = flat(node)
    value, version = saved[slot], saved[slot + 1]
    if value.__class__ is PackedValue:
        return value.unpack(node, version)
    if isinstance(value, TensorBase):
        written(value, version, node)
    if value.__class__ is Number:
        return wrap(np.asarray(value._array))
    if isinstance(value, np.ndarray):
        nr = next((n for n, s in node._result_slots.items() if s == slot), 0)
        if version is not None and version[0].value != version[1]:
            stale_result(node, value, version, nr)
        return retie(value, node, version, nr)
    return value


def shown(name: str) -> str:
    """PyTorch's attribute name: `self_shape` is `self_sym_sizes`."""
    for ours, theirs in (("_shape", "_sym_sizes"), ("_strides", "_sym_strides")):
        if name.endswith(ours):
            return name.removesuffix(ours) + theirs
    return name.replace("_numel", "_sym_numel")


def saved_attribute_names(cls: "type[Node]") -> list[str]:
    """The `_saved_*` and `_raw_saved_*` attributes of a node class."""
    constants = [shown(name) for name in cls._constant_names if name not in UNSHOWN]
    names = [f"_saved_{n}" for n in (*cls._tensor_names, *constants)]
    names += [f"_raw_saved_{n}" for n in cls._tensor_names]
    names += ["_raw_saved_indices"] if "indices" in cls._constant_names else []
    return names + [f"_saved_{n}" for n in cls._attributes]


def add_saved_attributes(cls: Any) -> None:
    """Gives a node class its `_saved_*` and `_raw_saved_*`.

    As properties: a `__getattr__` on nodes would slow every attribute of the hot path.
    """
    for index, name in enumerate(cls._tensor_names):
        setattr(cls, f"_saved_{name}", property(partial(read_slot, slot=2 * index)))
        setattr(cls, f"_raw_saved_{name}", property(partial(SavedTensor, slot=2 * index)))
    for index, name in enumerate(cls._constant_names):
        if name not in UNSHOWN:
            setattr(cls, f"_saved_{shown(name)}", property(partial(constant, index=index)))
    if "indices" in cls._constant_names:  # tensors, though no operands
        cls._saved_indices, cls._raw_saved_indices = property(read_indices), property(raw_indices)
    for name, value in cls._attributes.items():
        setattr(cls, f"_saved_{name}", value)


def constant(node: "Node", index: int) -> Any:
    """A shape or number that a node keeps; strides, which NumPy counts in bytes, in elements."""
    value, name = node._constants[index], type(node)._constant_names[index]
    if name.endswith("_strides") and node._dtype is not None:
        return tuple(stride // node._dtype.itemsize for stride in value)
    return value if name in NUMBERS else unsigned(value)


# What PyTorch's nodes do not show: it keeps a list of the sizes for itself.
UNSHOWN = frozenset(("tensors_shapes",))

# Parameters that are numbers to PyTorch; other integers are sizes and places, shown unsigned.
NUMBERS = frozenset(
    ("alpha", "beta", "eps", "exponent", "input_scale", "lambd", "max", "max_val", "min")
    + ("min_val", "negative_slope", "ord", "other", "p", "scale", "threshold", "value", "weight")
)


def unsigned(value: Any) -> Any:
    """Integers as PyTorch shows its saved ones: dimension -1 is 2**64 - 1."""
    if value.__class__ is int and value < 0:
        return value + 2**64
    if value.__class__ is tuple and value and all(one.__class__ is int for one in value):
        return tuple(unsigned(one) for one in value)
    return value
