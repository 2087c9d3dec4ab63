"""Public functions of `torch` that are its kernels: no defaults, everything is returned.

`native_layer_norm` and its like return the mean and the inverse deviation too. The functions of
`torch.nn.functional` of the same names are made of these, and take their arguments otherwise.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.strides import element_strides
from seegrad.arrays.strides import storage_offset as offset_of
from seegrad.graph.tangents import is_differentiated
from seegrad.graph.tensor import requires, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops import normalization, norms, pooling
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim, wrap_dims
from seegrad.ops.index import versioned
from seegrad.ops.normalization import batch_normalized, need_channels
from seegrad.ops.out import into
from seegrad.ops.views import Sizes, int_tuple, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "_native_batch_norm_legit",
    "_unsafe_masked_index",
    "_unsafe_masked_index_put_accumulate",
    "adaptive_max_pool1d",
    "as_strided_scatter",
    "batch_norm",
    "convolution",
    "frobenius_norm",
    "instance_norm",
    "max_pool1d_with_indices",
    "native_batch_norm",
    "native_group_norm",
    "native_layer_norm",
    "norm_except_dim",
    "nuclear_norm",
]

Three = tuple["Tensor", "Tensor", "Tensor"]
Size = int | tuple[int, ...] | list[int]


@public
def as_strided_scatter(
    input: Tensor, src: Tensor, size: Sizes, stride: Sizes, storage_offset: int | None = None
) -> Tensor:
    """Return a copy in whose memory a strided view is replaced by `src`.

    `src`: shape `size`, else RuntimeError is raised. An input that requires a gradient has to be
    contiguous.

    >>> import seegrad as torch
    >>> torch.as_strided_scatter(torch.zeros(4), torch.ones(2), (2,), (2,), 1)
    tensor([0., 1., 0., 1.])
    """
    array = input._array
    if requires(input) and not array.flags.c_contiguous:
        raise RuntimeError("as_strided_scatter is currently only supported for contiguous inputs")
    own = offset_of(array)
    offset = own if storage_offset is None else storage_offset
    return op.as_strided_scatter(
        input, src, int_tuple(size), int_tuple(stride), offset, element_strides(array), own
    )


@public
def native_layer_norm(
    input: Tensor, normalized_shape: Sizes, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Three:
    """Return `layer_norm`, the means, and the inverse deviations.

    >>> import seegrad as torch
    >>> torch.native_layer_norm(torch.tensor([[1.0, 3.0]]), (2,), None, None, 0.0)
    (tensor([[-1.,  1.]]), tensor([[2.]]), tensor([[1.]]))
    """
    return op.native_layer_norm(input, int_tuple(normalized_shape), weight, bias, eps)


@public
def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
) -> Three:
    """Return `group_norm`, the means of the groups, and their inverse deviations.

    `input`: (N, C, *), of N * C * HxW elements. Means and deviations: (N, group); they have
    gradients too, unlike those of the other norms.

    >>> import seegrad as torch
    >>> torch.native_group_norm(torch.tensor([[1.0, 3.0]]), None, None, 1, 2, 1, 1, 0.0)
    (tensor([[-1.,  1.]]), tensor([[2.]]), tensor([[1.]]))
    """
    need_channels(input, group, weight, bias)
    if math.prod(input.shape) != N * C * HxW:
        raise RuntimeError(
            "Expected X.numel() == N * C * HxW to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    whole = input if input._array.flags.c_contiguous else op.clone(input, "contiguous")
    out, middle, inverse = op.native_group_norm(whole, weight, bias, N, C, HxW, group, eps)
    if is_differentiated(input):
        groups = op.view(whole, (N, group, C // group * HxW))
        middle = op.mean_dim(groups, (2,), False)
        inverse = op.rsqrt(op.add(op.var(groups, (2,), 0, False), eps))
    return out, middle, inverse


@public
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Three:
    """Return `batch_norm`, and mean and inverse deviation of the batch.

    Those are empty in evaluation mode.

    >>> import seegrad as torch
    >>> x = torch.tensor([[1.0], [3.0]])
    >>> torch.native_batch_norm(x, None, None, None, None, True, 0.1, 0.0)[1:]
    (tensor([2.]), tensor([1.]))
    """
    return batch_normalized(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )


@public
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """Return `torch.nn.functional.batch_norm`, also of a single value per channel.

    >>> import seegrad as torch
    >>> x = torch.tensor([[1.0], [3.0]])
    >>> torch.batch_norm(x, None, None, None, None, True, 0.1, 0.0, False)
    tensor([[-1.],
            [ 1.]])
    """
    return batch_normalized(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )[0]


@public
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """Return `torch.nn.functional.instance_norm`.

    >>> import seegrad as torch
    >>> x = torch.tensor([[[1.0, 3.0]]])
    >>> torch.instance_norm(x, None, None, None, None, True, 0.1, 0.0, False)
    tensor([[[-1.,  1.]]])
    """
    return normalization.instance_norm(
        input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps
    )


@public
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Tensor:
    """Return the convolution, `transposed` or not, of one to three dimensions.

    `input`: (n, c, *). Sizes: one for each of the dimensions.

    >>> import seegrad as torch
    >>> x, weight = torch.ones(1, 1, 3), torch.ones(1, 1, 2)
    >>> torch.convolution(x, weight, None, [1], [0], [1], False, [0], 1)
    tensor([[[2., 2.]]])
    """
    steps = (int_tuple(one) for one in (stride, padding, dilation))
    return op.convolution(
        input, weight, bias, *steps, transposed, int_tuple(output_padding), groups
    )


@public
def adaptive_max_pool1d(input: Tensor, output_size: Sizes) -> Any:
    """Return the largest elements of so many equal parts of a signal, and where they stand.

    >>> import seegrad as torch
    >>> torch.adaptive_max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    return pooling.adaptive_max_pool1d(input, output_size, True)


