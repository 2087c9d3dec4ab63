"""Derivatives of margins made of the input itself, and of writing into a part of a copy."""

from typing import Any

from seegrad.rules.spec import linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it

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
