"""Functions of layers that PyTorch has under `torch` too, not only in `torch.nn.functional`."""

from seegrad.ops.convolution import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from seegrad.ops.normalization import (
    group_norm,
    layer_norm,
    rms_norm,
)
from seegrad.ops.pooling import (
    adaptive_avg_pool1d,
    avg_pool1d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)

__all__ = [
    "adaptive_avg_pool1d",
    "avg_pool1d",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "group_norm",
    "layer_norm",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "rms_norm",
]
