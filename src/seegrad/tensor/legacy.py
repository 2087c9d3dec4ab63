"""`Tensor(...)`, `x.new(...)`, `FloatTensor`, `LongTensor` and their kind: constructors of old."""

import warnings
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import cpp_type_name, set_default_dtype, tensor_type_name
from seegrad.arrays.size import Size
from seegrad.device import device as Device
from seegrad.graph.asked import tap
from seegrad.graph.recorded import recorded as op
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.signatures import type_name
from seegrad.tensor.conversion import strided
from seegrad.tensor.data import array_of, is_sequence

__all__ = [
    "BFloat16Tensor",
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "construct",
    "set_default_tensor_type",
]

OPTIONS = (
    "TensorOptions(dtype={}, device=cpu, layout=Strided, requires_grad=false (default), "
    "pinned_memory=false (default), memory_format=(nullopt))"
)
ON_CPU_ONLY = "legacy constructor expects device type: cpu but device type: {} was passed"
NO_BASE = "type 'torch.{}' is not an acceptable base type"
DEPRECATED = (
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    "torch.set_default_dtype() and torch.set_default_device() as alternatives."
)


def construct(
    kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any], any_dtype: bool = False
) -> Any:
    """A tensor of this dtype from a size, from data, or from another tensor, which it shares.

    `any_dtype`: another tensor keeps its own. Raises TypeError for what is none of these.
    """
    where = kwargs.get("device")
    if where is not None and Device(where).type != "cpu":
        raise RuntimeError(ON_CPU_ONLY.format(Device(where).type))
    named = [kwargs[name] for name in ("size", "data", "other") if name in kwargs]
    if (
        len(kwargs) > len(named) + ("device" in kwargs)
        or len(named) + bool(args) > 1
        or (len(args) > 1 and not isinstance(args[0], (int, np.integer)))
    ):
        raise unfitting(args, kwargs)
    if "size" in kwargs:
        return wrap(np.empty(sizes(tuple(kwargs["size"])), kind.numpy))
    if not args and not named:
        return wrap(np.empty(0, kind.numpy))
    first = (args or named)[0]
    if len(args) > 1 or (isinstance(first, (int, np.integer)) and not isinstance(first, bool)):
        return wrap(np.empty(sizes(args), kind.numpy))
    if isinstance(first, TensorBase):
        return op.alias(matching(first, kind, any_dtype))
    if isinstance(first, Size):
        return wrap(np.empty(first, kind.numpy))
    if isinstance(first, np.ndarray) and first.dtype == kind.numpy:
        return wrap(first.view(np.ndarray))
    if isinstance(first, str):
        raise TypeError("new(): invalid data type 'str'")
    if not is_sequence(first):
        raise TypeError(f"new(): data must be a sequence (got {type_name(first)})")
    array = array_of(first, None)
    if array.dtype.kind == "c":  # there are no such types of old
        raise TypeError("must be real number, not complex")
    return wrap(array_of(first, kind))


tap(construct, "torch", "legacy_tensor")


def sizes(numbers: tuple[Any, ...]) -> tuple[int, ...]:
    """The numbers as a shape."""
    for position, n in enumerate(numbers):
        if not isinstance(n, (int, np.integer)):
            raise TypeError(
                f"new(): argument 'size' failed to unpack the object at pos {position + 1} with "
                f'error "type must be tuple of ints,but got {type(n).__name__}"'
            )
        if n < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {list(numbers)}"
            )
    return numbers


def matching(tensor: Any, kind: Any, any_dtype: bool) -> Any:
    """The tensor, which has to be of this dtype."""
    if not any_dtype and tensor.dtype is not kind:
        wanted, found = (OPTIONS.format(cpp_type_name(d)) for d in (kind, tensor.dtype))
        raise TypeError(f"expected {wanted} (got {found})")
    return tensor


def unfitting(args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError:
    """The error for arguments that no constructor takes."""
    given = [type_name(a) for a in args] + [f"{n}={type_name(v)}" for n, v in kwargs.items()]
    return TypeError(
        f"new() received an invalid combination of arguments - got ({', '.join(given)})"
    )


class tensortype(type):
    """The type of `FloatTensor` and its kind: `isinstance(t, FloatTensor)` asks for the dtype."""

    dtype: Any

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        """One constructor; nothing can be derived from it."""
        if bases:
            raise TypeError(NO_BASE.format(bases[0].__name__))
        return super().__new__(cls, name, bases, body)

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, TensorBase) and other.dtype is cls.dtype

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """A tensor of a size, or of data, in this dtype."""
        return construct(cls.dtype, args, kwargs)

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


tensortype.__module__ = "torch"


def typed(name: str, dtype_name: str) -> Any:
    """One constructor."""
    doc = f"A {dtype_name} tensor of a size, or of data; `torch.tensor` is the way of today."
    body = {"dtype": dtypes.NAMES[dtype_name], "__module__": "torch", "__doc__": doc}
    return tensortype(name, (), body | {"is_cuda": False, "is_sparse": False, "layout": strided})


BFloat16Tensor = typed("BFloat16Tensor", "bfloat16")
BoolTensor = typed("BoolTensor", "bool")
ByteTensor = typed("ByteTensor", "uint8")
CharTensor = typed("CharTensor", "int8")
DoubleTensor = typed("DoubleTensor", "float64")
FloatTensor = typed("FloatTensor", "float32")
HalfTensor = typed("HalfTensor", "float16")
IntTensor = typed("IntTensor", "int32")
LongTensor = typed("LongTensor", "int64")
ShortTensor = typed("ShortTensor", "int16")


def set_default_tensor_type(t: Any) -> None:
    """Sets the default dtype by the name of a tensor type, as old programs do.

    Raises TypeError where that is not of floating point.

    >>> import warnings, seegrad as torch
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     torch.set_default_tensor_type(torch.FloatTensor)
    >>> torch.get_default_dtype()
    torch.float32
    """
    warnings.warn(DEPRECATED, UserWarning, stacklevel=2)
    known = {tensor_type_name(kind): kind for kind in dtypes.NAMES.values()}
    kind = known.get(t) if isinstance(t, str) else isinstance(t, tensortype) and t.dtype
    if not kind:
        raise TypeError(
            "invalid type object: only floating-point types are supported as the default type"
        )
    set_default_dtype(kind)
