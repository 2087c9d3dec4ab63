"""Anomaly mode: which line of the forward pass made the node that fails.

While it is on, every node notes the stack of the call that made it, and the node that was running
then, if any: that is how a failing second derivative finds the first one. Nodes run one by one
are watched: an error, or a NaN that a node returns, is explained in a warning before it is raised.
"""

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seegrad.graph.state import ANOMALY, thread
from seegrad.graph.tensor import TensorBase

if TYPE_CHECKING:
    from seegrad.graph.node import Node

__all__ = ["explain", "note", "watched"]

# Where PyTorch has C++, which is in no Python stack.
_package = Path(__file__).parent.parent
INTERNAL = tuple(
    f"{_package / name}{os.sep}"
    for name in ("arrays", "autograd", "graph", "operators", "ops", "tensor")
) + ("<seegrad ",)
ABSENT = (
    "No forward pass information available. Enable detect anomaly during forward pass for more "
    "information."
)


def note(node: "Node") -> None:
    """Notes where a new node was made; nothing unless anomaly mode is on."""
    if not ANOMALY.enabled:
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(INTERNAL):
        frame = frame.f_back
    stack = traceback.format_stack(frame)
    node.metadata["traceback_"] = [line for line in stack if '"<seegrad ' not in line]
    running = thread.state.running
    if running is not None:
        node.metadata["parent_"] = running


def watched(node: "Node", step: Callable[..., Any], *args: Any) -> Any:
    """Calls one step of the backward pass for `node`; what goes wrong in it is explained."""
    state = thread.state
    before, state.running = state.running, node
    try:
        outs = step(*args)
        if ANOMALY.check_nan:
            check_nan(node, outs or ())
    except BaseException:
        explain(node)
        raise
    finally:
        state.running = before
    return outs


def check_nan(node: "Node", outs: tuple[Any, ...]) -> None:
    """Raises where a gradient that the node returned contains a NaN."""
    for index, out in enumerate(outs):
        array = out._array if isinstance(out, TensorBase) else out
        if array is not None and (array != array).any():
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output."
            )


def explain(node: "Node") -> None:
    """Warns with the stack that made the node, and with those of the nodes that induced it."""
    frames = node.metadata.get("traceback_")
    known = f"Traceback of forward call that caused the error:\n{''.join(frames or ())}"
    warn(f"Error detected in {node.name()}. {known if frames else ABSENT}")
    parent = node.metadata.get("parent_")
    while parent is not None:
        frames = parent.metadata.get("traceback_")
        known = "Traceback of forward call that induced the previous calculation:\n"
        text = known + "".join(frames) if frames else ABSENT
        warn(f"\n\nPrevious calculation was induced by {parent.name()}. {text}")
        parent = parent.metadata.get("parent_")


def warn(text: str) -> None:
    """A UserWarning."""
    warnings.warn(text.removesuffix("\n"), UserWarning, stacklevel=4)
