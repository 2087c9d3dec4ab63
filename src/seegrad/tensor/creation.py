"""Functions that make tensors out of numbers, arrays and shapes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import checked_number, get_default_dtype
from seegrad.arrays.dtypes import dtype as Dtype
from seegrad.arrays.promotion import plain_number
from seegrad.arrays.refusals import need_kind
from seegrad.arrays.sequences import spaced
from seegrad.device import device as Device
from seegrad.graph.asked import tap
from seegrad.graph.tensor import TensorBase, set_requires, wrap
from seegrad.operators.signatures import invalid_combination, type_name
from seegrad.ops.once import warn, warn_once
from seegrad.tensor.data import array_of, checked_array

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "arange",
    "as_tensor",
    "asarray",
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "eye",
    "from_dlpack",
    "from_numpy_array",
    "full",
    "full_like",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "range_",
    "scalar_tensor",
    "tensor",
    "tril_indices",
    "triu_indices",
    "zeros",
    "zeros_like",
]

NOT_WRITABLE = (
    "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. "
    "This means writing to this tensor will result in undefined behavior. You may want to copy "
    "the array to protect its data or make it writable before converting it to a tensor. This "
    "type of warning will be suppressed for the rest of this program."
)
COPY_CONSTRUCT = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
)

DEPRECATED_RANGE = (
    "torch.range is deprecated and will be removed in a future release because its behavior is "
    "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values "
    "in [start, end)."
)


def finished(
    array: Any, requires_grad: bool = False, device: Any = None, out: Any = None
) -> Tensor:
    """A leaf that holds `array`, checked for what the caller asked of it."""
    if device is not None:
        Device(device).require_cpu()
    if out is not None:
        out._array = array.astype(out._array.dtype, copy=False)
        return out  # type: ignore[no-any-return]
    made: Tensor = wrap(array)
    if requires_grad:
        if not isinstance(requires_grad, (bool, np.bool_)):
            kind = type(requires_grad).__name__
            raise TypeError(f"tensor(): argument 'requires_grad' must be bool, not {kind}")
        if not (made.dtype.is_floating_point or made.dtype.is_complex):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        set_requires(made, True)
    return made


def as_dtype(dtype: Any) -> Dtype | None:
    """A dtype, also given as a Python type."""
    if dtype is None or isinstance(dtype, Dtype):
        return dtype
    named = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}.get(dtype)
    if named is None:
        raise TypeError(f"argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    return dtypes.NAMES[named]


def size_of(name: str, size: tuple[Any, ...], keyword: Any = None) -> tuple[int, ...]:
    """The shape out of `zeros(2, 3)`, `zeros((2, 3))` and `zeros(size=(2, 3))`."""
    if keyword is not None:
        size = tuple(keyword)
    elif len(size) == 1 and not is_integer(size[0]):
        if not isinstance(size[0], (tuple, list)):
            raise TypeError(
                f"{name}(): argument 'size' (position 1) must be tuple of ints, not "
                f"{type_name(size[0])}"
            )
        size = tuple(size[0])
    for position, n in enumerate(size):
        if not is_integer(n):
            raise TypeError(
                f"{name}(): argument 'size' failed to unpack the object at pos {position + 1} "
                "with "
                f'error "type must be tuple of ints,but got {type_name(n)}"'
            )
    shape = tuple(int(n) for n in size)
    if any(n < 0 for n in shape):
        bad = next(n for n in shape if n < 0)
        if name in ("zeros", "ones"):
            raise RuntimeError(f"{name}: Dimension size must be non-negative.")
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {list(shape)}")
    return shape


def is_integer(value: Any) -> bool:
    """Whether a value can be a size."""
    array = value._array if isinstance(value, TensorBase) else value
    if isinstance(array, np.ndarray):
        return array.ndim == 0 and array.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new leaf that copies `data`: a number, nested lists, an array or a tensor.

    Python floats take the default dtype, ints int64; arrays keep theirs.
    Raises TypeError, ValueError or RuntimeError for what is not numbers or not rectangular.

    >>> import seegrad as torch
    >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    tensor([[1., 2.],
            [3., 4.]])
    """
    if isinstance(data, TensorBase):
        warnings.warn(COPY_CONSTRUCT, UserWarning, stacklevel=2)
    return finished(array_of(data, as_dtype(dtype)), requires_grad, device)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` as a tensor: itself, or sharing an array's memory, where that is possible.

    >>> import seegrad as torch
    >>> torch.as_tensor([1, 2])
    tensor([1, 2])
    """
    wanted = as_dtype(dtype)
    if device is not None:
        Device(device).require_cpu()
    if isinstance(data, TensorBase):
        given: Any = data
        return given if wanted is None else given.to(wanted)  # type: ignore[no-any-return]
    if isinstance(data, np.ndarray) and (wanted is None or wanted.numpy == data.dtype):
        return finished(from_numpy_array(data)._array, device=device)
    return finished(array_of(data, wanted), device=device)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """`obj` as a tensor, copied where `copy` says so.

    >>> import seegrad as torch
    >>> torch.asarray([1.0])
    tensor([1.])
    """
    made = as_tensor(obj, dtype, device)
    if copy:
        made = made.detach().clone()
    return made.requires_grad_() if requires_grad else made


def from_numpy_array(ndarray: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array.

    Raises TypeError for what is not an array of numbers, ValueError for negative strides.

    >>> import numpy, seegrad as torch
    >>> torch.from_numpy(numpy.arange(3))
    tensor([0, 1, 2])
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(ndarray)})")
    if not ndarray.flags.writeable:
        warn_once(NOT_WRITABLE)
    return finished(checked_array(ndarray).view(np.ndarray))


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor that shares the memory of an object with `__dlpack__`.

    >>> import numpy, seegrad as torch
    >>> torch.from_dlpack(numpy.ones(2))
    tensor([1., 1.], dtype=torch.float64)
    """
    return finished(np.from_dlpack(ext_tensor))


def filled(name: str, make: Callable[..., Any], doc: str) -> Callable[..., Tensor]:
    """`zeros`, `ones` or `empty`."""

    def function(
        *args: Any,
        size: Any = None,
        out: Any = None,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        pin_memory: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        kind = (as_dtype(dtype) or get_default_dtype()).numpy
        if layout is not None and str(layout) != "torch.strided":
            raise NotImplementedError(
                f"{name}(layout={layout}). Use torch.sparse_coo_tensor(size)."
            )
        return finished(make(size_of(name, args, size), kind), requires_grad, device, out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


zeros = filled(
    "zeros",
    np.zeros,
    """A tensor of zeros of the given size, in the default dtype unless `dtype` is given.

    >>> import seegrad as torch
    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """,
)
ones = filled(
    "ones",
    np.ones,
    """A tensor of ones of the given size, in the default dtype unless `dtype` is given.

    >>> import seegrad as torch
    >>> torch.ones(3)
    tensor([1., 1., 1.])
    """,
)
empty = filled(
    "empty",
    np.empty,
    """A tensor of the given size whose elements are whatever is in memory.

    >>> import seegrad as torch
    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """,
)


def empty_strided(
    size: Any, stride: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of the given size and strides, not initialised.

    >>> import seegrad as torch
    >>> torch.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    kind = (as_dtype(dtype) or get_default_dtype()).numpy
    count = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else 0
    memory = np.empty(count, kind)
    array = np.ndarray(tuple(size), kind, memory, 0, tuple(s * kind.itemsize for s in stride))
    return finished(array, requires_grad, device)


def empty_permuted(size: Any, physical_layout: Any, **options: Any) -> Tensor:
    """A tensor not initialised, whose dimensions lie in memory in the order given.

    `physical_layout`: the dimensions, outermost first. Raises RuntimeError where these are not all
    dimensions, each once.

    >>> import seegrad as torch
    >>> torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
    (12, 1, 3)
    """
    ndim, order = len(size), tuple(physical_layout)
    if ndim != len(order):
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {ndim} is not equal to len(physical_layout) = {len(order)}"
        )
    for place, dim in enumerate(order):
        if not 0 <= dim < ndim:
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {ndim - 1}, but got {dim} "
                f"at index {place}).  NB: negative dims not currently supported; file an issue if "
                "you want it."
            )
        if dim in order[:place]:
            raise RuntimeError("Duplicate dim not allowed")
    size_of("empty_permuted", (tuple(size[dim] for dim in order),))
    strides, step = [0] * ndim, 1
    for dim in reversed(order):
        strides[dim], step = step, step * max(size[dim], 1)
    return empty_strided(size, strides, **options)


def full(
    size: Any,
    fill_value: Any,
    *,
    out: Any = None,
    dtype: Any = None,
    device: Any = None,
    layout: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of the given size filled with one number, whose kind gives the dtype.

    >>> import seegrad as torch
    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    if is_integer(size):
        raise TypeError("full(): argument 'size' (position 1) must be tuple of ints, not int")
    shape = size_of("full", (size,))
    value = number(fill_value)
    wanted = as_dtype(dtype)
    if wanted is None:
        wanted = fill_value.dtype if isinstance(fill_value, TensorBase) else None
    kind = array_of(value, None).dtype if wanted is None else wanted.numpy
    return finished(np.full(shape, checked_number(value, kind)), requires_grad, device, out)


def like(name: str, make: Callable[[Any, Any], Any], doc: str) -> Callable[..., Tensor]:
    """`zeros_like`, `ones_like` or `empty_like`."""

    def function(
        input: Any,
        *,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        if not isinstance(input, TensorBase):
            kind = type(input).__name__
            raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {kind}")
        wanted = as_dtype(dtype)
        return finished(
            make(input._array, None if wanted is None else wanted.numpy), requires_grad, device
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


zeros_like = like(
    "zeros_like",
    lambda a, d: np.zeros_like(a, d),
    """Zeros of the shape and dtype of `input`.

    >>> import seegrad as torch
    >>> torch.zeros_like(torch.ones(2))
    tensor([0., 0.])
    """,
)
ones_like = like(
    "ones_like",
    lambda a, d: np.ones_like(a, d),
    """Ones of the shape and dtype of `input`.

    >>> import seegrad as torch
    >>> torch.ones_like(torch.zeros(2))
    tensor([1., 1.])
    """,
)
empty_like = like(
    "empty_like",
    lambda a, d: np.empty_like(a, d),
    """A tensor of the shape and dtype of `input`, not initialised.

    >>> import seegrad as torch
    >>> torch.empty_like(torch.zeros(2)).shape
    torch.Size([2])
    """,
)


def full_like(
    input: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor of the shape and dtype of `input` filled with one number.

    >>> import seegrad as torch
    >>> torch.full_like(torch.ones(2), 3)
    tensor([3., 3.])
    """
    return full(
        input._array.shape,
        fill_value,
        dtype=as_dtype(dtype) or input.dtype,
        device=device,
        requires_grad=requires_grad,
    )


def eye(
    n: int,
    m: int | None = None,
    *,
    out: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The matrix of `n` rows and `m` columns (default `n`) with ones on its diagonal.

    >>> import seegrad as torch
    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    kind = (as_dtype(dtype) or get_default_dtype()).numpy
    for name, size in (("n", n), ("m", m)):
        if size is not None and size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    return finished(np.eye(n, n if m is None else m, dtype=kind), requires_grad, device, out)


def number(value: Any) -> Any:
    """A Python number for a tensor of one element or a scalar of NumPy's."""
    if isinstance(value, np.generic):
        return plain_number(value)
    value = getattr(value, "_array", value)
    return value.item() if isinstance(value, np.ndarray) else value


def arange(
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The numbers from `start` (0 when one bound is given) to before `end` in steps of `step`.

    int64 when all are integers, else the default dtype.
    Raises RuntimeError when the step is zero or leads away from `end`.

    >>> import seegrad as torch
    >>> torch.arange(0, 1, 0.25)
    tensor([0.0000, 0.2500, 0.5000, 0.7500])
    """
    first, last, by = (
        number(v) for v in ((0, start, step) if end is None else (start, end, step))
    )
    given = as_dtype(dtype) or (None if out is None else out.dtype)
    if given is not None and given.numpy.kind in "iu" and int(by) == 0 != by:
        raise ValueError("step must be nonzero")
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if any(math.isinf(bound) for bound in (first, last)):
        raise RuntimeError(f"unsupported range: {first:g} -> {last:g}")
    if (last - first) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    wanted = as_dtype(dtype)
    if wanted is None:
        whole = all(isinstance(v, int) for v in (first, last, by))
        wanted = dtypes.NAMES["int64"] if whole else get_default_dtype()
    need_kind(wanted.numpy, "arange_cpu", "bc")
    if wanted is dtypes.int64:
        first, last, by = int(first), int(last), int(by)
    exact = all(isinstance(v, int) for v in (first, last, by))
    count = -((first - last) // by) if exact else math.ceil((last - first) / by)
    if wanted.numpy.kind in "iu":
        first, by = int(first), int(by)
    steps = np.arange(count, dtype=np.float64 if isinstance(by, float) else np.int64)
    return finished((first + steps * by).astype(wanted.numpy), requires_grad, device, out)


def range_(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """As `arange`, with `end` included and of the default dtype; deprecated, as in PyTorch.

    Raises RuntimeError when the step is zero or leads away from `end`.

    >>> import warnings
    >>> import seegrad as torch
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.range(0, 1, 0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    if end is None:
        raise TypeError('range() missing 1 required positional arguments: "end"')
    warn(DEPRECATED_RANGE)
    wanted = as_dtype(dtype) or get_default_dtype()
    first, last, by = number(start), number(end), number(step)
    if wanted.numpy.kind in "iu" and math.isfinite(first) and math.isfinite(last):
        first, last, by = int(first), int(last), int(by)
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(first) and math.isfinite(last)):
        raise RuntimeError(f"unsupported range: {first:g} -> {last:g}")
    if (last - first) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    steps = np.arange(math.floor((last - first) / by) + 1)
    return finished((first + steps * by).astype(wanted.numpy), requires_grad, device, out)


def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    out: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` numbers evenly spaced from `start` to `end`, both included.

    Raises RuntimeError for a negative number of steps.

    >>> import seegrad as torch
    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    check_spacing("linspace", start, end, steps)
    first, last = number(start), number(end)
    wanted = as_dtype(dtype)
    if wanted is None:
        is_complex = isinstance(first, complex) or isinstance(last, complex)
        wanted = dtypes.default_complex() if is_complex else get_default_dtype()
    first, last = whole_ends(first, last, wanted.numpy)
    if steps > 1:
        need_kind(wanted.numpy, "linspace_cpu", "b")
    return finished(spaced(first, last, int(steps), wanted.numpy), requires_grad, device, out)


