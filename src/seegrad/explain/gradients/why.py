"""`why(tensor)`: one sentence on its gradient, then the evidence."""

import sys
from typing import Any

from seegrad.explain.gradients.causes import Cause, Subject, cause_of
from seegrad.explain.gradients.chains import kind_of_word
from seegrad.explain.gradients.gradientless import finding_of
from seegrad.explain.gradients.zeros import is_zero
from seegrad.explain.record import made_of
from seegrad.explain.report import Finding, Report
from seegrad.explain.source.frames import named
from seegrad.explain.watching import Watch, current_watch
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["why"]

UNSEEN = "nobody watched: run this under explain.watch() and the line is named"


def why(tensor: Any) -> Report:
    """Says why the `.grad` of a tensor is None or zero: one sentence, then the evidence.

    Under `explain.watch()` it names the line that cut, reset or never asked; without, it says
    what the graph alone tells. The report is empty where a gradient is there. Raises TypeError
    for what is not a tensor.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> w = torch.ones(2, requires_grad=True)
    >>> (w.detach() * 3).sum().requires_grad_().backward()
    >>> h = w * 3
    >>> print(explain.why(h).findings[0].kind)
    not-a-leaf
    """
    if not isinstance(tensor, TensorBase):
        kind = type(tensor).__name__
        raise TypeError(f"why() explains the gradient of a tensor, but got {kind}")
    caller = sys._getframe(1)
    name = named(tensor, [caller.f_locals, caller.f_globals]) or "this tensor"
    before, thread.state.heard = thread.state.heard, True
    try:
        return answer(tensor, name, current_watch())
    finally:
        thread.state.heard = before


def answer(tensor: Any, name: str, watch: Watch | None) -> Report:
    """As `why`, with the name and the watch."""
    grad = tensor._grad
    if grad is not None and not is_zero(grad):
        return Report([], f"the gradient of {name} is there, the largest value {largest(grad)}")
    if grad is not None:
        return of_zero(tensor, name, watch)
    cause = seen_cause(tensor, name, watch) if watch is not None else plain_cause(tensor)
    if cause is not None:
        return Report([finding_of(cause, [name])])
    if watch is not None and not watch.record.passes:
        return Report([], f"backward has not run yet under this watch, so {name} has no gradient")
    return Report([unknown(tensor, name, watch)])


def largest(grad: Any) -> str:
    """The largest value of a gradient, abbreviated."""
    return f"{abs(grad._array).max():.4g}"


def of_zero(tensor: Any, name: str, watch: Watch | None) -> Report:
    """Where a gradient of zeros came from."""
    for one, origin in watch.zeros.zero_leaves() if watch is not None else ():
        if one is tensor and origin.kind:
            call = origin.made.name if origin.made is not None else ""
            return Report([finding_of(Cause(origin.kind, origin.place, call=call), [name])])
    evidence = () if watch is not None else (UNSEEN,)
    return Report(
        [Finding("zero", f"the gradient of {name} is there, and all zero", None, evidence)]
    )


def seen_cause(tensor: Any, name: str, watch: Watch) -> Cause | None:
    """What the watch knows."""
    leaf = watch.seen.leaves.get(id(tensor))
    reset = leaf.reset[0] if leaf is not None and leaf.reset is not None else tensor._reset_by
    subject = Subject(
        made_of(tensor), tensor, id(tensor), name, bool(tensor.is_leaf), requires(tensor),
        watch.record.pass_count, reset,
    )  # fmt: skip
    return cause_of(subject, watch.record, watch.seen)


def plain_cause(tensor: Any) -> Cause | None:
    """What the graph alone tells."""
    if not requires(tensor):
        word = tensor._cut
        if word is None:
            return Cause("requires-grad-never-set", None, (UNSEEN,))
        kind = kind_of_word(word)
        return None if kind is None else Cause(kind, None, (UNSEEN,), call=word)
    if not tensor.is_leaf and not tensor.retains_grad:
        return Cause("not-a-leaf", None, (), call=tensor.grad_fn.name())
    return None


def unknown(tensor: Any, name: str, watch: Watch | None) -> Finding:
    """What may be, where the graph does not tell."""
    said = (
        f"no backward has left a gradient at {name}: none ran, or no way leads there from the "
        "loss, or it was reset"
    )
    return Finding("no-gradient", said, None, () if watch is not None else (UNSEEN,), False)
