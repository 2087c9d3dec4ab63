"""The class Tensor, put together from its faces and handed down to the graph."""

from typing import Any

from seegrad.arrays import dtypes
from seegrad.arrays.shared import is_mapped, mapped
from seegrad.arrays.strides import storage
from seegrad.graph.asked import keep_quiet, register
from seegrad.graph.loans import unshare
from seegrad.graph.tensor import TensorBase, set_tensor_class
from seegrad.ops.once import warn
from seegrad.tensor import creation
from seegrad.tensor.arithmetic import ArithmeticFace
from seegrad.tensor.calling import CallingFace
from seegrad.tensor.conversion import ConversionFace
from seegrad.tensor.copying import CopyingFace
from seegrad.tensor.history import HistoryFace
from seegrad.tensor.indexing import IndexingFace
from seegrad.tensor.legacy import construct
from seegrad.tensor.methods_math import MathMethods
from seegrad.tensor.methods_shape import ShapeMethods
from seegrad.tensor.removed import RemovedFace
from seegrad.tensor.sampling import SamplingMethods
from seegrad.tensor.sparse import SparseFace
from seegrad.tensor.storage import StorageFace
from seegrad.tensor.subclassing import SubclassFace, in_class

__all__ = ["Tensor"]


class Tensor(
    HistoryFace,
    ConversionFace,
    IndexingFace,
    ArithmeticFace,
    SamplingMethods,
    MathMethods,
    ShapeMethods,
    StorageFace,
    CopyingFace,
    CallingFace,
    SparseFace,
    RemovedFace,
    SubclassFace,
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
        made = construct(dtypes.get_default_dtype(), args, kwargs, any_dtype=True)
        return made if cls is Tensor else in_class(made, cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Everything is done by `__new__`."""

    def new_tensor(
        self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Any:
        """A new leaf of these data in this tensor's dtype."""
        if isinstance(data, TensorBase):
            warn(creation.COPY_CONSTRUCT.replace("torch.tensor(", "tensor.new_tensor("))
            data = data._array
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

    def new_empty_strided(self, size: Any, stride: Any, dtype: Any = None, **options: Any) -> Any:
        """An uninitialised tensor of the given size and strides in this tensor's dtype."""
        return creation.empty_strided(size, stride, dtype=dtype or self.dtype, **options)

    def new(self, *args: Any, **kwargs: Any) -> Any:
        """A tensor of this dtype from a size, or from data."""
        return construct(self.dtype, args, kwargs)

    def share_memory_(self) -> Any:
        """Move the tensor into memory that forked processes see and write to; return it.

        A view takes its base along. Other views that were taken before, and arrays that `numpy()`
        gave, stay where they were.

        >>> import seegrad as torch
        >>> x = torch.zeros(2).share_memory_()
        >>> x.is_shared(), x.clone().is_shared()
        (True, False)
        """
        if not is_mapped(self._array):
            unshare(self)
            moved: list[Any] = [self]
            if self._view is not None and storage(self._view.base._array) is storage(self._array):
                moved.append(self._view.base)
            for one, array in zip(moved, mapped(*[one._array for one in moved]), strict=True):
                one._array = array
        return self

    def pin_memory(self, device: Any = None) -> Any:
        """The tensor itself."""
        return self


set_tensor_class(Tensor)
keep_quiet(Tensor)
for _face in Tensor.__mro__[:-1]:
    register("torch.Tensor", _face, list(vars(_face)))
