"""The memory that a tensor looks at: its bytes, and tensors that come to look elsewhere."""

from typing import Any

import numpy as np

from seegrad.arrays.dtypes import cpp_type_name
from seegrad.arrays.strides import contiguous_strides, storage
from seegrad.graph.anomaly import note
from seegrad.graph.levels import carries
from seegrad.graph.loans import unshare
from seegrad.graph.node import Node, next_sequence
from seegrad.graph.state import thread
from seegrad.graph.tangents import tangents_of
from seegrad.graph.tensor import TensorBase, requires, wrap
from seegrad.graph.versions import bump, is_inference
from seegrad.graph.views import gradient_edge, led_elsewhere, rebase, update_accumulator
from seegrad.operators.inplace import check_write
from seegrad.ops.once import warn
from seegrad.tensor.creation import size_of
from seegrad.tensor.storages import TypedStorage, UntypedStorage, warn_of_typed

__all__ = ["StorageFace"]

NO_TANGENT = (
    "Trying to use forward AD with set_ that does not support it because it has not been "
    "implemented yet.\nPlease file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/"
    "new?template=feature-request.yml so that we can prioritize its implementation."
)


def refuse_dual(*tensors: Any) -> None:
    """Raises where one of them carries a tangent: which elements it has is about to change."""
    if carries() and any(tangents_of(t) for t in tensors if isinstance(t, TensorBase)):
        raise NotImplementedError(NO_TANGENT)


