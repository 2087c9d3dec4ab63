"""Derivatives of margins made of the input itself, and of writing into a part of a copy."""

from typing import Any

from seegrad.arrays.strides import contiguous_strides
from seegrad.rules.spec import linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]

# Margins: each operator for one to three dimensions, whose nodes PyTorch tells apart by name.

for _dims in (1, 2, 3):
    linear(
        f"reflection_pad{_dims}d(self, padding)",
        node=f"ReflectionPad{_dims}DBackward0",
        wide=False,
        self=lambda xp, grad, self_shape, padding: xp.reflection_pad_backward(
            grad, self_shape, padding
        ),
    )
    linear(
        f"replication_pad{_dims}d(self, padding)",
        node=f"ReplicationPad{_dims}DBackward0",
        wide=False,
        self=lambda xp, grad, self_shape, padding: xp.replication_pad_backward(
            grad, self_shape, padding
        ),
    )

linear(
    "reflection_pad_backward(grad_output, self_shape, padding)",
    grad_output=lambda xp, grad, padding: xp.reflection_pad1d(grad, padding),
)
linear(
    "replication_pad_backward(grad_output, self_shape, padding)",
    grad_output=lambda xp, grad, padding: xp.replication_pad1d(grad, padding),
)

# Writing into a part of a copy

linear(
    "select_scatter(self, src, dim, index)",
    wide=False,
    self=lambda xp, grad, src_shape, dim, index: xp.select_scatter(
        grad, xp.new_zeros(grad, src_shape), dim, index
    ),
    src=lambda xp, grad, dim, index: xp.select(grad, dim, index),
)
linear(
    "slice_scatter(self, src, dim=0, start=None, end=None, step=1)",
    wide=False,
    self=lambda xp, grad, src_shape, dim, start, end, step: xp.slice_scatter(
        grad, xp.new_zeros(grad, src_shape), dim, start, end, step
    ),
    src=lambda xp, grad, dim, start, end, step: xp.slice(grad, dim, start, end, step),
)
linear(
    "diagonal_scatter(self, src, offset=0, dim1=0, dim2=1)",
    wide=False,
    self=lambda xp, grad, src_shape, offset, dim1, dim2: xp.diagonal_scatter(
        grad, xp.new_zeros(grad, src_shape), offset, dim1, dim2
    ),
    src=lambda xp, grad, offset, dim1, dim2: xp.diagonal(grad, offset, dim1, dim2),
)


def as_strided_scatter_self(
    xp: Xp,
    grad: Value,
    src_shape: Size,
    size: Size,
    stride: Size,
    storage_offset: int,
    base_offset: int,
) -> Value:
    """Zeros where `src` was written; what was written to is contiguous, and so is the gradient."""
    whole, zeros = xp.clone(grad, "contiguous"), xp.new_zeros(grad, src_shape)
    start = storage_offset - base_offset
    return xp.as_strided_scatter(
        whole, zeros, size, stride, start, contiguous_strides(tuple(grad.shape), 1), 0
    )


linear(
    "as_strided_scatter(self, src, size, stride, storage_offset, base_stride, base_offset)",
    wide=False,
    self=as_strided_scatter_self,
    src=lambda xp, grad, size, stride, storage_offset, base_stride, base_offset: (
        xp.as_strided_gather(grad, size, stride, storage_offset, base_stride, base_offset)
    ),
)

# Channels and pixels

linear(
    "channel_shuffle(self, groups)",
    wide=False,
    self=lambda xp, grad, self_shape, groups: xp.channel_shuffle(grad, self_shape[1] // groups),
)

linear(
    "pixel_shuffle(self, upscale_factor)",
    wide=False,
    self=lambda xp, grad, upscale_factor: xp.pixel_unshuffle(grad, upscale_factor),
)
linear(
    "pixel_unshuffle(self, downscale_factor)",
    wide=False,
    self=lambda xp, grad, downscale_factor: xp.pixel_shuffle(grad, downscale_factor),
)
