"""What a checkpoint says when a function does not do the same thing twice."""

import linecache
import sys
from collections.abc import Iterable
from typing import Any

from seegrad.ops.once import users_level

__all__ = [
    "CheckpointError",
    "Log",
    "check_count",
    "check_metadata",
    "metadata",
    "surplus",
    "unpacked_twice",
]


class CheckpointError(RuntimeError):
    """A checkpointed function saved other tensors when it was run again.

    >>> from seegrad.utils.checkpoint import CheckpointError
    >>> issubclass(CheckpointError, RuntimeError)
    True
    """


CheckpointError.__module__ = "torch.utils.checkpoint"

# PyTorch's text, its hyphen included.
TIP = """

Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\u2011debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""
PREFIX = "torch.utils.checkpoint: "


def metadata(tensor: Any) -> dict[str, Any]:
    """What has to be the same both times."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


def surplus() -> CheckpointError:
    """The function saved more tensors than the first time."""
    return CheckpointError(
        f"{PREFIX}trying to save more tensors during recomputation than during the original "
        f"forward pass.{TIP}"
    )


def check_count(saved: int, recomputed: int) -> None:
    """CheckpointError where the function saved fewer tensors than the first time."""
    if saved != recomputed:
        raise CheckpointError(
            f"{PREFIX}A different number of tensors was saved during the original forward and "
            f"recomputation.\nNumber of tensors saved during forward: {saved}\nNumber of tensors "
            f"saved during recomputation: {recomputed}.{TIP}"
        )


def check_metadata(
    places: Iterable[int], saved: dict[int, Any], recomputed: dict[int, Any]
) -> None:
    """CheckpointError where a tensor has another shape, dtype or device than the first time."""
    found = "".join(
        f"tensor at position {place}:\nsaved metadata: {saved[place]}\n"
        f"recomputed metadata: {recomputed[place]}\n"
        for place in places
        if place in recomputed and saved[place] != recomputed[place]
    )
    if found:
        raise CheckpointError(
            f"{PREFIX}Recomputed values for the following tensors have different metadata than "
            f"during the forward pass.\n{found}.{TIP}"
        )


def unpacked_twice(grouped: bool) -> CheckpointError:
    """A tensor was asked for again in the pass that has had it."""
    overlap = (
        "Performing two backward calls that overlap (i.e. require the same saved activation in "
        "order to compute gradients) is not allowed while under the "
        "torch.utils.checkpoint.GraphExecGroup context. "
    )
    return CheckpointError(
        f"{PREFIX}Unpack is being triggered for a tensor that was already unpacked once. "
        f"{overlap if grouped else ''}If you are calling ctx.saved_tensors in backward, make sure "
        "to do so only once. Otherwise please open an issue with details on your use case."
    )


HEAD = """ An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.
"""
FOOT = """
 ERROR: Detected non-determinism while running activation checkpointing

 The two lists name every tensor that was saved, with the line that saved it. Where they begin to
 differ, the function did something else when it was run again.
"""


class Log:
    """Which tensors were saved where, in the forward pass and in the last recomputation."""

    def __init__(self) -> None:
        self.runs: dict[str, list[str]] = {"original": [], "recompute": []}

    def restart(self) -> None:
        """Forgets the last recomputation."""
        self.runs["recompute"].clear()

    def note(self, run: str, tensor: Any) -> None:
        """Adds a tensor that is being saved."""
        shape = ", ".join(map(str, tensor.shape))
        self.runs[run].append(f"{tensor.dtype}[{shape}]  {user_line()}")

    def text(self) -> str:
        """The error message that shows both runs."""
        parts = [HEAD]
        for run, title in (("original", "original forward"), ("recompute", "recomputation")):
            lines = self.runs[run]
            parts.append(f"\nTensors saved during the {title}:\n\n")
            numbered = enumerate(lines, 1)
            parts += [f"{line}   ({n} of {len(lines)} in {run})\n" for n, line in numbered]
        return "".join((*parts, FOOT))


def user_line() -> str:
    """The innermost line that is not of this package."""
    frame = sys._getframe(users_level() - 1)
    file, line = frame.f_code.co_filename, frame.f_lineno
    return f"{file}:{line}: {linecache.getline(file, line).strip()}"
