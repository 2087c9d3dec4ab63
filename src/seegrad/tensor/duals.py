"""Dual tensors: a view of a tensor that carries a tangent, and its two parts."""

from typing import Any

from seegrad.graph.levels import Level, Tangents, carries
from seegrad.graph.tangents import give, laid_out, tangents_of
from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op

__all__ = ["dual", "primal_of", "refuse_given", "refuse_tangent", "tangent_at", "value_below"]


def dual(tensor: Any, tangent: Any, level: Level) -> Any:
    """A view of `tensor` that carries `tangent` at a level, and what it carried before."""
    return rooted(op.view(tensor, tuple(tensor.shape)), tensor, level, tangent)


def rooted(made: Any, tensor: Any, level: Level, tangent: Any = None) -> Any:
    """The view `made` of `tensor` as a base to forward mode, with the earlier tangents."""
    earlier = {n: t for n, t in tangents_of(tensor).items() if n < level.number}
    made._tangents = Tangents()
    made._tangents.rooted = True
    if tangent is not None:
        earlier[level.number] = laid_out(tangent, made._array)
    for number, one in earlier.items():
        give(made, number, one)
    return made


def refuse_tangent(tensor: TensorBase, tangent: TensorBase, level: Level, shown: int) -> None:
    """Raises PyTorch's errors for a tangent that a tensor cannot carry."""
    if level.number in tangents_of(tensor):
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            f"same level {shown} is not supported."
        )
    refuse_given(tensor, tangent, level.number, shown)


def refuse_given(tensor: TensorBase, tangent: TensorBase, number: int, shown: int = 0) -> None:
    """As `refuse_tangent`, for what is given to a tensor that may carry one already."""
    if number in tangents_of(tangent):
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same "
            f"level{shown} is not supported."
        )
    if tensor._array.shape != tangent._array.shape:
        sizes = list(tensor._array.shape), list(tangent._array.shape)
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original "
            f"Tensor, this is not supported. Tensor is of size {sizes[0]} while the given forward "
            f"gradient is of size {sizes[1]}."
        )


def primal_of(tensor: Any, level: Level) -> Any:
    """A view of the tensor without the tangent of a level."""
    return rooted(op.fw_primal(tensor), tensor, level)


def value_below(tensor: Any, level: Level) -> Any:
    """As `primal_of`, as `torch.func` shows it: the memory itself, with an AliasBackward0."""
    return rooted(op.alias(tensor), tensor, level)


def tangent_at(tensor: TensorBase, level: Level) -> Any:
    """The tangent of a tensor at a level, None where it carries none."""
    return tangents_of(tensor).get(level.number) if carries() else None
