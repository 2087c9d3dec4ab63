"""The data types of tensors: `torch.float32` and its eleven sisters.

A `dtype` is a constant: one object for each type, compared by identity, and the same object again
after copying or pickling. Each wraps the NumPy type that its arrays have.
"""

from __future__ import annotations

import math
from typing import Any, Final, NoReturn, final

import ml_dtypes
import numpy as np

NumpyDtype = np.dtype[Any]


@final
class dtype:
    """The type of a tensor's elements; there is one object for each, such as `torch.float32`."""

    __slots__ = (
        "abbr",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
        "numpy",
        "scalar_name",
    )

    name: str
    abbr: str
    numpy: NumpyDtype
    scalar_name: str
    is_floating_point: bool
    is_complex: bool
    is_signed: bool
    itemsize: int

    def __new__(cls) -> dtype:
        raise TypeError("cannot create 'torch.dtype' instances")

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("type 'torch.dtype' is not an acceptable base type")

    def to_real(self) -> dtype:
        """Return the type of the real part: `torch.float32` for `torch.complex64`."""
        return _REAL.get(self, self)

    def to_complex(self) -> dtype:
        """Return the complex type whose parts have this type.

        `torch.float16` gives `torch.complex64`, because there is no complex type of half precision
        here. Raises `RuntimeError` for integers and bools.
        """
        if not (self.is_floating_point or self.is_complex):
            raise RuntimeError(f"Unknown Complex ScalarType for {self.scalar_name}")
        return _COMPLEX.get(self, self)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"'torch.dtype' object has no attribute '{name}'")

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self.name,)


# Messages such as "argument 'dtype' must be torch.dtype" print the class.
dtype.__module__ = "torch"


def _make(name: str, abbr: str, numpy_type: Any, scalar_name: str) -> dtype:
    """Build one of the constants below; nothing else may."""
    made: dtype = object.__new__(dtype)
    numpy_dtype = np.dtype(numpy_type)
    is_complex = name.startswith("complex")
    values = {
        "name": name,
        "abbr": abbr,
        "numpy": numpy_dtype,
        "scalar_name": scalar_name,
        "is_floating_point": "float" in name,
        "is_complex": is_complex,
        "is_signed": name not in ("uint8", "bool"),
        "itemsize": numpy_dtype.itemsize,
    }
    for attribute, value in values.items():
        object.__setattr__(made, attribute, value)
    return made


float16 = half = _make("float16", "f16", np.float16, "Half")
bfloat16 = _make("bfloat16", "bf16", ml_dtypes.bfloat16, "BFloat16")
float32 = float_ = _make("float32", "f32", np.float32, "Float")
float64 = double = _make("float64", "f64", np.float64, "Double")
complex64 = cfloat = _make("complex64", "c64", np.complex64, "ComplexFloat")
complex128 = cdouble = _make("complex128", "c128", np.complex128, "ComplexDouble")
int8 = _make("int8", "i8", np.int8, "Char")
int16 = short = _make("int16", "i16", np.int16, "Short")
int32 = int_ = _make("int32", "i32", np.int32, "Int")
int64 = long = _make("int64", "i64", np.int64, "Long")
uint8 = _make("uint8", "u8", np.uint8, "Byte")
bool_ = _make("bool", "b8", np.bool_, "Bool")

ALL: Final = (
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
    int8,
    int16,
    int32,
    int64,
    uint8,
    bool_,
)

# Every public name, as in `torch.<name>`; `float`, `int` and `bool` would shadow builtins above.
NAMES: Final[dict[str, dtype]] = {one.name: one for one in ALL} | {
    "half": half,
    "float": float_,
    "double": double,
    "cfloat": cfloat,
    "cdouble": cdouble,
    "short": short,
    "int": int_,
    "long": long,
}

_REAL: Final = {complex64: float32, complex128: float64}
_COMPLEX: Final = {
    float16: complex64,
    bfloat16: complex64,
    float32: complex64,
    float64: complex128,
}


def _named(name: str) -> dtype:
    """Return the constant with this name; pickles and copies of a dtype call it."""
    return NAMES[name]


_SUPPORTED = (
    "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
    "uint64, uint32, uint16, uint8, and bool."
)
_FROM_NUMPY: Final[dict[NumpyDtype, dtype]] = {one.numpy: one for one in ALL}


