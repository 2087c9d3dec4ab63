"""What `vmap` does with a custom Function: its rule, called for a batch of one sample."""

from typing import Any, NamedTuple

from seegrad.autograd._function_texts import INCOMPATIBLE, NO_RULE, TWO_RETURNS, TWO_RULES
from seegrad.autograd._trees import flatten, spread
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase

__all__ = ["VmapInfo", "by_rule", "has_rule"]


class VmapInfo(NamedTuple):
    """What a `vmap` staticmethod is told; on the stack of transformations it stands for a vmap."""

    batch_size: int
    randomness: str


VmapInfo.__module__ = "torch._functorch.autograd_function"


def has_rule(cls: Any, generated: Any) -> bool:
    """Whether a `vmap` is at work and the Function has a rule for it; RuntimeError for no rule.

    `generated` is the `vmap` of a Function without one.
    """
    if not thread.state.maps_samples():
        return False
    own = cls.vmap is not generated
    if own and cls.generate_vmap_rule:
        raise RuntimeError(TWO_RULES.format(cls.__name__))
    if not own and not cls.generate_vmap_rule:
        raise RuntimeError(NO_RULE.format(cls.__name__))
    return own


def by_rule(cls: Any, *args: Any) -> Any:
    """The outputs for one sample: those of the rule for a batch that holds only this one.

    The rule runs outside of its `vmap`, as in PyTorch, so that it may apply the Function.
    """
    state = thread.state
    before = state.transforms
    place = max(n for n, one in enumerate(before) if isinstance(one, VmapInfo))
    tensors = [isinstance(arg, TensorBase) for arg in args]
    state.transforms = before[:place]
    try:
        returned = cls.vmap(
            VmapInfo(1, before[place].randomness),
            tuple(0 if is_tensor else None for is_tensor in tensors),
            *[a.unsqueeze(0) if t else a for a, t in zip(args, tensors, strict=True)],
        )
        return sample_of(returned, copied=not state.mode)
    finally:
        state.transforms = before


def sample_of(returned: Any, copied: bool) -> Any:
    """The one sample of what a rule returned: outputs, and the dimension of the batch in them."""
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise RuntimeError(TWO_RETURNS.format(type(returned)))
    output, out_dims = returned
    leaves, structure = flatten(output)
    dims = spread(out_dims, structure)
    if dims is None:
        told = flatten(out_dims)[1].told()
        raise RuntimeError(INCOMPATIBLE.format(out_dims, told, structure.told()))
    taken = [
        leaf if dim is None or not isinstance(leaf, TensorBase) else select(leaf, dim, copied)
        for leaf, dim in zip(leaves, dims, strict=True)
    ]
    return structure.filled(taken)


def select(leaf: Any, dim: int, copied: bool) -> Any:
    """The one sample; a copy where it becomes the output of a node, which is no view."""
    sample = leaf.select(dim, 0)
    return sample.clone() if copied else sample
