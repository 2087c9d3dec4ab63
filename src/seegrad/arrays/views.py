"""Kernels of views: each result shares memory with its input and has PyTorch's strides."""

from functools import lru_cache
from typing import Any, NoReturn

import numpy as np
from numpy.exceptions import AxisError
from numpy.lib.stride_tricks import as_strided as numpy_as_strided

from seegrad.arrays.dims import wrap_dim, wrap_dims
from seegrad.arrays.dtypes import from_numpy, scalar_type_name, tensor_type_name
from seegrad.arrays.strides import element_strides, numel, storage, storage_offset, strided

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]

_slice = slice
_ALL = slice(None)

_NOT_VIEWABLE = (
    "view size is not compatible with input tensor's size and stride (at least one dimension "
    "spans across two contiguous subspaces). Use .reshape(...) instead."
)


def alias(self: Array) -> Array:
    """Another array on the same memory."""
    return self[...]


def fw_primal(self: Array) -> Array:
    """As `alias`: the value of a tensor that carries a tangent."""
    return self[...]


def view(self: Array, size: Size) -> Array:
    """The same memory in another shape, or PyTorch's error where that cannot be."""
    try:
        # Of contiguous memory a reshape is always a view; saying `copy` takes 0.15 us longer.
        contiguous = self.flags.c_contiguous
        made = self.reshape(size) if contiguous else self.reshape(size, copy=False)
    except ValueError:
        wanted = infer_size(size, self.size)
    else:
        if made.shape != size and -1 not in size:  # NumPy takes any negative number for -1
            infer_size(size, self.size)
        return made
    if self.size == 0:
        return strided(self, wanted, (0,) * len(wanted))
    raise RuntimeError(_NOT_VIEWABLE)


reshape_alias = view


def infer_size(size: Size, total: int) -> Size:
    """The shape with its -1 filled in; RuntimeError where it does not hold `total` elements."""
    known, unknown = 1, None
    for place, one in enumerate(size):
        if one == -1:
            if unknown is not None:
                raise RuntimeError("only one dimension can be inferred")
            unknown = place
        elif one < 0:
            raise RuntimeError(
                f"invalid shape dimension {one} at index {place} of shape {list(size)}"
            )
        else:
            known *= one
    if unknown is None:
        if known == total:
            return tuple(size)
    elif known and total % known == 0:
        return (*size[:unknown], total // known, *size[unknown + 1 :])
    elif not known and not total:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )
    raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {total}")


def view_dtype(self: Array, dtype: Any) -> Array:
    """The same bytes read as another type."""
    old, new = self.itemsize, np.dtype(dtype).itemsize
    if old != new and not self.ndim:
        raise RuntimeError(
            f"self.dim() cannot be 0 to view {from_numpy(self.dtype).scalar_name} as "
            f"{from_numpy(dtype).scalar_name} (different element sizes)"
        )
    if new > old and self.shape[-1] % (new // old):
        raise RuntimeError(
            f"self.size(-1) must be divisible by {new // old} to view "
            f"{from_numpy(self.dtype).scalar_name} as {from_numpy(dtype).scalar_name} (different "
            f"element sizes), but got {self.shape[-1]}"
        )
    return self.view(dtype)


def transpose(self: Array, dim0: int, dim1: int) -> Array:
    """Two dimensions swapped."""
    try:
        return self.swapaxes(dim0, dim1)
    except AxisError:
        wrap_dim(dim0, self.ndim), wrap_dim(dim1, self.ndim)
        return self[...]


def t(self: Array) -> Array:
    """A matrix transposed; fewer dimensions stay as they are."""
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


def permute(self: Array, dims: Size) -> Array:
    """The dimensions in another order."""
    try:
        return self.transpose(dims)
    except ValueError:
        _refuse_permute(self, dims)
    return self[...]


def _refuse_permute(self: Array, dims: Size) -> NoReturn:
    if len(dims) != self.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {self.ndim} is not "
            f"equal to len(dims) = {len(dims)}"
        )
    for dim in dims:
        wrap_dim(dim, self.ndim)
    raise RuntimeError("permute(): duplicate dims are not allowed.")


def expand(self: Array, size: Size) -> Array:
    """Dimensions of size 1 repeated without copying: their stride becomes 0."""
    plan = _expansion(self.shape, size)
    if plan is None:
        _refuse_expand(self, size)
    shape, sources, ones = plan
    own = self.strides
    if not own:  # one element, shown again and again
        return np.ndarray(shape, self.dtype, self, 0, (0,) * len(shape))
    strides = [0 if one is None else own[one] for one in sources]
    for place in ones:  # from the back: a new dimension of size 1 steps over all that follows
        follows = place + 1 < len(shape)
        strides[place] = shape[place + 1] * strides[place + 1] if follows else 0
    return strided(self, shape, tuple(strides))


