"""Saved tensors that hooks packed: what a node keeps of them, and the way back.

Note [Packed]: a node's `saved` is a flat tuple, unless hooks packed one of its tensors; then it is
a Packed around that tuple, in which a PackedValue stands for each of them. Whoever reads `saved`
asks for the class of the tuple anyhow, because freed values have to be noticed, so packed ones
cost the others nothing. A packed value has no version: what the hooks return is the value.
"""

from typing import TYPE_CHECKING, Any

from seegrad.graph.hooks import hooks_of
from seegrad.graph.levels import bearing
from seegrad.graph.state import Pair, recording
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap
from seegrad.graph.versions import Counter, own_counter

if TYPE_CHECKING:
    from seegrad.graph.node import Node

__all__ = ["Packed", "PackedValue", "check_hooks", "flat", "pack", "replace", "unpacked"]

MODIFIED = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)


class PackedValue:
    """One tensor that a hook packed, with the history that it gets back."""

    __slots__ = (
        "accumulator",
        "is_result",
        "node",
        "nr",
        "packed",
        "requires",
        "tangents",
        "unpack_hook",
    )

    def __init__(self, tensor: Any, packed: Any, unpack_hook: Any, is_result: bool) -> None:
        self.packed = packed
        self.unpack_hook = unpack_hook
        self.is_result = is_result
        self.requires = requires(tensor)
        # A result belongs to the node that keeps this: kept here it would be a cycle.
        self.node = None if is_result or not self.requires else tensor.grad_fn
        self.nr = tensor._nr
        self.accumulator = tensor._accumulator
        self.tangents = tensor._tangents

    def unpack(self, node: "Node", written: Any = None) -> Any:
        """What the hook returns; a new Tensor of it with the history that the saved one had."""
        found = self.unpack_hook(self.packed)
        if not isinstance(found, TensorBase):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                f"type {type(found).__name__}"
            )
        if not self.requires and self.tangents is None:
            return found
        tensor = wrap(found._array)
        tensor._counter = own_counter(found)
        tensor._shared = found._shared
        if self.requires:
            set_requires(tensor, True)
            tensor._node, tensor._nr = self.history(node, written)
            tensor._accumulator = self.accumulator
        return bearing(tensor, self.tangents)

    def history(self, node: "Node", written: Any) -> tuple[Any, int]:
        """The node of the unpacked tensor, and which output it is."""
        if not self.is_result:
            return self.node, self.nr
        if written is not None and len(written) == 3:  # written into a view (Note [Views])
            return written[2].node(), 0
        return node, self.nr


class Packed:
    """The saved values of a node, some of them packed."""

    __slots__ = ("flat",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.flat = values


def pack(tensor: Any, hooks: Pair, is_result: bool = False) -> PackedValue:
    """Calls the pack hook, which must leave its tensor as it is; RuntimeError if it does not."""
    before = tensor._counter.value
    with recording(False):
        packed = hooks[0](tensor)
    if tensor._counter.value != before:
        raise RuntimeError(MODIFIED)
    return PackedValue(tensor, packed, hooks[1], is_result)


def flat(node: "Node") -> Any:
    """The flat tuple of a node that was not freed, packed values and all."""
    saved = node._saved
    return saved if saved.__class__ is tuple else saved.flat


def replace(node: "Node", place: int, *values: Any) -> None:
    """Puts values into the flat tuple of a node."""
    before = flat(node)
    after = (*before[:place], *values, *before[place + len(values) :])
    is_packed = node._saved.__class__ is not tuple or values[0].__class__ is PackedValue
    if is_packed:
        hooks_of(node)  # so that the loop looks at it: unpacking may register hooks on the node
    node._saved = Packed(after) if is_packed else after


def unpacked(node: "Node", values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The flat tuple with all values unpacked, in the order of their names as PyTorch does it."""
    result = list(values)
    places = [place for place, value in enumerate(values) if value.__class__ is PackedValue]
    for place in sorted(places, key=lambda place: node._tensor_names[place // 2]):
        value, written = values[place], values[place + 1]
        tensor = value.unpack(node, written)
        if not value.is_result:
            result[place : place + 2] = tensor, tensor._counter.value
        elif written is not None and len(written) == 3:
            still = Counter(written[1])
            result[place : place + 2] = tensor._array, (still, written[1], written[2])
        else:
            result[place : place + 2] = tensor._array, None
    return tuple(result)


def check_hooks(name: str, hooks: tuple[Any, ...], this: str, invoked: str) -> None:
    """PyTorch's TypeError unless `hooks` are two functions."""
    if len(hooks) == 2 and all(callable(hook) for hook in hooks):
        return
    first = 1 if this else 0
    arguments = [f"arg{i - first}: collections.abc.Callable" for i in (first, first + 1)]
    shown = ", ".join([*([f"self: {this}"] if this else []), *arguments])
    given = ", ".join([*([invoked] if invoked else []), *map(repr, hooks)])
    raise TypeError(
        f"{name}(): incompatible function arguments. The following argument types are supported:\n"
        f"    1. ({shown}) -> None\n\nInvoked with: {given}"
    )
