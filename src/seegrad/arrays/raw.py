"""The namespace of kernels: PyTorch's operator names and argument order, raw values.

Gathered from the kernel modules beside this one, so that a formula can say `xp.cos(self)`: NumPy's
ufuncs themselves where they do what PyTorch does, our functions for everything else.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

MODULES = (
    "elementwise comparison functions extremes activations reduce scans strides views shape padding "
    "index masks sorting scatter linalg losses complex"
).split()


def kernels(module: ModuleType) -> dict[str, Any]:
    """The public functions of a kernel module, and the ufuncs that it names."""
    own = {}
    for name, value in vars(module).items():
        here = getattr(value, "__module__", None) == module.__name__
        if not name.startswith("_") and callable(value) and (here or isinstance(value, np.ufunc)):
            own[name] = value
    return own


for _name in MODULES:
    globals().update(kernels(importlib.import_module(f"seegrad.arrays.{_name}")))


if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
