"""`Function.apply` written out for a number of tensor arguments.

Calling a custom Function is on the hot path: with loops over the arguments it takes twice as long.
What is written out is the usual call: every argument a plain tensor, recording on, one new plain
output. Everything else goes to the general way, which does the same in loops.
"""

from functools import cache
from sys import getrefcount
from typing import Any

import numpy as np

from seegrad.graph.node import AccumulateGrad, next_sequence
from seegrad.graph.state import ASK, thread
from seegrad.graph.versions import NEVER
from seegrad.graph.views import gradient_edge
from seegrad.operators.nodes import build
from seegrad.operators.source import edge_of, lines, tuple_of
from seegrad.tensor.tensor import Tensor

__all__ = ["apply_source", "run_source", "written_out"]


def apply_source(count: int) -> str:
    """The text of `apply` for `count` arguments."""
    names = [f"input{i}" for i in range(count)]
    needs = [f"needs{i}" for i in range(count)]
    edges = [f"{edge_of(n)} if {f} else None" for n, f in zip(names, needs, strict=True)]
    # Arguments by name: a tuple of them costs 30 ns.
    expected = ", ".join([f"{name}=missing" for name in names])
    text = f"def apply(cls, {expected}, /, *others, **kwargs):\n" + lines(1, "try:")
    text += lines(2, *[f"{f} = {n}._requires_grad" for n, f in zip(names, needs, strict=True)])
    text += lines(2, "state = thread.state")
    usual = [
        "state.mode == 1",
        "not state.transforms",
        "not others",
        "not kwargs",
        "(" + " or ".join(needs) + ")",
    ]
    text += lines(2, f"usual = {' and '.join(usual + [f'{f} is not ASK' for f in needs])}")
    text += lines(1, "except UNFIT:") + lines(2, "usual = False") + lines(1, "if not usual:")
    text += lines(2, f"args = {tuple_of([*names, '*others'])}")
    text += lines(2, "return general(cls, tuple([a for a in args if a is not missing]), kwargs)")
    text += lines(1, "ctx = cls._backward_cls()", f"ctx.needs_input_grad = {tuple_of(needs)}")
    # Set although the class says the same: what an instance has is read five times as fast.
    text += lines(1, "ctx._marked = False", "ctx._nrs = ctx._hooks = None")
    text += lines(1, f"ctx._next = {tuple_of(edges)}", "state.mode = 0", "try:")
    text += lines(2, f"out = cls.forward(ctx, {', '.join(names)})") + lines(1, "finally:")
    text += lines(2, "state.mode = state.on") + lines(1, "ctx._sequence = next_sequence()")
    # A view says ASK in `_requires_grad`, an input that needs a gradient says True.
    special = ["out.__class__ is not Tensor", "out._requires_grad is not False", "ctx._marked"]
    special += [f"out is {n}" for n in names] + [f"{n}._nr" for n in names]
    text += lines(1, f"if {' or '.join(special)}:")
    text += lines(2, f"return record(ctx, {tuple_of(names)}, ctx.needs_input_grad, out)")
    text += lines(1, "array = out._array", "ctx._shape = array.shape", "ctx._dtype = array.dtype")
    text += lines(1, "out._requires_grad = True", "out._node = ctx")
    text += lines(1, "if ctx.to_save is not None:") + lines(2, "save(ctx, out)")
    return text + lines(1, "return out")


def run_source(count: int) -> str:
    """The text of a node's `_run` for `count` tensor arguments."""
    names = [f"grad{i}" for i in range(count)]
    edges = [f"edge{i}" for i in range(count)]
    comma = "," if count == 1 else ""
    text = "def _run(node, grad):\n" + lines(1, "if not node._plain_call or grad is None:")
    text += lines(2, "return run_generally(node, grad)")
    text += lines(1, "lent = new(Tensor)")
    text += lines(1, "lent._array = grad if grad.__class__ is ndarray else asarray(grad)")
    text += lines(1, "lent._counter, lent._cut = NEVER, None")
    text += lines(1, "lent._shared = True", "lent._requires_grad = False")
    # The pass has switched recording off already: no need to do so for each node.
    text += lines(1, "returned = node._forward_cls.backward(node, lent)")
    # The user's code may have switched it on; that holds for this node only.
    text += lines(1, "state = thread.state", "if state.mode:") + lines(2, "state.mode = 0")
    if count == 1:
        text += lines(1, "if returned.__class__ is not tuple:")
        text += lines(2, "returned = (returned,)") + lines(1, "try:")
    else:
        text += lines(1, "if returned.__class__ is not tuple:")
        text += lines(2, "return arrays_of(node, (returned,))") + lines(1, "try:")
    text += lines(2, f"{', '.join(names)}{comma} = returned")
    text += lines(2, f"{', '.join(edges)}{comma} = node._next")
    items = [f"None if {g} is None else {g}._array" for g in names]
    text += lines(2, f"arrays = {tuple_of(items)}")
    text += lines(1, "except UNFIT:") + lines(2, "return arrays_of(node, returned)")
    for index, (grad, edge) in enumerate(zip(names, edges, strict=True)):
        # Only a leaf may take an array as its own (Note [Fresh]).
        held = f"getrefcount({grad}) > ALONE[0] or getrefcount(arrays[{index}]) > ALONE[1]"
        text += lines(1, f"if {edge}.__class__ is AccumulateGrad and ({held}):")
        text += lines(2, "return arrays_of(node, returned)")
    return text + lines(1, "return arrays")


def alone() -> tuple[int, int]:
    """How many references a returned Tensor and its array have when nobody else holds them.

    Counted as the text below counts, because interpreters differ in what they count.
    """
    returned = (tensor_of(np.empty(2)),)
    (grad0,) = returned
    arrays = (grad0._array,)
    return getrefcount(grad0), getrefcount(arrays[0])


def tensor_of(array: Any) -> Any:
    """A Tensor as an operator makes it."""
    tensor = object.__new__(Tensor)
    tensor._array = array
    return tensor


ALONE = alone()
MISSING = object()  # where an argument was not given


@cache
def compiled(kind: str, count: int) -> dict[str, Any]:
    """The scope in which a written-out function was compiled; the caller adds its helpers."""
    scope: dict[str, Any] = {
        "ALONE": ALONE, "ASK": ASK, "AccumulateGrad": AccumulateGrad, "Tensor": Tensor,
        "UNFIT": (AttributeError, TypeError, ValueError), "NEVER": NEVER,
        "asarray": np.asarray, "gradient_edge": gradient_edge, "missing": MISSING,
        "ndarray": np.ndarray, "new": object.__new__, "next_sequence": next_sequence,
        "nothing": type(None), "thread": thread,
    }  # fmt: skip
    text = apply_source(count) if kind == "apply" else run_source(count)
    build(text, f"Function {kind} {count}", scope)
    return scope


def written_out(kind: str, count: int, helpers: dict[str, Any]) -> Any:
    """`apply` or `_run` for `count` arguments."""
    scope = compiled(kind, count)
    scope.update(helpers)
    return scope["apply" if kind == "apply" else "_run"]
