"""Functions of layers that PyTorch has under `torch` too, not only in `torch.nn.functional`."""

from seegrad.ops.convolution import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from seegrad.ops.distances import (
    pdist,
)
from seegrad.ops.images import (
    channel_shuffle,
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
from seegrad.ops.randomized import (
    alpha_dropout,
    feature_alpha_dropout,
    rrelu,
)

__all__ = [
    "adaptive_avg_pool1d",
    "alpha_dropout",
    "avg_pool1d",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "feature_alpha_dropout",
    "group_norm",
    "layer_norm",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "pdist",
    "rms_norm",
    "rrelu",
]
