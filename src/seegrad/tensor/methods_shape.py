"""Methods of tensors that view, reshape, index, sort and multiply matrices."""

from typing import Any

from seegrad.arrays.dtypes import int64
from seegrad.graph.read_only import read_only
from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.ops import (
    copies,
    differences,
    grids,
    index,
    join,
    linalg,
    masks,
    native,
    products,
    reshaping,
    shape,
    solvers,
    sorting,
    spectra,
    undocumented,
    views,
)
from seegrad.ops.calls import public
from seegrad.ops.complex import (
    angle,
    conj,
    conj_physical,
    imag,
    is_conj,
    is_neg,
    real,
    resolve_conj,
    resolve_neg,
)
from seegrad.ops.views import int_tuple

__all__ = ["ShapeMethods"]


def sizes(numbers: tuple[Any, ...], what: str = "", method: str = "") -> tuple[int, ...]:
    """Plain ints out of `x.view(2, 3)` and `x.view((2, 3))` alike."""
    for one in numbers:
        if one.__class__ is not int:
            break
    else:
        if numbers or not what:
            return numbers
        raise TypeError(f'{method}() missing 1 required positional arguments: "{what}"')
    if len(numbers) == 1 and hasattr(numbers[0], "__iter__") and not _is_scalar(numbers[0]):
        return int_tuple(numbers[0])
    return int_tuple(numbers)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, TensorBase) and value._array.ndim == 0


def part_writer(part: Any) -> Any:
    """What `z.real = values` does: writes into the part."""

    def write(self: Any, values: Any) -> None:
        if isinstance(values, TensorBase):
            op.copy_(part(self), values)
        else:
            masks.fill_(part(self), values)

    return write


