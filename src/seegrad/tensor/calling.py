"""Methods that call a Python function for every element."""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays import views
from seegrad.arrays.dtypes import tensor_type_name
from seegrad.graph.loans import unshare
from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.versions import bump
from seegrad.ops.out import need_tensor
from seegrad.tensor.conversion import python_value
from seegrad.tensor.data import check_fits

__all__ = ["CallingFace"]

NUMBERS = (bool, int, float, complex, np.generic, TensorBase)


class CallingFace(TensorBase):
    """`apply_` and `map_`."""

    def apply_(self, callable: Callable[[Any], Any], /) -> Any:
        """Write what a function makes of each element into its place; slow.

        Raises RuntimeError for a tensor that requires a gradient.
        """
        return written("apply_", callable, self)

    def map_(self, other: Any, callable: Callable[[Any, Any], Any]) -> Any:
        """Write what a function makes of each element and that of another tensor; slow.

        `other`: a shape that broadcasts to this one, of the same type. Raises RuntimeError for
        tensors that require a gradient.
        """
        return written("map_", callable, self, other)

    def map2_(self, x: Any, y: Any, callable: Callable[[Any, Any, Any], Any]) -> Any:
        """As `map_`, with two other tensors."""
        return written("map2_", callable, self, x, y)


def written(name: str, function: Callable[..., Any], self: Any, *others: Any) -> Any:
    """Calls a function on the elements of tensors, in order, and writes into the first."""
    for position, one in enumerate(others, 1):
        need_tensor(name, "other" if len(others) == 1 else "xy"[position - 1], position, one)
    if any(requires(one) for one in (self, *others)):
        raise RuntimeError(
            f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() "
            "instead."
        )
    for one in others:
        if one.dtype is not self.dtype:
            found, wanted = (tensor_type_name(t.dtype) for t in (one, self))
            raise TypeError(f"{name}: expected {wanted} for 'other' (got {found})")
    unshare(self)
    array = self._array
    arrays = [array, *(views.expand(one._array, array.shape) for one in others)]
    for place in np.ndindex(array.shape):
        array[place] = fitting(
            array, function(*(python_value(one[(*place, ...)]) for one in arrays))
        )
    bump(self)
    return self


def fitting(array: Any, value: Any) -> Any:
    """A number as an array of this type holds it: whole where that holds whole numbers."""
    if not isinstance(value, NUMBERS):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    number: Any = value._array.item() if isinstance(value, TensorBase) else value
    if array.dtype.kind in "iu":
        number = int(number)
        check_fits(np.asarray(number), array.dtype)
    return number
