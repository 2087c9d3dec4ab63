"""One hook on several tensors, called once in each backward pass.

It hangs as an ordinary hook on every tensor. What the hooks have seen of a pass is kept by the
pass itself, so passes inside of each other, in other threads, or broken off by an error never
mix, and nothing is left over.
"""

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from seegrad.graph.hooks import RemovableHandle
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.state import thread
from seegrad.graph.views import gradient_edge, history

__all__ = ["register_multi_grad_hook"]

MODES = ("all", "any")
LEAF_IN_GRAD = (
    "A leaf node was passed to _will_engine_execute_node but we are currently running "
    "autograd.grad(). This is currently not supported."
)


class _MultiHandle(RemovableHandle):
    """Removes the hook from all tensors."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Removes the hooks; a second call does nothing."""
        for handle in self.handles:
            handle.remove()


_MultiHandle.__module__ = "torch.autograd.graph"


def register_multi_grad_hook(
    tensors: Sequence[Any], fn: Callable[[Any], Any], *, mode: str = "all"
) -> RemovableHandle:
    """Calls `fn` once in each backward pass that computes gradients of some of the tensors.

    Args:
        tensors: tensors that require gradients, leaves or not.
        fn: in mode "all" it gets the gradients of all tensors, None for those that are not part
            of the pass, as soon as the last of them is there; in mode "any" the first gradient
            that is there, alone. What it returns is ignored.
        mode: "all" or "any".

    Returns a handle; `remove()` takes the hook away.
    Raises ValueError for another mode. In mode "all" AssertionError for a tensor that does not
    require a gradient, and RuntimeError within `autograd.grad` with respect to a leaf among the
    tensors.

    >>> import seegrad as torch
    >>> x, y = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook((x, y), print)
    >>> (x * y).backward()
    [tensor(3.), tensor(2.)]
    >>> (x * x).backward()
    [tensor(4.), None]
    """
    if mode not in MODES:
        raise ValueError(f"Expects mode to be one of {MODES} but got {mode}")
    if mode == "any":
        hook = _first_only(fn)
        return _MultiHandle([t.register_hook(hook) for t in tensors if t.requires_grad])
    places = _Places(tensors)
    return _MultiHandle([t.register_hook(places.hook(i, fn)) for i, t in enumerate(tensors)])


def _first_only(fn: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Calls `fn` with the first gradient of each pass."""

    def hook(gradient: Any) -> None:
        notes = thread.state.current.notes
        if hook not in notes:
            notes[hook] = True
            fn(gradient)

    return hook


class _Seen:
    """What one pass brought: gradients by place, and how many are still to come."""

    def __init__(self, expected: int, size: int) -> None:
        self.expected = expected
        self.gradients: list[Any] = [None] * size


class _Places:
    """Where the tensors stand in the graph, so that a pass can tell which of them it visits.

    Nodes are held weakly: the hooks hang on them. The node of a leaf may die and be made anew, so
    a leaf itself is remembered.
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        self.references = [weakref.ref(_source(tensor)) for tensor in tensors]
        self.size = len(tensors)

    def hook(self, place: int, fn: Callable[[Any], Any]) -> Callable[[Any], None]:
        """The hook of one tensor."""

        def hook(gradient: Any) -> None:
            notes = thread.state.current.notes
            seen = notes.get(self)
            if seen is None:
                seen = notes[self] = _Seen(self.visited(thread.state.current), self.size)
            seen.gradients[place] = gradient
            seen.expected -= 1
            if seen.expected == 0:
                fn(seen.gradients)

        return hook

    def visited(self, current: Any) -> int:
        """How many of the tensors take part in this pass."""
        nodes = [_node(reference()) for reference in self.references]
        visits = current.visits(nodes)
        if current.captures is not None and any(
            visit and isinstance(node, AccumulateGrad)
            for node, visit in zip(nodes, visits, strict=True)
        ):
            raise RuntimeError(LEAF_IN_GRAD)
        return sum(visits)


def _source(tensor: Any) -> Any:
    """The node of a tensor, or the tensor itself where it is a leaf."""
    assert tensor.requires_grad, "Expected gradient function to be set"
    return history(tensor) or tensor


def _node(source: Any) -> Node | None:
    return source if source is None or isinstance(source, Node) else gradient_edge(source)
