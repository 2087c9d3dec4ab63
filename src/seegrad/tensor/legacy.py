"""`FloatTensor`, `LongTensor` and their kind: constructors of old programs."""

from typing import Any

from seegrad.arrays import dtypes
from seegrad.graph.tensor import TensorBase
from seegrad.tensor.creation import empty, tensor

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
]


class LegacyType(type):
    """`isinstance(t, FloatTensor)` asks for the dtype."""

    dtype: Any

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, TensorBase) and other.dtype is cls.dtype

    def __call__(cls, *args: Any) -> Any:
        """A tensor of a size, or of data, in this dtype."""
        if len(args) == 1 and not isinstance(args[0], int):
            return tensor(args[0], dtype=cls.dtype)
        return empty(*(args or (0,)), dtype=cls.dtype)


def legacy(name: str, dtype_name: str) -> Any:
    """One constructor."""
    doc = f"A {dtype_name} tensor of a size, or of data; `torch.tensor` is the way of today."
    body = {"dtype": dtypes.NAMES[dtype_name], "__module__": "torch", "__doc__": doc}
    return LegacyType(name, (), body)


BFloat16Tensor = legacy("BFloat16Tensor", "bfloat16")
BoolTensor = legacy("BoolTensor", "bool")
ByteTensor = legacy("ByteTensor", "uint8")
CharTensor = legacy("CharTensor", "int8")
DoubleTensor = legacy("DoubleTensor", "float64")
FloatTensor = legacy("FloatTensor", "float32")
HalfTensor = legacy("HalfTensor", "float16")
IntTensor = legacy("IntTensor", "int32")
LongTensor = legacy("LongTensor", "int64")
ShortTensor = legacy("ShortTensor", "int16")
