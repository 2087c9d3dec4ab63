"""Conversions of the weights of convolutions, which are accepted and change nothing."""

from typing import Any, TypeVar

from seegrad.nn.modules.module import Module

AnyModule = TypeVar("AnyModule", bound=Module)


def convert_conv2d_weight_memory_format(module: AnyModule, memory_format: Any) -> AnyModule:
    """`module` itself: arrays are strided, and a format is no matter here.

    >>> import seegrad as torch
    >>> layer = torch.nn.Conv2d(2, 2, 3)
    >>> convert = torch.nn.utils.convert_conv2d_weight_memory_format
    >>> convert(layer, torch.channels_last) is layer
    True
    """
    return module


def convert_conv3d_weight_memory_format(module: AnyModule, memory_format: Any) -> AnyModule:
    """`module` itself, as `convert_conv2d_weight_memory_format`."""
    return module
