"""Questions to the backward pass that runs in this thread, and what it calls at its end."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from seegrad.graph.accumulate import accumulate
from seegrad.graph.backward import Pass, execute, finish
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.state import thread

__all__ = [
    "execution_order",
    "is_checkpoint_valid",
    "pass_id",
    "queue_callback",
    "running_node",
    "will_execute",
]

OUTSIDE = "Final callbacks can only be installed during backward pass."
LEAF_IN_GRAD = (
    "A leaf node was passed to _will_engine_execute_node but we are currently running "
    "autograd.grad(). This is currently not supported."
)
ONE_THREAD = (
    "get_current_graph_task_execution_order expects the current backward to be executed with "
    "multithreading disabled, e.g. by running:\n\n"
    ">>> with torch.autograd.set_multithreading_enabled(False):\n"
    "...     torch.autograd.grad(...)\n"
)

# The node that runs is a local variable of the loop: asked for there, it costs the loop nothing.
HOLDERS = {execute.__code__: "node", accumulate.__code__: "node", finish.__code__: "leaf"}


def pass_id() -> int:
    """The number of the innermost backward pass of this thread, -1 outside of any."""
    current = thread.state.current
    return -1 if current is None else current.number


def running_node() -> Node | None:
    """The node that this thread runs, None outside of a backward pass."""
    frame = sys._getframe(1) if thread.state.current is not None else None
    while frame is not None:
        name = HOLDERS.get(frame.f_code)
        if name is not None:
            found: Node = frame.f_locals[name]
            return found
        frame = frame.f_back
    return None


def queue_callback(callback: Callable[[], Any]) -> None:
    """Has the innermost pass call `callback()` when all its nodes have run.

    Raises RuntimeError outside of a backward pass.
    """
    current = thread.state.current
    if current is None:
        raise RuntimeError(OUTSIDE)
    current.callbacks.append(callback)


def running_pass(asked: str) -> Pass:
    """The innermost pass; RuntimeError outside of any."""
    current: Pass | None = thread.state.current
    if current is None:
        raise RuntimeError(f"{asked} should only be called during the backward pass")
    return current


def will_execute(node: Any) -> bool:
    """Whether the innermost pass runs `node`, or captures what arrives there.

    Raises RuntimeError outside of a pass, and for a leaf whose gradient `autograd.grad` returns.
    """
    if not isinstance(node, Node):
        kind = type(node).__name__
        raise RuntimeError(f"_will_engine_execute_node expects an grad_fn, but got {kind}")
    current = running_pass("_get_should_execute_nodes")
    if current.roots == (node,):  # as in PyTorch, which begins there and does not go there
        return False
    if isinstance(node, AccumulateGrad) and node in (current.captures or ()):
        raise RuntimeError(LEAF_IN_GRAD)
    return current.visits([node])[0]


def execution_order() -> list[Node]:
    """The nodes of the innermost pass in the order in which it runs them.

    Raises RuntimeError outside of a pass, and unless multithreading is said to be off.
    """
    current = running_pass("_current_graph_task_execution_order")
    if thread.state.multithreading:
        raise RuntimeError(ONE_THREAD)
    return list(ordered(current))


def ordered(current: Pass) -> Iterator[Node]:
    """The nodes, and each leaf where the last gradient arrives that it waits for."""
    steps: list[tuple[Node | None, tuple[Node | None, ...]]] = [(None, current.roots)]
    steps += [(node, node._next) for node in current.order]
    leaves = current.leaves()
    waiting = Counter(following for _, reached in steps for following in reached)
    for node, reached in steps:
        if node is not None:
            yield node
        for following in reached:
            waiting[following] -= 1
            if following in leaves and not waiting[following]:
                yield following


def is_checkpoint_valid() -> bool:
    """Whether no pass of this thread is restricted to some of the leaves of its graph."""
    current = thread.state.current
    while current is not None and current.needed is None:
        current = current.outer
    return current is None
