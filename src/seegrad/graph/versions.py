"""Version counters: how many times the memory of a tensor was written in place.

Note [Versions]: tensors that nobody has written to, viewed or detached share the counter NEVER,
which stays 0. The first write, view or detach makes a real one, shared from then on by base, views
and detached aliases. A node that saved this tensor as its own output keeps `(counter, version)`
beside the array; it is handed the counter when the counter is made.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from seegrad.graph.tensor import TensorBase

__all__ = ["NEVER", "Counter", "bump", "own_counter"]


class Counter:
    """The number of writes to one piece of memory."""

    __slots__ = ("value",)

    def __init__(self, value: int = 0) -> None:
        self.value = value


NEVER: Final = Counter()


def own_counter(tensor: "TensorBase") -> Counter:
    """The tensor's counter, made now if it still shared NEVER."""
    counter = tensor._counter
    if counter is NEVER:
        counter = tensor._counter = Counter()
        node = tensor._grad_fn
        if node is not None:
            node._adopt_counter(tensor._nr, counter)
    return counter


def bump(tensor: "TensorBase") -> None:
    """Counts one write to the memory of `tensor`."""
    counter = tensor._counter
    if counter is NEVER:
        counter = own_counter(tensor)
    counter.value += 1
