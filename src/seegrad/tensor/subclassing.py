"""Classes derived from Tensor: results keep the class, which may decide what functions do."""

from typing import Any

from seegrad.graph.asked import (
    Unasked,
    arm,
    wants_to_be_asked,
)
from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase, mark, requires, set_requires, tensor_class
from seegrad.graph.versions import own_counter
from seegrad.operators.signatures import type_name

__all__ = ["SubclassFace", "in_class"]

NO_TENSOR = (
    "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
    "Make sure your class inherits from Tensor."
)


class SubclassFace(TensorBase):
    """What makes a class of tensors of its own."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if tensor_class() is TensorBase:
            return  # this is Tensor itself
        cls._is_asked = wants_to_be_asked(cls)
        if cls._is_asked:
            arm()

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Calls `func` on plain tensors, and gives the results this class.

        NotImplemented where one of `types` is no base of this class.
        """
        if not all(issubclass(cls, one) for one in types):
            return NotImplemented
        with Unasked():
            result = func(*args, **(kwargs or {}))
        return result if func in kept_plain() else of_class(result, cls)

    def as_subclass(self, cls: Any) -> Any:
        """The same elements as a tensor of this class; gradients flow through.

        Raises TypeError for what is no class of tensors.

        >>> import seegrad as torch
        >>> class Length(torch.Tensor):
        ...     pass
        >>> type(torch.ones(2).as_subclass(Length) * 2).__name__
        'Length'
        """
        check_class("as_subclass", cls)
        return in_class(op.alias(self), cls)

    @staticmethod
    def _make_subclass(cls: Any, data: Any, require_grad: bool = False) -> Any:
        """A leaf of this class on the memory of `data`, without its history."""
        check_class("_make_subclass", cls)
        if not isinstance(data, TensorBase):
            raise TypeError(
                "_make_subclass(): argument 'data' (position 2) must be Tensor, not "
                f"{type_name(data)}"
            )
        made = object.__new__(cls)
        made._array = data._array
        made._counter = own_counter(data)
        mark(made)
        set_requires(made, require_grad)
        return made


def check_class(name: str, cls: Any) -> None:
    """Refuses what is no class of tensors."""
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type_name(cls)})")
    if not issubclass(cls, tensor_class()):
        raise TypeError(NO_TENSOR)


def in_class(tensor: Any, cls: Any) -> Any:
    """A tensor that nobody else holds, made one of this class."""
    flag = requires(tensor)
    tensor.__class__ = cls
    accumulator = tensor._accumulator
    if tensor._view is None or tensor._view.node is not None:
        mark(tensor)
        set_requires(tensor, flag)
    tensor._accumulator = accumulator
    return tensor


def of_class(result: Any, cls: Any) -> Any:
    """The tensors of a result in this class, also inside tuples and lists."""
    if cls is tensor_class():
        return result
    if isinstance(result, TensorBase):
        return result if isinstance(result, cls) else result.as_subclass(cls)  # type: ignore[attr-defined]
    if isinstance(result, (tuple, list)):
        return type(result)(of_class(one, cls) for one in result)
    return result


def kept_plain() -> tuple[Any, ...]:
    """The attributes whose tensors stay of the class they have."""
    cls: Any = tensor_class()
    return (cls._base.__get__, cls.grad.__get__)