def whole_ends(first: Any, last: Any, kind: Any) -> tuple[Any, Any]:
    """The bounds, cut to whole numbers for integers."""
    return (int(first), int(last)) if kind.kind in "iu" else (first, last)


def check_spacing(name: str, start: Any, end: Any, steps: Any) -> None:
    """Refuses what gives no row of numbers."""
    if not hasattr(steps, "__index__"):
        raise invalid_combination(name, start, end, steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    first, last = (np.ndim(getattr(bound, "_array", bound)) for bound in (start, end))
    if first or last:
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with "
            f"{first} dimension(s) and end with {last} dimension(s)."
        )


def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    out: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`base` to the powers evenly spaced from `start` to `end`.

    >>> import seegrad as torch
    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    check_spacing("logspace", start, end, steps)
    kind = (as_dtype(dtype) or get_default_dtype()).numpy
    first, last = whole_ends(number(start), number(end), kind)
    if steps > 1:
        need_kind(kind, "logspace_cpu", "b")
    powers = spaced(float(first), float(last), int(steps), np.dtype(np.float64))
    return finished((float(base) ** powers).astype(kind), requires_grad, device, out)


def scalar_tensor(s: Any, *, dtype: Any = None, **options: Any) -> Tensor:
    """A 0-dim tensor of the default dtype.

    >>> import seegrad as torch
    >>> torch.scalar_tensor(2)
    tensor(2.)
    """
    return tensor(s, dtype=as_dtype(dtype) or get_default_dtype(), **options)


def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    """The indices (2, n) of the lower triangle of a row-by-col matrix, row by row.

    >>> import seegrad as torch
    >>> torch.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    kind = triangle_type("tril_indices", row, col, dtype)
    return finished(np.stack(np.tril_indices(row, offset, col)).astype(kind), device=device)


def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    """The indices (2, n) of the upper triangle of a row-by-col matrix, row by row.

    >>> import seegrad as torch
    >>> torch.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    kind = triangle_type("triu_indices", row, col, dtype)
    return finished(np.stack(np.triu_indices(row, offset, col)).astype(kind), device=device)


def triangle_type(name: str, row: int, col: int, dtype: Any) -> Any:
    """The type of indices of a triangle; raises for negative sizes and other types."""
    for what, size in (("row", row), ("col", col)):
        if size < 0:
            raise RuntimeError(f"{what} must be non-negative, got{size}")
    kind = (as_dtype(dtype) or dtypes.NAMES["int64"]).numpy
    if kind not in (np.int32, np.int64):
        need_kind(kind, name, "fubchgil")
    return kind


tap(from_numpy_array, "torch", "from_numpy")
