"""Names of `torch.func` with little to do where no tensor is wrapped and nothing is traced."""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.graph.tensor import TensorBase

__all__ = ["debug_unwrap", "functionalize"]

REMOVE = """\
functionalize(f, remove='mutations'): received invalid argument for remove={}. Valid options are:
     remove='mutations': all inplace and out= operators will be removed from the program, and \
replaced with their out-of-place equivalents.
     remove='mutations_and_views': In addition to the above, all aliasing operators {{view}} will \
be replaced with their non-aliasing counterparts, {{view}}_copy.
"""


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """A function that returns and writes what `func` does.

    Whoever traces a function gets its program without writes, or without views too, of it in
    PyTorch. Raises RuntimeError for a `remove` that is neither "mutations" nor
    "mutations_and_views".

    >>> import seegrad as torch
    >>> x = torch.zeros(2)
    >>> torch.func.functionalize(lambda t: t.add_(1))(x), x
    (tensor([1., 1.]), tensor([1., 1.]))
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(REMOVE.format(remove))

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return wrapped


def debug_unwrap(tensor: Any, *, recurse: bool = True) -> Any:
    """The tensor itself: what a transformed function gets is wrapped in nothing.

    Raises TypeError for what is no tensor.

    >>> import seegrad as torch
    >>> x = torch.ones(2)
    >>> torch.func.debug_unwrap(x) is x
    True
    """
    if not isinstance(tensor, TensorBase):
        raise TypeError(f"debug_unwrap(): expected a tensor, got {type(tensor)}")
    return tensor