def from_numpy(numpy_dtype: NumpyDtype) -> dtype:
    """Return the dtype of arrays with this NumPy type; equal types (longlong, int64) give one.

    Raises `TypeError` for types that tensors cannot have, `ValueError` for a foreign byte order.
    """
    # NumPy's dtypes hash and compare by meaning, so longlong finds int64.
    found = _FROM_NUMPY.get(numpy_dtype)
    return _refuse(numpy_dtype) if found is None else found


def _refuse(numpy_dtype: NumpyDtype) -> NoReturn:
    if not numpy_dtype.isnative and numpy_dtype.newbyteorder("=") in _FROM_NUMPY:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. "
            "Conversion between byte orders is currently not supported."
        )
    kind = f"{numpy_dtype.type.__module__}.{numpy_dtype.type.__name__}"
    error = TypeError(
        f"can't convert np.ndarray of type {kind}. The only supported types are: {_SUPPORTED}"
    )
    if numpy_dtype.kind == "u":
        error.add_note("seegrad has no unsigned type but uint8; int64 holds the smaller ones.")
    raise error


_default: dtype = float32


def get_default_dtype() -> dtype:
    """Return the floating-point type that new tensors of Python floats get.

    >>> import seegrad as torch
    >>> torch.get_default_dtype()
    torch.float32
    """
    return _default


def set_default_dtype(d: dtype) -> None:
    """Set the floating-point type that new tensors of Python floats get.

    Raises `TypeError` unless `d` is a floating-point dtype.

    >>> import seegrad as torch
    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor(1.5).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def default_complex() -> dtype:
    """Return the complex type that new tensors of Python complex numbers get."""
    return _COMPLEX[_default]


def as_type(number: Any, of: NumpyDtype) -> Any:
    """Return a Python number as one of NumPy's; integers wrap around as they do in C."""
    if of.kind not in "iu":
        return of.type(number.real if isinstance(number, complex) and of.kind != "c" else number)
    return np.asarray(int(number.real) & (2**64 - 1), np.uint64).astype(of)[()]


def checked_number(number: Any, of: NumpyDtype) -> Any:
    """Return a Python number as one of NumPy's type.

    Raises `RuntimeError` for one that is too large: of unsigned types only the size counts, -1
    is the largest of all.
    """
    if of.kind == "b":
        return np.bool_(number)
    is_lost = isinstance(number, complex) and of.kind != "c" and number.imag != 0
    parts = (number.real, number.imag) if isinstance(number, complex) else (number,)
    if is_lost or any(_is_too_large(part, from_numpy(of).to_real()) for part in parts):
        name = cpp_type_name(from_numpy(of)) if of.kind not in "iu" else f"{of.name}_t"
        name = "int" if of == np.int32 else name
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return as_type(number, of)


_LARGEST: Final = {
    float16: 65504.0,
    bfloat16: (2 - 2.0**-7) * 2.0**127,
    float32: (2 - 2.0**-23) * 2.0**127,
    float64: math.inf,
}


def _is_too_large(number: Any, of: dtype) -> bool:
    if of.is_floating_point:
        return math.isfinite(number) and abs(number) > _LARGEST[of]
    limits = np.iinfo(of.numpy)
    is_within = min(limits.min, -limits.max) <= number <= limits.max  # False for NaN
    return not is_within


def scalar_type_name(of: dtype) -> str:
    """Return the name in messages such as "not implemented for 'Half'": 'Half', 'Long' ..."""
    return of.scalar_name


def tensor_type_name(of: dtype) -> str:
    """Return what `tensor.type()` says: 'torch.FloatTensor', 'torch.LongTensor' ..."""
    return f"torch.{of.scalar_name}Tensor"


def version_type_name(of: dtype) -> str:
    """Return the name in errors about versions: 'torch.FloatTensor' or 'CPUComplexFloatType'."""
    if of.is_complex or of is bfloat16 or of is bool_:
        return f"CPU{of.scalar_name}Type"
    return tensor_type_name(of)


_CPP_NAMES: Final = {
    float16: "c10::Half",
    bfloat16: "c10::BFloat16",
    float32: "float",
    float64: "double",
    complex64: "c10::complex<float>",
    complex128: "c10::complex<double>",
    int8: "signed char",
    int16: "short int",
    int32: "int",
    int64: "long int",
    uint8: "unsigned char",
    bool_: "bool",
}


def cpp_type_name(of: dtype) -> str:
    """Return the name in "expected m1 and m2 to have the same dtype": 'float', 'long int' ..."""
    return _CPP_NAMES[of]
