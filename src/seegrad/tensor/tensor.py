"""The class Tensor, put together from its faces and handed down to the graph."""

import copy as copying
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.size import Size
from seegrad.graph.state import ASK
from seegrad.graph.tensor import PLAIN, TensorBase, requires, set_requires, set_tensor_class
from seegrad.graph.versions import bump
from seegrad.graph.views import history
from seegrad.tensor import creation
from seegrad.tensor.arithmetic import ArithmeticFace
from seegrad.tensor.conversion import ConversionFace
from seegrad.tensor.data import array_of
from seegrad.tensor.history import HistoryFace
from seegrad.tensor.indexing import IndexingFace
from seegrad.tensor.methods_math import MathMethods
from seegrad.tensor.methods_shape import ShapeMethods
from seegrad.tensor.sampling import SamplingMethods

__all__ = ["Tensor"]

DEEPCOPY = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


class Tensor(
    HistoryFace,
    ConversionFace,
    IndexingFace,
    ArithmeticFace,
    SamplingMethods,
    MathMethods,
    ShapeMethods,
):
    """An array of one dtype that may remember how it was computed.

    `Tensor(2, 3)` makes an uninitialised float tensor of that size, `Tensor([1, 2])` one of these
    numbers; `torch.tensor` is the usual way.

    >>> import seegrad as torch
    >>> torch.Tensor([1, 2])
    tensor([1., 2.])
    """

    __module__ = "torch"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """A tensor of the default dtype from a size, or from data."""
        return legacy(cls, args)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Everything is done by `__new__`."""

    def new_tensor(
        self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        """A new leaf of these data in this tensor's dtype."""
        return creation.tensor(
            data, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad
        )

    def new_zeros(self, *size: Any, dtype: Any = None, **options: Any) -> Any:
        """Zeros of the given size in this tensor's dtype."""
        return creation.zeros(*size, dtype=dtype or self.dtype, **options)

    def new_ones(self, *size: Any, dtype: Any = None, **options: Any) -> Any:
        """Ones of the given size in this tensor's dtype."""
        return creation.ones(*size, dtype=dtype or self.dtype, **options)

    def new_empty(self, *size: Any, dtype: Any = None, **options: Any) -> Any:
        """An uninitialised tensor of the given size in this tensor's dtype."""
        return creation.empty(*size, dtype=dtype or self.dtype, **options)

    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Any:
        """A tensor of one number, of the given size, in this tensor's dtype."""
        return creation.full(size, fill_value, dtype=dtype or self.dtype, **options)

    def new(self, *args: Any) -> Any:
        """A tensor of this dtype from a size, or from data."""
        return legacy(type(self), args).to(self.dtype)

    def resize_(self, *size: Any) -> Any:
        """Gives the tensor another size, keeping the elements that were there, in place."""
        shape = creation.size_of("resize_", size)
        grown = np.zeros(int(np.prod(shape)), self._array.dtype)
        kept = self._array.reshape(-1)[: grown.size]
        grown[: kept.size] = kept
        self._array = grown.reshape(shape)
        bump(self)
        return self

    def share_memory_(self) -> Any:
        """The tensor itself."""
        return self

    def pin_memory(self, device: Any = None) -> Any:
        """The tensor itself."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if requires(self) and history(self) is not None:
            raise RuntimeError(DEEPCOPY)
        if id(self) in memo:
            return memo[id(self)]
        made = object.__new__(type(self))
        memo[id(self)] = made
        made.__dict__.update(
            {k: copying.deepcopy(v, memo) for k, v in self.__dict__.items() if k not in OWN}
        )
        made._array = self._array.copy(order="K")
        made._requires_grad = False if made._array.dtype in PLAIN else ASK
        set_requires(made, requires(self))
        if self._grad is not None:
            made._grad = copying.deepcopy(self._grad, memo)
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        if requires(self) and history(self) is not None:
            raise RuntimeError(
                "Can't pickle a tensor that was computed with a history: detach() it first"
            )
        extra = {k: v for k, v in self.__dict__.items() if k not in OWN}
        return rebuild, (
            None if type(self) is Tensor else type(self),
            self._array,
            requires(self),
            extra,
        )


# What a copy makes anew: everything that TensorBase declares.
OWN = frozenset(name for name in vars(TensorBase)["__annotations__"])


def rebuild(cls: Any, array: Any, requires_grad: bool, extra: dict[str, Any]) -> Any:
    """A leaf out of a pickle."""
    made = object.__new__(cls or Tensor)
    made._array = array
    if array.dtype not in PLAIN:
        made._requires_grad = ASK
    set_requires(made, requires_grad)
    made.__dict__.update(extra)
    return made


def legacy(cls: Any, args: tuple[Any, ...]) -> Any:
    """What `Tensor(2, 3)`, `Tensor([1, 2])` and `Tensor(size)` mean."""
    kind = dtypes.get_default_dtype().numpy
    if len(args) == 1 and isinstance(args[0], TensorBase):
        made = object.__new__(cls)
        made._array = args[0]._array
        made._requires_grad = False if made._array.dtype in PLAIN else ASK
        return made
    made = object.__new__(cls)
    if len(args) == 1 and not isinstance(args[0], (int, np.integer, Size)):
        made._array = array_of(args[0], dtypes.get_default_dtype())
    else:
        size = args[0] if len(args) == 1 and isinstance(args[0], Size) else args
        made._array = np.empty(size if args else (0,), kind)
    return made


set_tensor_class(Tensor)
