"""Why a tensor requires no gradient although it was made from one that does.

Note [Cut]: what makes such a tensor says why in its `_cut`, a short word: "detach", "data",
"no_grad", or the operator that has no derivative ("gt", "argmax", "to_copy"). Operators that do
not record carry it on, so that the error of a loss without history can name the cause. Recording
pays nothing for it. The output of a custom Function may have one and a history: nobody reads it.
"""

from typing import Any

from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.versions import is_inference

__all__ = ["carry", "cause", "reason", "told"]


def cause(name: str, *operands: Any) -> str | None:
    """Why the result of operator `name`, which was not recorded, has no history."""
    found = None
    for operand in operands:
        if isinstance(operand, TensorBase):
            if requires(operand):
                return name if thread.state.mode else "no_grad"
            found = found or operand._cut
        elif isinstance(operand, (list, tuple)):
            found = found or cause(name, *operand)
    return found


def carry(name: str, operands: Any, outs: Any) -> None:
    """Tells results that were not recorded why."""
    found = cause(name, *operands)
    if found is not None:
        for out in outs:
            out._cut = found


_SAID = {
    "detach": "detach() cut it from its history",
    "data": ".data cut it from its history",
    "no_grad": "it was computed while no_grad() was on",
    "to_copy": "it went through a dtype that has no gradients (integer or bool)",
}
_UNKNOWN = (
    "as far as is known it was made of nothing that requires a gradient: requires_grad=True was "
    "never set, or the values went through Python numbers or NumPy"
)


def reason(tensor: TensorBase) -> str:
    """Why a tensor has no history."""
    word = tensor._cut
    if word is None:
        return _UNKNOWN
    if word == "no_grad" and is_inference(tensor):
        return "it was computed in inference_mode()"
    return _SAID.get(word, f"it went through {word}, which has no derivative")


def told(tensor: TensorBase) -> str:
    """As `reason`, as the note on an error says it."""
    return f"Why: {reason(tensor)}. `python -m seegrad run --explain SCRIPT` names the line."
