"""What the functions that files name do: tensors from storages, parameters from tensors.

They are called with what a file says and believe nothing of it (Note [Bounds] in `_archive`).
"""

from typing import Any

import numpy as np

from seegrad.arrays.dtypes import dtype as DType
from seegrad.errors import noted
from seegrad.nn.parameter import Parameter
from seegrad.serialization._texts import told
from seegrad.tensor.conversion import layout, strided
from seegrad.tensor.copying import OWN, leaf
from seegrad.tensor.storages import TypedStorage, UntypedStorage
from seegrad.tensor.tensor import Tensor

__all__ = ["FUNCTIONS"]

MOST_DIMENSIONS = 64  # NumPy's limit, and PyTorch's
NO_GRADIENT = "only Tensors of floating point and complex dtype can require gradients"


def _rebuild_tensor(storage: Any, storage_offset: Any, size: Any, stride: Any) -> Any:
    """A tensor that looks at a part of a storage."""
    if not isinstance(storage, TypedStorage):
        raise TypeError(f"a tensor needs a storage, but got {type(storage)}")
    array = placed(storage, storage_offset, numbers(size), numbers(stride))
    return leaf(Tensor, array, False)


def _rebuild_tensor_v2(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    backward_hooks: Any,
    metadata: Any = None,
) -> Any:
    """A leaf that looks at a part of a storage. Hooks are never in files."""
    if metadata:
        storage = resolved(storage, metadata)
    made = _rebuild_tensor(storage, storage_offset, size, stride)
    if requires_grad:
        if not (made.dtype.is_floating_point or made.dtype.is_complex):
            raise RuntimeError(NO_GRADIENT)
        made.requires_grad_()
    return made


def _rebuild_tensor_v3(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    backward_hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Any:
    """The same from bytes, of a dtype that has no storage type."""
    if not isinstance(storage, TypedStorage) or not isinstance(dtype, DType):
        raise TypeError(f"a tensor needs a storage and a dtype, but got {type(storage)}")
    typed = TypedStorage.of(storage.untyped(), dtype)
    return _rebuild_tensor_v2(
        typed, storage_offset, size, stride, requires_grad, backward_hooks, metadata
    )


def _rebuild_parameter(data: Any, requires_grad: Any, backward_hooks: Any) -> Any:
    """A parameter over the memory of a tensor."""
    if not isinstance(data, Tensor):
        raise TypeError(f"a parameter needs a tensor, but got {type(data)}")
    return Parameter(data, bool(requires_grad))


def _rebuild_parameter_with_state(
    data: Any, requires_grad: Any, backward_hooks: Any, state: Any
) -> Any:
    """A parameter on which users hung something."""
    return _with_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _rebuild_from_type_v2(func: Any, new_type: Any, args: Any, state: Any) -> Any:
    """A tensor of a class of its own, or on which users hung something."""
    if not isinstance(new_type, type) or not issubclass(new_type, Tensor):
        raise TypeError(f"a tensor needs a class of tensors, but got {told(new_type)}")
    made = func(*args)
    if type(made) is not new_type:
        made = leaf(new_type, made._array, made.requires_grad)
    return _with_state(made, state)


def _get_layout(name: Any) -> layout:
    """The layout of tensors by its name."""
    if name != "torch.strided":
        raise RuntimeError(f"seegrad has no tensors of the layout {told(name)}")
    return strided


FUNCTIONS: dict[str, Any] = {
    "torch._utils._rebuild_tensor": _rebuild_tensor,
    "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
    "torch._utils._rebuild_tensor_v3": _rebuild_tensor_v3,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
    "torch._tensor._rebuild_from_type_v2": _rebuild_from_type_v2,
    "torch.serialization._get_layout": _get_layout,
}


def _with_state(tensor: Any, state: Any) -> Any:
    """The tensor with what users hung on it; what seegrad keeps there itself is refused."""
    for part in state if isinstance(state, tuple) else (state,):
        if part is None:
            continue
        if not isinstance(part, dict) or not all(isinstance(name, str) for name in part):
            raise TypeError("what hangs on a tensor has to be a dictionary of names")
        own = OWN & part.keys()
        if own:
            raise RuntimeError(f"a file may not set the attribute {min(own)!r} of a tensor")
        vars(tensor).update(part)
    return tensor


def numbers(values: Any) -> tuple[int, ...]:
    """A size or strides."""
    if not isinstance(values, (tuple, list)) or any(type(one) is not int for one in values):
        raise TypeError(f"a size has to be a tuple of ints, but got {type(values)}")
    if len(values) > MOST_DIMENSIONS:
        raise RuntimeError(f"a tensor of {len(values)} dimensions; at most 64 are supported")
    return tuple(values)


def placed(
    storage: TypedStorage, offset: Any, size: tuple[int, ...], stride: tuple[int, ...]
) -> Any:
    """The view of a storage, all of whose elements lie inside of it."""
    if type(offset) is not int or offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {told(offset)}")
    if len(size) != len(stride):
        raise RuntimeError(f"unequal size length ({len(size)}) and stride length ({len(stride)})")
    if any(n < 0 for n in size) or any(step < 0 for step in stride):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and "
            f"strides={list(stride)}"
        )
    kind = storage.dtype.numpy
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if 0 in size:
        offset, last = 0, -1
    if last >= storage.size():
        raise noted(
            RuntimeError("Trying to resize storage that is not resizable"),
            f"A tensor of size {list(size)}, strides {list(stride)} and offset {offset} needs a "
            f"storage of {last + 1} elements; this one has {storage.size()}.",
        )
    in_bytes = tuple(step * kind.itemsize for step in stride)
    owner = storage.untyped()._owner
    try:
        return np.ndarray(size, kind, owner, offset * kind.itemsize, in_bytes)
    except (ValueError, OverflowError) as error:  # more elements than a number can count
        raise RuntimeError("numel: integer multiplication overflow") from error


def resolved(storage: Any, metadata: Any) -> Any:
    """The storage with the elements that lazy conjugates and negatives on it stand for.

    It is made once, for all tensors that look at it: they share it, and it takes memory once.
    """
    if not isinstance(metadata, dict) or not isinstance(storage, TypedStorage):
        raise TypeError(f"what is said of a tensor has to be a dictionary, not {type(metadata)}")
    kind = storage.dtype, bool(metadata.get("conj")), bool(metadata.get("neg"))
    if not any(kind[1:]):
        return storage
    known = vars(storage.untyped()).setdefault("_resolved", {})
    if kind not in known:
        elements = storage._array()
        elements = np.conj(elements) if kind[1] else elements
        known[kind] = UntypedStorage(np.negative(elements) if kind[2] else elements)
    return TypedStorage.of(known[kind], storage.dtype)
