"""Helpers on modules and parameters: clipping, vectors, norms of weights, pruning, fusing."""

from importlib import import_module
from typing import Any

from seegrad.missing import missing as _missing
from seegrad.nn.utils import rnn, stateless
from seegrad.nn.utils.clip_grad import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from seegrad.nn.utils.convert_parameters import parameters_to_vector, vector_to_parameters
from seegrad.nn.utils.fusion import (
    fuse_conv_bn_eval,
    fuse_conv_bn_weights,
    fuse_linear_bn_eval,
    fuse_linear_bn_weights,
)
from seegrad.nn.utils.init import skip_init
from seegrad.nn.utils.memory_format import (
    convert_conv2d_weight_memory_format,
    convert_conv3d_weight_memory_format,
)

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "prune",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
    "weight_norm",
]

# Read when first asked for: they need the modules, which need `rnn` of this package.
_LATER = {
    "parametrizations": "",
    "parametrize": "",
    "prune": "",
    "remove_spectral_norm": "._spectral_norm",
    "remove_weight_norm": "._weight_norm",
    "spectral_norm": "._spectral_norm",
    "weight_norm": "._weight_norm",
}
_unknown = _missing(__name__, __all__)


def __getattr__(name: str) -> Any:
    place = _LATER.get(name)
    if place is None:
        return _unknown(name)
    if not place:
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(__name__ + place), name)
