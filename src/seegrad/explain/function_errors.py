"""Errors that PyTorch raises about custom Functions: which one is meant, and the line."""

from typing import Any

from seegrad.autograd._function_texts import NOT_RETURNED
from seegrad.explain.function_calls import Call
from seegrad.explain.function_source import FunctionSource
from seegrad.explain.report import Finding

__all__ = ["VIEW_WRITTEN", "of_error"]

VIEW_WRITTEN = "is a view and is being modified inplace"


def of_error(error: BaseException, call: Call, source: FunctionSource) -> Finding | None:
    """What an error says of a Function, None where it says nothing of it."""
    text = str(error)
    if text == NOT_RETURNED:
        return dirty(call, source)
    cls, position = getattr(error, "_function", (None, None))
    if cls is not call.cls:
        return None
    backward = source.backward
    whole = backward.place(backward.returned())
    name = "" if position is None else call.argument(position)
    if "incorrect number of gradients" in text:
        count = len(call.others)
        return Finding(
            "function-count",
            f"{call.name}: backward must return {count} gradients, one for each argument of "
            f"forward ({', '.join(map(call.argument, range(count)))}); None for those that need "
            "none",
            whole,
        )
    if "different than None" in text:
        return needless(call, source, position)
    if "invalid gradient" in text:
        return shaped(call, source, position or 0, text)
    kind = text.rpartition("(got ")[2].rstrip(")")
    return Finding(
        "function-left-graph",
        f"{call.name}: backward returns a {kind} for {name}, not a tensor",
        backward.place(backward.maker(position or 0)),
    )


def dirty(call: Call, source: FunctionSource) -> Finding:
    """An input marked dirty and not returned."""
    forward = source.forward
    return Finding(
        "function-dirty-not-returned",
        f"{call.name}: forward marks an input with mark_dirty, and returns another tensor; return "
        "the input itself",
        forward.place(forward.returned()),
    )


def needless(call: Call, source: FunctionSource, position: Any) -> Finding:
    """A gradient for what is no tensor."""
    backward = source.backward
    value = backward.returned()
    return Finding(
        "function-needless-gradient",
        f"{call.name}: {call.argument(position)} is no tensor, so backward must return None for "
        "it",
        backward.place(value),
    )


def shaped(call: Call, source: FunctionSource, position: int, text: str) -> Finding:
    """A gradient of the wrong shape."""
    got, _, wanted = text.partition("got ")[2].partition(" but expected shape compatible with ")
    name = call.argument(position)
    backward = source.backward
    return Finding(
        "function-shape",
        f"{call.name}: the gradient of {name} has the shape {got}, {name} has {wanted}",
        backward.place(backward.maker(position)),
    )
