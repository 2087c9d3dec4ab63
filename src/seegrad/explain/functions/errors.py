"""Errors that PyTorch raises about custom Functions: which one is meant, and the line."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from seegrad.autograd._function_texts import NOT_RETURNED
from seegrad.explain.functions.calls import Call
from seegrad.explain.functions.source import FunctionSource
from seegrad.explain.report import Finding

__all__ = ["VIEW_WRITTEN", "is_about", "of_error"]

Shapes = Sequence[tuple[int, ...] | None] | None

VIEW_WRITTEN = "is a view and is being modified inplace"


def of_error(
    error: BaseException, call: Call, source: FunctionSource, shapes: Shapes = None
) -> Finding | None:
    """What an error says of a Function, None where it says nothing of it.

    `shapes`: of what backward returns, None where it returns None.
    """
    text = str(error)
    if not is_about(error, call.cls):
        return None
    if text == NOT_RETURNED:
        return dirty(call, source)
    _, position = error._function  # type: ignore[attr-defined]
    backward = source.backward
    whole = backward.place(backward.returned())
    name = "" if position is None else call.argument(position)
    if "incorrect number of" not in text and is_permuted(call, shapes):
        return Finding(
            "function-order",
            f"{call.name}: backward returns the right gradients in the wrong order; return them "
            f"in the order of forward's arguments ({names_of(call)})",
            whole,
        )
    if "incorrect number of gradients" in text:
        return Finding(
            "function-count",
            f"{call.name}: backward must return {len(call.others)} gradients, one for each "
            f"argument of forward ({names_of(call)}); None for those that need none",
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


def is_about(error: BaseException, cls: Any) -> bool:
    """Whether PyTorch's error is about this Function."""
    found: tuple[Any, Any] = getattr(error, "_function", (None, None))
    return found[0] is cls


def names_of(call: Call) -> str:
    """The arguments of forward, by name."""
    return ", ".join(map(call.argument, range(len(call.others))))


def is_permuted(call: Call, shapes: Shapes) -> bool:
    """Whether the gradients fit the arguments in another order, and not in this one."""
    if shapes is None or len(shapes) != len(call.others) > 1:
        return False
    wanted = [None if a is None else a.shape for a in call.arrays]
    needs = [shape if need else None for shape, need in zip(wanted, call.needs, strict=True)]
    return list(shapes) != wanted and any(
        Counter(shapes) == Counter(one) and list(shapes) != one for one in (wanted, needs)
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
