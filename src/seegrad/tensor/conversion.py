"""Out of the tensor and into other types: numbers, lists, arrays, dtypes, devices."""

import numbers
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.dtypes import dtype as Dtype
from seegrad.arrays.dtypes import from_numpy, tensor_type_name
from seegrad.arrays.printing import tensor_text
from seegrad.arrays.shared import is_mapped
from seegrad.arrays.size import Size
from seegrad.arrays.strides import element_strides, storage_offset
from seegrad.device import device as Device
from seegrad.graph.levels import LEVELS, carries
from seegrad.graph.loans import unshare
from seegrad.graph.node import Node
from seegrad.graph.read_only import read_only
from seegrad.graph.recorded import recorded as op
from seegrad.graph.state import thread
from seegrad.graph.tangents import tangents_of
from seegrad.graph.tensor import TensorBase, requires, tensor_class, wrap
from seegrad.graph.views import history
from seegrad.ops.once import warn_once

__all__ = ["ConversionFace"]

CPU = Device("cpu")
NO_NUMPY = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first. (Triggered internally at seegrad/tensor/conversion.py, "
    "where Python asks a tensor for its one element as a number.)"
)


def castable(name: str) -> Any:
    """The method `float()`, `long()` and so on."""
    target = dtypes.NAMES[name]

    def cast(self: Any, memory_format: Any = None) -> Any:
        return self.to(target)

    cast.__name__ = name
    cast.__doc__ = f"The tensor in {target!r}; itself when it has that dtype."
    return cast


def checked_dim(dim: int, ndim: int) -> int:
    """The dimension counted from the front, of a tensor that has one."""
    if not ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, ndim)


def named_type(of: Any) -> Dtype:
    """The dtype of `torch.FloatTensor` and its kind, by name; `torch.Tensor` is the default."""
    if of is tensor_class():
        return dtypes.get_default_dtype()
    if isinstance(getattr(of, "dtype", None), Dtype):
        found: Dtype = of.dtype
        return found
    name = of if isinstance(of, str) else of.__name__
    for one in dtypes.NAMES.values():
        if tensor_type_name(one) == name:
            return one
    raise ValueError(f"invalid type: '{name}'")


def nothing_of(count: int) -> list[Any]:
    """So many attributes that are False for every tensor."""
    return [read_only(lambda self: False) for _ in range(count)]


BFLOAT16 = "E"  # its letter; its name takes NumPy 1 us


