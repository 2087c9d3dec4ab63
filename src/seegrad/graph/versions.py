"""Version counters: how many times the memory of a tensor was written in place.

Note [Versions]: tensors that nobody has written to, viewed or detached share the counter NEVER,
which stays 0. The first write, view or detach makes a real one, shared from then on by base, views
and detached aliases. A node that saved this tensor as its own output keeps `(counter, version)`
beside the array; it is handed the counter when the counter is made.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seegrad.errors import INFERENCE_VERSION, INFERENCE_WRITTEN
from seegrad.graph.counters import CUT, NEVER, UNTRACKED, Counter, Cut, Untracked
from seegrad.graph.state import thread

if TYPE_CHECKING:
    from seegrad.graph.tensor import TensorBase

__all__ = [
    "NEVER",
    "UNTRACKED",
    "Counter",
    "alias_counter",
    "bump",
    "cut",
    "is_inference",
    "own_counter",
    "set_versions",
    "version_of",
]


def own_counter(tensor: "TensorBase") -> Counter:
    """The tensor's counter, made now if it still shared NEVER."""
    counter = tensor._counter
    if counter is NEVER:
        counter = tensor._counter = Counter()
        node = tensor._node
        if node is not None:
            node._adopt_counter(tensor._nr, counter)
    return counter


def bump(tensor: "TensorBase") -> None:
    """Counts one write to the memory of `tensor`.

    Raises RuntimeError outside of inference mode for an inference tensor: after the write, as
    PyTorch does.
    """
    counter = tensor._counter
    if counter is NEVER:
        counter = own_counter(tensor)
    if counter.__class__ is Untracked:
        if counter.writes is not None:
            counter.writes += 1
        elif not thread.state.inference:
            raise RuntimeError(INFERENCE_WRITTEN)
    else:
        counter.value += 1


def is_inference(tensor: "TensorBase") -> bool:
    """Whether `tensor` was made in inference mode (Note [Inference])."""
    return tensor._counter.__class__ is Untracked


def alias_counter(tensor: "TensorBase") -> Counter:
    """The counter of a detached alias: shared, but for inference tensors."""
    if tensor._counter.__class__ is not Untracked:
        return own_counter(tensor)
    return UNTRACKED if thread.state.inference else Untracked(0)


def cut(tensor: "TensorBase") -> None:
    """Lets those who saved a tensor with a history know that it has none any more."""
    tensor._counter = Cut(own_counter(tensor))


def set_versions(tensors: "Sequence[TensorBase]", versions: Sequence[int]) -> None:
    """Has each tensor, and what shares its memory, say a version."""
    if len(tensors) != len(versions):
        raise RuntimeError(f"tensors_len={len(tensors)}, versions_len={len(versions)}")
    for tensor, version in zip(tensors, versions, strict=True):
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
        own_counter(tensor).value += version - version_of(tensor)


def version_of(tensor: "TensorBase") -> int:
    """How often the memory was written to; RuntimeError where nobody counts."""
    counter = tensor._counter
    if counter.__class__ is not Untracked:
        return counter.value % CUT
    if counter.writes is None:
        raise RuntimeError(INFERENCE_VERSION)
    return counter.writes
