"""Two tensors change places: whoever holds the one looks at the other."""

import weakref
from typing import Any

__all__ = ["swap_tensors"]


def swap_tensors(t1: Any, t2: Any) -> None:
    """Exchanges everything of two tensors but their identities: numbers, history, class, names.

    Raises RuntimeError where one of them is referred to weakly.

    >>> import seegrad as torch
    >>> a, b = torch.zeros(1), torch.ones(2)
    >>> torch.utils.swap_tensors(a, b)
    >>> a
    tensor([1., 1.])
    """
    for name, tensor in (("t1", t1), ("t2", t2)):
        if weakref.getweakrefs(tensor):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
    for tensor in (t1, t2):
        node = tensor._accumulator() if tensor._accumulator is not None else None
        if node is not None:
            node.variable = tensor