class ConversionFace(TensorBase):
    """Shape, dtype and device of a tensor, and its conversions."""

    @read_only
    def shape(self) -> Size:
        """The sizes of the dimensions."""
        return Size(self._array.shape)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        if dim is None:
            return Size(self._array.shape)
        return self._array.shape[checked_dim(dim, self._array.ndim)]

    def dim(self) -> int:
        """The number of dimensions."""
        return self._array.ndim

    ndimension = dim

    def numel(self) -> int:
        """The number of elements."""
        return self._array.size

    nelement = numel

    def stride(self, dim: int | None = None) -> Any:
        """The distance in elements between neighbours along each dimension."""
        strides = element_strides(self._array)
        return strides if dim is None else strides[checked_dim(dim, self._array.ndim)]

    def storage_offset(self) -> int:
        """The place of the first element in the memory that the tensor looks at."""
        return storage_offset(self._array)

    def data_ptr(self) -> int:
        """The address of the first element."""
        return int(self._array.__array_interface__["data"][0]) if self._array.size else 0

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the elements lie in memory in the order of the indices."""
        return self._array.flags.c_contiguous

    def element_size(self) -> int:
        """The bytes of one element."""
        return self._array.itemsize

    @read_only
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self._array.itemsize

    @read_only
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self._array.nbytes

    @read_only
    def device(self) -> Device:
        """Where the tensor lives: the CPU."""
        return CPU

    @read_only
    def layout(self) -> Any:
        """How the elements are laid out."""
        return strided

    # Each a property of its own: it knows the name it says.
    is_cpu, name = read_only(lambda self: True), read_only(lambda self: None)
    is_cuda, is_xpu, is_mps, is_ipu, is_xla, is_maia, is_mtia, is_vulkan = nothing_of(8)
    is_sparse, is_sparse_csr, is_quantized, is_meta, is_nested, is_mkldnn = nothing_of(6)

    def get_device(self) -> int:
        """The number of the accelerator: -1 on the CPU."""
        return -1

    def is_pinned(self, device: Any = None) -> bool:
        """False: nothing is pinned without an accelerator."""
        return False

    def is_shared(self) -> bool:
        """Whether the memory is that of `share_memory_`, or of a file."""
        return is_mapped(self._array)

    def is_neg(self) -> bool:
        """False: a negation is never put off."""
        return False

    def is_nonzero(self) -> Any:
        """Whether the one element is not zero. Raises RuntimeError for more, or none."""
        return bool(self)

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating point type."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Whether the dtype is complex."""
        return self.dtype.is_complex

    def is_signed(self) -> bool:
        """Whether the dtype can hold negative numbers."""
        return self.dtype.is_signed

    def item(self) -> Any:
        """The one element as a Python number. Raises RuntimeError when there are more, or none."""
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
            )
        return python_value(self._array)

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers, a number for a 0-dim tensor."""
        array = self._array
        return (array.astype(np.float32) if array.dtype.char == BFLOAT16 else array).tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """An array that shares the memory.

        Raises RuntimeError for a tensor that requires a gradient while grad mode is on, unless
        `force`.
        """
        if requires(self) and not force and thread.state.grad_mode():
            raise RuntimeError(NO_NUMPY)
        if self._array.dtype.char == BFLOAT16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        unshare(self)
        return self._array.view()  # its shape is the caller's to change, the tensor's is not

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        if dtype is None and not copy:
            return array
        return np.array(array, dtype=dtype) if copy else np.asarray(array, dtype=dtype)

    __array_priority__ = 1000

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array.dtype.kind == "b":
            array = array.astype(np.uint8)
        from_numpy(array.dtype)  # raises where no tensor has this type
        return wrap(array)

    def __dlpack__(self, **options: Any) -> Any:
        if requires(self):
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        unshare(self)
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """The tensor in another dtype or on another device.

        Called as `to(dtype)`, `to(device)` or `to(other)`.

        Returns the tensor itself where nothing changes, unless `copy=True`.

        >>> import seegrad as torch
        >>> torch.tensor([1, 2]).to(torch.float64)
        tensor([1., 2.], dtype=torch.float64)
        """
        target, copy = read_to(args, kwargs)
        if target is None or target is self.dtype:
            return op.clone(self) if copy else self
        if target.is_complex < self.dtype.is_complex and target.scalar_name != "Bool":
            warn_once("Casting complex values to real discards the imaginary part")
        return op.to_copy(self, target.numpy)

    def type(self, dtype: Any = None, non_blocking: bool = False) -> Any:
        """The type in words, such as `torch.FloatTensor`; or the tensor in the type given."""
        if dtype is None:
            return tensor_type_name(self.dtype)
        if isinstance(dtype, (str, type)):
            dtype = named_type(dtype)
        if not isinstance(dtype, Dtype):
            raise TypeError("dtype must be a type, str, or dtype object")
        return self.to(dtype)

    def type_as(self, other: Any) -> Any:
        """The tensor in the dtype of `other`."""
        return self.to(other.dtype)

    def cpu(self, memory_format: Any = None) -> Any:
        """The tensor itself: it is on the CPU."""
        return self

    def cuda(self, device: Any = None, non_blocking: bool = False) -> Any:
        """Raises: there is no CUDA here."""
        return self.to(Device("cuda"))

    float = castable("float")
    double = castable("double")
    half = castable("half")
    bfloat16 = castable("bfloat16")
    long = castable("long")
    int = castable("int")
    short = castable("short")
    char = castable("int8")
    byte = castable("uint8")
    bool = castable("bool")
    cfloat = castable("cfloat")
    cdouble = castable("cdouble")

    def __float__(self) -> Any:
        return float(real_scalar(self, "double"))

    def __int__(self) -> Any:
        return int(real_scalar(self, "int64_t"))

    def __complex__(self) -> complex:
        return complex(scalar(self))

    def __index__(self) -> Any:
        if self._array.size != 1 or self._array.dtype.kind not in "iub":
            raise TypeError(
                "only integer tensors of a single element can be converted to an index"
            )
        return int(self._array.item())

    def __bool__(self) -> Any:
        size = self._array.size
        if size != 1:
            count = "no values" if size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {count} is ambiguous")
        return bool(self._array.item())

    def __len__(self) -> Any:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._array.shape[0]

    def __iter__(self) -> Any:
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))  # type: ignore[attr-defined]

    def __reversed__(self) -> Any:
        return self if self._array.ndim == 0 else op.flip(self, (0,))

    def __contains__(self, element: Any) -> Any:
        if isinstance(element, (TensorBase, numbers.Number)):
            return bool(np.any(self._array == getattr(element, "_array", element)))
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )

    def __format__(self, specification: str) -> str:
        if self._array.ndim == 0 and type(self) is tensor_class():
            return format(python_value(self._array), specification)
        return object.__format__(self, specification)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        is_plain = type(self) is tensor_class() or type(self).__name__ == "Parameter"
        name = "tensor" if is_plain else type(self).__name__
        text = tensor_text(self._array, self.dtype, suffixes(self), f"{name}(")
        return f"Parameter({text})" if not is_plain and hasattr(self, "_is_param") else text


def python_value(array: Any) -> Any:
    """The one element of an array as a Python number."""
    value = array.item()
    return float(value) if array.dtype.char == BFLOAT16 else value


def scalar(tensor: Any) -> Any:
    """The one element of a tensor for `float(t)` and its kind."""
    if tensor._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    if requires(tensor):
        warn_once(TO_SCALAR)
    return python_value(tensor._array)


def real_scalar(tensor: Any, kind: str) -> Any:
    """As `scalar`, for numbers that have no imaginary part."""
    value = scalar(tensor)
    if not isinstance(value, complex):
        return value
    if value.imag:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return value.real


def suffixes(tensor: Any) -> list[str]:
    """What the printed form says beside the values."""
    if LEVELS.open and carries() and tensor.dtype.is_floating_point | tensor.dtype.is_complex:
        found = tangents_of(tensor)
        if found:
            return [*said(tensor), f"tangent={found[max(found)]}"]
    return said(tensor)


def said(tensor: Any) -> list[str]:
    """What the printed form says of the graph."""
    if not requires(tensor):
        return []
    try:
        node = history(tensor)
    except RuntimeError:  # a view that may not be read any more still prints
        return ["grad_fn=<Invalid>"]
    return ["requires_grad=True"] if node is None else [f"grad_fn=<{printed_name(node)}>"]


def printed_name(node: Node) -> str:
    """The name of a node inside `grad_fn=<...>`."""
    name = type(node).__name__
    return node.name().rpartition("::")[2] if name == "CppFunction" else name


def read_to(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Dtype | None, Any]:
    """The dtype and the `copy` flag that the arguments of `to` ask for."""
    target = kwargs.get("dtype")
    copy = kwargs.get("copy", False)
    device = kwargs.get("device")
    other = kwargs.get("other")
    flags = []
    for arg in args:
        if isinstance(arg, Dtype):
            target = arg
        elif isinstance(arg, (str, Device)):
            device = arg
        elif isinstance(arg, TensorBase):
            other = arg
        elif arg.__class__ is type and arg in (float, int, bool, complex):
            target = python_dtype(arg)
        elif isinstance(arg, bool):
            flags.append(arg)
        elif isinstance(arg, int):
            device = arg
    if device is not None:
        Device(device).require_cpu()
    if other is not None:
        target = other.dtype
    return target, copy or (len(flags) > 1 and flags[1])


def python_dtype(kind: Any) -> Dtype:
    """The dtype that a Python type stands for."""
    return {
        float: dtypes.NAMES["float64"],
        int: dtypes.NAMES["int64"],
        bool: dtypes.NAMES["bool"],
        complex: dtypes.NAMES["complex128"],
    }[kind]


class layout:
    """How a tensor's elements are laid out."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"


strided = layout("strided")
sparse_coo = layout("sparse_coo")


def need_coo(layout: Any) -> None:
    """Refuses layouts other than that by coordinates."""
    if layout not in (None, sparse_coo):
        raise NotImplementedError(
            f"to_sparse: the layout {layout} is not there. What there is: torch.sparse_coo."
        )
