"""Where a backward that returned something wrong is defined, as a note on PyTorch's error."""

import inspect
from typing import Any

from seegrad.errors import Raised, noted

__all__ = ["blamed"]


def blamed(node: Any, error: Raised, position: int | None = None) -> Raised:
    """The error of a custom backward, with a note that says where that is defined.

    Tools find the class, and the position of the argument, in `_function`.
    """
    cls = node._forward_cls
    error._function = cls, position  # type: ignore[attr-defined]
    backward: Any = inspect.unwrap(node._get_user_fn())
    code = getattr(backward, "__code__", None)
    if code is None:
        return error
    name = getattr(backward, "__name__", "backward")
    where = f'File "{code.co_filename}", line {code.co_firstlineno}'
    return noted(error, f"It was returned by {cls.__name__}.{name}, defined in {where}.")