@lru_cache(maxsize=1024)
def _expansion(shape: Size, size: Size) -> tuple[Size, tuple[int | None, ...], Size] | None:
    """The shape that `expand` makes, which dimension each stride is taken from, if any.

    And which new dimensions have size 1, the last first.
    """
    lead = len(size) - len(shape)
    if lead < 0 or any(wanted < 0 for wanted in size[:lead]):
        return None
    sizes = list(size[:lead])
    found: list[int | None] = [None] * lead
    for place, (old, wanted) in enumerate(zip(shape, size[lead:], strict=True)):
        if wanted in (old, -1):
            sizes.append(old)
            found.append(place)
        elif old == 1 and wanted >= 0:
            sizes.append(wanted)
            found.append(None)
        else:
            return None
    ones = tuple(place for place in reversed(range(lead)) if sizes[place] == 1)
    return tuple(sizes), tuple(found), ones


def _refuse_expand(self: Array, size: Size) -> NoReturn:
    shape = list(self.shape)
    lead = len(size) - len(shape)
    if lead < 0:
        kind = tensor_type_name(from_numpy(self.dtype))
        raise RuntimeError(
            f"expand({kind}{{{shape}}}, size={list(size)}): the number of sizes provided "
            f"({len(size)}) must be greater or equal to the number of dimensions in the tensor "
            f"({len(shape)})"
        )
    for place in reversed(range(len(size))):
        wanted = size[place]
        if place < lead and wanted < 0:
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, "
                f"non-existing dimension {place}"
            )
        if place >= lead and wanted not in (-1, shape[place - lead]):
            if shape[place - lead] != 1 or wanted < 0:
                raise RuntimeError(
                    f"The expanded size of the tensor ({wanted}) must match the existing size "
                    f"({shape[place - lead]}) at non-singleton dimension {place}.  "
                    f"Target sizes: {list(size)}.  Tensor sizes: {shape}"
                )
    raise AssertionError("an expanded size was refused without a reason")


def unsqueeze(self: Array, dim: int) -> Array:
    """A dimension of size 1 put in; its stride is that of what follows times its size."""
    ndim = self.ndim
    if not -ndim - 1 <= dim <= ndim:
        wrap_dim(dim, ndim + 1)
    if dim < 0:
        dim += ndim + 1
    shape, strides = self.shape, self.strides
    if self.flags.c_contiguous and 1 not in shape:  # strides of size 1 would not survive
        return self.reshape((*shape[:dim], 1, *shape[dim:]))
    step = shape[dim] * strides[dim] if dim < ndim else self.itemsize
    return strided(self, (*shape[:dim], 1, *shape[dim:]), (*strides[:dim], step, *strides[dim:]))


def squeeze(self: Array) -> Array:
    """All dimensions of size 1 taken out."""
    return self.squeeze()


def squeeze_dim(self: Array, dim: int) -> Array:
    """A dimension taken out if its size is 1."""
    dim = wrap_dim(dim, self.ndim)
    if self.ndim and self.shape[dim] == 1:
        return self.squeeze(dim)
    return self[...]


squeeze_made = squeeze_dim
transpose_in_place = transpose
unsqueeze_in_place, squeeze_in_place = unsqueeze, squeeze


def t_in_place(self: Array) -> Array:
    """As `t`, which the error names in its own way."""
    if self.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return t(self)


def squeeze_dims(self: Array, dim: Size) -> Array:
    """Those of the dimensions whose size is 1 taken out."""
    dims = wrap_dims(dim, self.ndim) if len(dim) else ()
    return self.squeeze(tuple(one for one in dims if self.ndim and self.shape[one] == 1))


def select(self: Array, dim: int, index: int) -> Array:
    """One slice of a dimension, which disappears."""
    try:
        if dim == 0:
            return self[index, ...]
        if dim == -1:
            return self[..., index]
        return self[(*(_ALL,) * wrap_dim(dim, self.ndim), index, ...)]
    except IndexError:
        _refuse_select(self, dim, index)
    return self


def _refuse_select(self: Array, dim: int, index: int) -> NoReturn:
    if not self.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, self.ndim)
    raise IndexError(
        f"select(): index {index} out of range for tensor of size {list(self.shape)} "
        f"at dimension {dim}"
    )


def slice(self: Array, dim: int, start: int | None, end: int | None, step: int = 1) -> Array:
    """Every `step`-th slice of a dimension from `start` up to `end`, both clamped."""
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    if not self.ndim:
        raise RuntimeError("slice() cannot be applied to a 0-dim tensor.")
    if dim == 0:
        part = self[start:end:step]
    else:
        dim = wrap_dim(dim, self.ndim)
        part = self[(*(_ALL,) * dim, _slice(start, end, step))]
    if step != 1 and not part.shape[dim]:
        strides = self.strides  # NumPy forgets the step of an empty slice
        return strided(
            part, part.shape, (*strides[:dim], strides[dim] * step, *strides[dim + 1 :])
        )
    return part