class StorageFace(TensorBase):
    """What tensors tell of their memory, and how they are led to another piece of it."""

    def untyped_storage(self) -> UntypedStorage:
        """The bytes that this tensor and its views share."""
        return UntypedStorage(storage(self._array))

    def storage(self) -> TypedStorage:
        """The elements that this tensor and its views share, with a dtype; deprecated.

        >>> import seegrad as torch
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     torch.arange(4)[2:].storage().tolist()
        [0, 1, 2, 3]
        """
        warn_of_typed()
        return TypedStorage.of(self.untyped_storage(), self.dtype)

    def resize(self, *sizes: int) -> Any:
        """The tensor in another shape of as many elements; deprecated for `reshape`.

        Raises RuntimeError for another number of elements.
        """
        warn("non-inplace resize is deprecated")
        return _resized(self, sizes)

    def resize_as(self, tensor: Any) -> Any:
        """The tensor in the shape of another of as many elements; deprecated for `reshape_as`."""
        warn("non-inplace resize_as is deprecated")
        return _resized(self, tuple(tensor.shape))

    def storage_type(self) -> Any:
        """The class of the typed storage: `torch.FloatStorage`."""
        return TypedStorage.of(self.untyped_storage(), self.dtype).legacy_class()

    def set_(
        self,
        source: Any = None,
        storage_offset: int = 0,
        size: Any = None,
        stride: Any = None,
    ) -> Any:
        """Makes this tensor look at the memory of `source`, at no elements without one.

        With `size` and `stride` at the part of it that begins at `storage_offset`.
        Raises RuntimeError for another dtype, and for a leaf that requires a gradient.
        """
        refuse_dual(self, source)
        if isinstance(source, TypedStorage):
            source = source.untyped()
        if isinstance(source, UntypedStorage):
            source, size = wrap(source._elements(self._array.dtype)), size or None
            sources = [self]
        else:
            sources = [self] if source is None or size is not None else [self, source]
        recorded = thread.state.mode and any(requires(one) for one in sources)
        if recorded:
            check_write(self)
        if source is not None:
            unshare(source)
        array = np.empty(0, self._array.dtype) if source is None else source._array
        if array.dtype != self._array.dtype:
            raise RuntimeError(
                f"Could not set tensor of type {cpp_type_name(source.dtype)} to a tensor of type "
                f"{cpp_type_name(self.dtype)}"
            )
        node = underivable("set_", sources) if recorded else None
        if size is not None:
            strides = contiguous_strides(tuple(size), 1) if stride is None else tuple(stride)
            array = placed(storage(array), array.dtype, storage_offset, tuple(size), strides)
        self._array, self._shared = array, False
        update_accumulator(self)
        bump(self)
        if self._view is not None:
            led_elsewhere(self, self._view)
        if node is not None:
            node._shape, node._dtype = array.shape, array.dtype
            rebase(self, node)
        return self

    def resize_(self, *size: Any, memory_format: Any = None) -> Any:
        """Gives the tensor another size, in place: the elements stay in the order of memory.

        Raises RuntimeError for a tensor that requires a gradient, TypeError without a size.
        """
        if not size:
            raise TypeError('resize_() missing 1 required positional arguments: "size"')
        if requires(self) and not (thread.state.inference or is_inference(self)):
            raise RuntimeError("cannot resize variables that require grad")
        if carries() and tangents_of(self):
            raise RuntimeError("cannot resize variables that has a forward grad")
        shape = size_of("resize_", size)
        array, owner = self._array, storage(self._array)
        if shape == array.shape:
            return self
        start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        needed = start + int(np.prod(shape)) * array.itemsize
        if needed > owner.nbytes or not owner.flags.forc:
            memory = np.zeros(needed, np.uint8)
            memory[: owner.nbytes] = np.frombuffer(owner.tobytes("A"), np.uint8)
            owner = memory
        strides = contiguous_strides(shape, 1)
        self._array = placed(owner, array.dtype, start // array.itemsize, shape, strides)
        bump(self)
        if self._view is not None:
            led_elsewhere(self, self._view)
        return self

    def resize_as_(self, the_template: Any, *, memory_format: Any = None) -> Any:
        """Gives the tensor the size of another one, in place."""
        return self.resize_(the_template._array.shape)

    def is_same_size(self, other: Any) -> bool:
        """Whether two tensors have the same shape."""
        return bool(self._array.shape == other._array.shape)

    def is_set_to(self, tensor: Any) -> bool:
        """Whether two tensors are the same elements of the same memory in the same order."""
        mine, other = self._array, tensor._array
        return bool(
            mine.__array_interface__["data"] == other.__array_interface__["data"]
            and mine.shape == other.shape
            and mine.strides == other.strides
        )


def placed(
    owner: Any, kind: Any, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
) -> Any:
    """The view of a piece of memory that begins at an element and has these strides."""
    if 0 in shape:
        return np.empty(shape, kind)
    in_bytes = tuple(step * kind.itemsize for step in strides)
    return np.ndarray(shape, kind, owner, offset * kind.itemsize, in_bytes)


class Underivable(Node):
    """The history after a change that has no derivative."""

    operator: str

    def _run(self, grad: Any) -> tuple[Any, ...]:
        raise RuntimeError(f"derivative for {self.operator} is not implemented")

    _read = _run


Underivable.__name__ = Underivable.__qualname__ = "NotImplemented"
Underivable.__module__ = "builtins"


def underivable(operator: str, sources: list[Any]) -> Underivable:
    """Such a node above some tensors."""
    node = Underivable()
    node.operator = operator
    node._next = tuple(gradient_edge(one) if requires(one) else None for one in sources)
    numbers = tuple(one._nr if requires(one) else 0 for one in sources)
    node._nrs = numbers if any(numbers) else None
    node._sequence = next_sequence()
    note(node)
    return node


def _resized(tensor: Any, sizes: tuple[int, ...]) -> Any:
    wanted: Any = 1
    for size in sizes:
        wanted = wanted * size
    if wanted != tensor.numel():
        raise RuntimeError(
            f"requested resize to {'x'.join(map(str, sizes))} ({wanted} elements in total), but "
            f"the given tensor has a size of {'x'.join(map(str, tensor.shape))} "
            f"({tensor.numel()} elements). autograd's resize can only change the shape of a given "
            "tensor, while preserving the number of elements. "
        )
    return tensor.contiguous().view(sizes)