class ShapeMethods(TensorBase):
    """Views, shapes, indexing, ordering and matrix products as methods."""

    # Views

    def view(self, *shape: Any, dtype: Any = None) -> Any:
        """A view in another shape, or with a dtype the same bytes as another type."""
        if dtype is not None:
            return views.view_dtype(self, dtype)
        for one in shape:
            if one.__class__ is not int:
                break
        else:
            if shape:
                return op.view(self, shape)
        if len(shape) == 1 and hasattr(shape[0], "numpy") and not isinstance(shape[0], TensorBase):
            return views.view_dtype(self, shape[0])
        if not shape:
            raise TypeError(
                "view() received an invalid combination of arguments - got (), but expected one "
                "of:\n * (torch.dtype dtype)\n * (tuple of ints size)\n"
            )
        return op.view(self, sizes(shape))

    def reshape(self, *shape: Any) -> Any:
        """The elements in another shape: a view where the memory allows it, else a copy."""
        return views.reshape(self, sizes(shape, "shape", "reshape"))  # type: ignore[arg-type]

    def permute(self, *dims: Any) -> Any:
        """A view with the dimensions in another order."""
        return op.permute(self, sizes(dims))

    def expand(self, *size: Any, implicit: bool = False) -> Any:
        """A view in which dimensions of size 1 are repeated."""
        return op.expand(self, sizes(size, "size", "expand"))

    def broadcast_to(self, *size: Any) -> Any:
        """A view broadcast to a shape."""
        return op.expand(self, sizes(size, "size", "broadcast_to"))

    def view_as(self, other: Any) -> Any:
        """A view in the shape of another tensor."""
        return op.view(self, other._array.shape)

    def expand_as(self, other: Any) -> Any:
        """A view broadcast to the shape of another tensor."""
        return op.expand(self, other._array.shape)

    def reshape_as(self, other: Any) -> Any:
        """The elements in the shape of another tensor."""
        return views.reshape(self, other._array.shape)  # type: ignore[arg-type]

    def sum_to_size(self, *size: Any) -> Any:
        """The tensor summed to a shape that broadcasts to its own."""
        wanted = sizes(size)
        if wanted == self._array.shape != ():
            return self
        own = self._array.shape
        pairs = zip(reversed(own), reversed(wanted), strict=False)
        if len(wanted) > len(own) or any(w not in (1, n) for n, w in pairs):
            raise RuntimeError(
                f"size {{{list(wanted)}}} is not expandable to size {{{list(own)}}}."
            )
        total = op.sum_to(self, wanted)
        return op.to_copy(total, int64) if total._array.dtype.kind in "biu" else total

    def unflatten(self, dim: int, sizes: Any) -> Any:
        """A view with one dimension split into several."""
        return views.unflatten(self, dim, sizes)  # type: ignore[arg-type]

    transpose = op.transpose
    swapaxes = op.transpose
    swapdims = op.transpose
    t = op.t
    adjoint = views.adjoint
    t_ = reshaping.t_
    transpose_ = swapaxes_ = swapdims_ = reshaping.transpose_
    unsqueeze_ = reshaping.unsqueeze_
    squeeze_ = reshaping.squeeze_
    movedim = views.movedim
    moveaxis = views.movedim
    unsqueeze = public(op.unsqueeze)
    squeeze = views.squeeze
    select = views.select
    narrow = views.narrow
    narrow_copy = copies.narrow_copy
    diagonal = op.diagonal
    unfold = op.unfold
    as_strided = views.as_strided
    as_strided_ = reshaping.as_strided_
    as_strided_scatter = native.as_strided_scatter
    flatten = views.flatten
    ravel = views.ravel
    split = join.split
    chunk = join.chunk
    split_with_sizes = undocumented.split_with_sizes
    unbind = public(op.unbind)
    unsafe_split = join.unsafe_split
    unsafe_split_with_sizes = join.unsafe_split_with_sizes
    unsafe_chunk = join.unsafe_chunk
    tensor_split = join.tensor_split
    hsplit = join.hsplit
    vsplit = join.vsplit
    dsplit = join.dsplit

    @read_only
    def T(self) -> Any:
        """A view with the dimensions in reverse order."""
        return views.reversed_dims(self)

    @read_only
    def mT(self) -> Any:
        """A view of matrices transposed."""
        return views.matrix_transpose(self)

    @read_only
    def H(self) -> Any:
        """The conjugate transpose of a matrix."""
        return views.hermitian(self)

    @read_only
    def mH(self) -> Any:
        """The conjugate transpose of matrices."""
        return views.matrix_adjoint(self)

    # Complex parts

    conj = conj
    conj_physical = conj_physical
    conj_physical_ = op.conj_physical_
    resolve_conj = resolve_conj
    resolve_neg = resolve_neg
    is_conj = is_conj
    is_neg = is_neg
    angle = angle
    real = property(real, part_writer(real), doc="The real part, a view; a real tensor itself.")
    imag = property(imag, part_writer(imag), doc="The imaginary part of a complex tensor, a view.")

    # Copies in another shape

    def clone(self, *, memory_format: Any = None) -> Any:
        """A copy that the gradient flows through."""
        if memory_format is None:
            return op.clone(self)
        return shape.clone(self, memory_format=memory_format)  # type: ignore[arg-type]

    def contiguous(self, memory_format: Any = None) -> Any:
        """The tensor itself where its memory is in order, else a copy."""
        return shape.contiguous(self)

    def repeat(self, *repeats: Any) -> Any:
        """The tensor tiled so many times along each dimension."""
        return op.repeat(self, sizes(repeats, "repeats", "repeat"))

    def tile(self, *dims: Any) -> Any:
        """The tensor tiled, numbers of copies counted from the last dimension."""
        return shape.tile(self, sizes(dims))  # type: ignore[arg-type]

    def flip(self, *dims: Any) -> Any:
        """A copy in which the order of some dimensions is reversed."""
        return op.flip(self, sizes(dims, "dims", "flip"))

    fliplr = shape.fliplr
    flipud = shape.flipud
    roll = shape.roll
    rot90 = shape.rot90
    tril = shape.tril
    triu = shape.triu
    tril_ = op.tril_
    triu_ = op.triu_
    diag = shape.diag
    diag_embed = shape.diag_embed
    diagflat = shape.diagflat
    trace = shape.trace
    kron = grids.kron
    repeat_interleave = grids.repeat_interleave
    select_scatter = shape.select_scatter
    slice_scatter = shape.slice_scatter
    diagonal_scatter = shape.diagonal_scatter

    # Differences

    diff = differences.diff
    cov = differences.cov
    corrcoef = differences.corrcoef

    # Indexing

    index_put = index.index_put
    index_put_ = index.index_put_
    gather = index.gather
    scatter = index.scatter
    scatter_ = index.scatter_
    scatter_add = index.scatter_add
    scatter_add_ = index.scatter_add_
    scatter_reduce = index.scatter_reduce
    scatter_reduce_ = index.scatter_reduce_
    index_select = index.index_select
    index_add = index.index_add
    index_add_ = index.index_add_
    index_copy = index.index_copy
    index_copy_ = op.index_copy_
    index_fill = index.index_fill
    index_fill_ = index.index_fill_
    index_reduce = index.index_reduce
    index_reduce_ = index.index_reduce_
    take = index.take
    put = index.put
    put_ = op.put_
    take_along_dim = index.take_along_dim
    masked_fill = masks.masked_fill
    masked_fill_ = masks.masked_fill_
    masked_select = masks.masked_select
    masked_scatter = masks.masked_scatter
    masked_scatter_ = op.masked_scatter_
    fill_ = masks.fill_
    fill_diagonal_ = masks.fill_diagonal_
    zero_ = masks.zero_
    copy_ = masks.copy_

    # Ordering, counting, finding

    sort = sorting.sort
    argsort = sorting.argsort
    msort = sorting.msort
    topk = sorting.topk
    kthvalue = sorting.kthvalue
    argwhere = sorting.argwhere
    bincount = sorting.bincount
    isin = sorting.isin
    unique = sorting.unique
    unique_consecutive = sorting.unique_consecutive

    nonzero_static = sorting.nonzero_static

    def nonzero(self, *, as_tuple: bool = False) -> Any:
        """Where the elements are that are not zero."""
        return sorting.nonzero(self, as_tuple=as_tuple)  # type: ignore[arg-type]

    # Matrix products

    matmul = linalg.matmul
    mm = linalg.mm
    mv = linalg.mv
    dot = linalg.dot
    vdot = linalg.vdot
    bmm = linalg.bmm
    addmm = linalg.addmm
    addmv = linalg.addmv
    addbmm = linalg.addbmm
    baddbmm = linalg.baddbmm
    addr = linalg.addr
    outer = linalg.outer
    ger = linalg.outer
    inner = linalg.inner
    cross = products.cross
    matrix_power = products.matrix_power

    # Linear systems and decompositions

    det = solvers.det
    logdet = solvers.logdet
    slogdet = solvers.slogdet
    inverse = solvers.inverse
    triangular_solve = solvers.triangular_solve
    lu = solvers.lu
    lu_solve = solvers.lu_solve
    cholesky = solvers.cholesky
    cholesky_solve = solvers.cholesky_solve
    cholesky_inverse = solvers.cholesky_inverse
    qr = spectra.qr
    geqrf = spectra.geqrf
    orgqr = spectra.orgqr
    ormqr = spectra.ormqr
    svd = spectra.svd
    pinverse = spectra.pinverse
    matrix_exp = spectra.matrix_exp

    def addmm_(self, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """`addmm` in place."""
        return op.addmm_(self, mat1, mat2, beta, alpha)

    def addmv_(self, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """`addmv` in place."""
        return op.addmv_(self, mat, vec, beta, alpha)

    def addbmm_(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """`addbmm` in place."""
        return op.addbmm_(self, batch1, batch2, beta, alpha)

    def baddbmm_(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """`baddbmm` in place."""
        return op.baddbmm_(self, batch1, batch2, beta, alpha)

    def addr_(self, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """`addr` in place."""
        return op.addr_(self, vec1, vec2, beta, alpha)