@public
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: Size,
    stride: Size | None = None,
    padding: Size = 0,
    dilation: Size = 1,
    ceil_mode: bool = False,
) -> Any:
    """Return the largest element of every window of a signal, and where it stands.

    >>> import seegrad as torch
    >>> torch.max_pool1d_with_indices(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    return pooling.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


@public
def frobenius_norm(
    input: Tensor, dim: Sizes, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the root of the sum of squares over one or two dimensions, over all if none is named.

    >>> import seegrad as torch
    >>> torch.frobenius_norm(torch.tensor([[3.0, 4.0]]), (0, 1))
    tensor(5.)
    """
    if out is not None:
        return into(out, "frobenius_norm", frobenius_norm, input, dim, keepdim)
    dims = int_tuple(dim)
    if len(dims) > 2:
        raise RuntimeError(
            f"Expected at most 2 dimensions, but got {len(dims)} dimensions instead."
        )
    return op.norm_dim(input, 2, wrap_dims(dims or None, input.ndim), keepdim)


@public
def nuclear_norm(
    input: Tensor,
    dim: Sizes | bool = (-2, -1),
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return the sum of the singular values of matrices.

    >>> import seegrad as torch
    >>> torch.nuclear_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(7.)
    """
    if isinstance(dim, bool):
        return nuclear_norm(input, keepdim=dim, out=out)
    if out is not None:
        return into(out, "nuclear_norm", nuclear_norm, input, dim, keepdim)
    dims: Any = int_tuple(dim)
    return norms.matrix_norm(input, "nuc", dims, keepdim)


@public
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """Return the norms over all dimensions but one, which stay, of size one; over all for -1.

    >>> import seegrad as torch
    >>> torch.norm_except_dim(torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5.],
            [1.]])
    """
    if dim == -1:
        return norms.norm(v, pow)
    place = wrap_dim(dim, v.ndim)
    if place and place == v.ndim - 1:
        columns = norms.norm(reshape(v, (-1, v.shape[place])), pow, 0)
        return op.view(columns, (*[1] * place, v.shape[place]))
    if place:
        turned = op.clone(op.transpose(v, 0, dim), "contiguous")
        return op.transpose(norm_except_dim(turned, pow, 0), 0, dim)
    rows = norms.norm(reshape(v, (v.shape[0], -1)), pow, 1)
    return op.view(rows, (v.shape[0], *[1] * (v.ndim - 1)))


def _native_batch_norm_legit(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, *rest: Any
) -> Three:
    """`native_batch_norm`, also without running statistics."""
    running = rest if len(rest) == 5 else (None, None, *rest)
    return native_batch_norm(input, weight, bias, *running)


def _inside(input: Any, indices: Sequence[Any]) -> list[Any]:
    """Indices of which those that point outside point to an end."""
    sizes = zip(indices, input.shape, strict=False)
    return [wrap(np.clip(one._array, -size, size - 1)) for one, size in sizes]


def _unsafe_masked_index(input: Any, mask: Any, indices: Sequence[Any], fill: Any) -> Any:
    """`input[indices]` where `mask` is True, `fill` elsewhere; there they may point anywhere."""
    picked = op.index(input, versioned(input, _inside(input, indices)))
    return op.where(mask, picked, wrap(np.asarray(fill, input._array.dtype)))


def _unsafe_masked_index_put_accumulate(
    input: Any, mask: Any, indices: Sequence[Any], values: Any
) -> Any:
    """`input` with values added at the indices where `mask` is True."""
    added = op.where(mask, values, wrap(np.zeros((), values._array.dtype)))
    return op.index_put(input, versioned(input, _inside(input, indices)), added, True)
