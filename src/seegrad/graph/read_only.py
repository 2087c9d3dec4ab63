"""Attributes of tensors that can be read and not set, with PyTorch's error."""

from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["read_only"]

if TYPE_CHECKING:
    read_only = property
else:

    class read_only(property):
        """A property that says so as PyTorch does."""

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __set__(self, instance: Any, value: Any) -> NoReturn:
            raise AttributeError(
                f"attribute '{self.name}' of 'torch._C.TensorBase' objects is not writable"
            )

        def __delete__(self, instance: Any) -> NoReturn:
            self.__set__(instance, None)