def diagonal(self: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """The diagonal of two dimensions, which become one at the end."""
    first, second = wrap_dim(dim1, self.ndim), wrap_dim(dim2, self.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    part = self.diagonal(offset, first, second)
    if self.flags.writeable:
        part.flags.writeable = True
    return part


def unfold(self: Array, dimension: int, size: int, step: int) -> Array:
    """All windows of a dimension, `step` apart; the window is a new last dimension."""
    dim = wrap_dim(dimension, self.ndim)
    shape, strides = (self.shape, self.strides) if self.ndim else ((1,), (self.itemsize,))
    if size > shape[dim]:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dim} is {shape[dim]} but size is {size}"
        )
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not self.ndim:
        return strided(self, (size,), strides)
    windows = (shape[dim] - size) // step + 1
    return strided(
        self,
        (*shape[:dim], windows, *shape[dim + 1 :], size),
        (*strides[:dim], strides[dim] * step, *strides[dim + 1 :], strides[dim]),
    )


def as_strided(
    self: Array,
    size: Size,
    stride: Size,
    storage_offset: int | None,
    base_stride: Size,
    base_offset: int,
) -> Array:
    """Any view of the memory that `self` looks at; strides and offset count elements.

    Without an offset it begins where `self` does. `base_stride` and `base_offset` say how the
    tensor lay that the call was made on. A gradient of it is laid out afresh; the view of that is
    the same, moved.
    """
    offset = _offset_of(self)
    if storage_offset is None:
        storage_offset = base_offset
    if element_strides(self) != base_stride:
        raise RuntimeError("as_strided of a tensor that is not contiguous cannot be written to")
    owner, item = storage(self), self.itemsize
    _check_as_strided(
        size, stride, storage_offset, item, owner.nbytes + (base_offset - offset) * item
    )
    start = storage_offset - base_offset + offset
    whole = strided(owner, (owner.size,), (owner.itemsize,))
    return np.ndarray(size, self.dtype, whole, start * item, tuple(s * item for s in stride))


as_strided_in_place = as_strided
_offset_of = storage_offset


def _check_as_strided(size: Size, stride: Size, offset: int, item: int, held: int) -> None:
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: "
            f"{list(stride)}"
        )
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if any(s < 0 for s in size):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} and "
            f"strides={list(stride)}"
        )
    last = sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    needed = (offset + last + 1) * item if numel(size) else 0
    if needed > held:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, "
            f"and itemsize {item} requiring a storage size of {needed} are out of bounds for "
            f"storage of size {held}"
        )


def split(self: Array, split_size: int, dim: int = 0) -> list[Array]:
    """Pieces of `split_size` slices each, the last may be smaller."""
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(
            f"split expects split_size be non-negative, but got split_size={split_size}"
        )
    dim = wrap_dim(dim, self.ndim)
    total = self.shape[dim]
    if not split_size:
        if total:
            raise RuntimeError(
                "split_size can only be 0 if dimension size is 0, but got dimension size of "
                f"{total}"
            )
        return [self[...]]
    lead = (_ALL,) * dim
    starts = range(0, max(total, 1), split_size)
    return [self[(*lead, _slice(start, start + split_size))] for start in starts]


def split_with_sizes(self: Array, split_sizes: Size, dim: int = 0) -> list[Array]:
    """Pieces of the sizes given."""
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    dim = wrap_dim(dim, self.ndim)
    if any(size < 0 for size in split_sizes):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={list(split_sizes)}"
        )
    if sum(split_sizes) != self.shape[dim]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {self.shape[dim]} (input "
            f"tensor's size at dimension {dim}), but got split_sizes={list(split_sizes)}"
        )
    lead, pieces, start = (_ALL,) * dim, [], 0
    for size in split_sizes:
        pieces.append(self[(*lead, _slice(start, start + size))])
        start += size
    return pieces


unsafe_split, unsafe_split_with_sizes = split, split_with_sizes


def unbind(self: Array, dim: int = 0) -> list[Array]:
    """The slices of a dimension, one by one."""
    if not self.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    dim = wrap_dim(dim, self.ndim)
    lead = (_ALL,) * dim
    return [self[(*lead, place, ...)] for place in range(self.shape[dim])]


def view_as_real(self: Array) -> Array:
    """Real and imaginary parts as a new last dimension of size 2."""
    if self.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    shape, strides = (*self.shape, 2), (*self.strides, self.itemsize // 2)
    if not self.size:
        strides = (*[2 * one * strides[-1] for one in element_strides(self)], strides[-1])
    flags = self.flags
    if flags.c_contiguous or flags.f_contiguous:
        return np.ndarray(shape, self.real.dtype, self, 0, strides)
    return numpy_as_strided(self.real, shape, strides)


def view_as_complex(self: Array) -> Array:
    """Pairs in the last dimension as complex numbers."""
    if self.dtype.kind != "f" or self.itemsize < 4:
        name = scalar_type_name(from_numpy(self.dtype))
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a "
            f"tensor of scalar type: {name}"
        )
    if not self.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if self.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    strides = element_strides(self)
    if strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(
        stride % 2 for stride, size in zip(strides, self.shape[:-1], strict=False) if size != 1
    ):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    if storage_offset(self) % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    return self.view(np.result_type(self.dtype, np.complex64))[..., 0]


def real(self: Array) -> Array:
    """The real part, a view; a real array itself."""
    return self.real


def imag(self: Array) -> Array:
    """The imaginary part, a view; only of complex arrays."""
    if self.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return self.imag
