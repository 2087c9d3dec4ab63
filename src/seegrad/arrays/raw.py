"""The namespace of kernels: PyTorch's operator names and argument order, raw values.

Gathered from the kernel modules beside this one, so that a formula can say `xp.cos(self)`: NumPy's
ufuncs themselves where they do what PyTorch does, our functions for everything else.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

MODULES = (
    *("elementwise", "comparison", "functions", "extremes", "activations", "reduce", "scans"),
    *("strides", "views", "copies", "shape", "padding", "index", "masks", "sorting", "scatter"),
    *("linalg", "losses", "complex", "bends", "fourier", "special"),
    *("solvers", "spectra", "repeated"),
    *("statistics", "exponents"),
    *("convolution", "pooling", "resampling", "normalization", "attention", "grids", "bags"),
    *("ctc", "gates", "packing", "recurrent"),
    *("drawn", "implicit"),
)


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


# Where an operator's kernel is a function for the sake of some dtypes, the ufunc that does the
# same for float32 and float64: what the hot path calls, and what can write into an array.
PLAIN_UFUNCS: dict[str, np.ufunc] = {
    "abs": np.absolute,
    "ceil": np.ceil,
    "floor": np.floor,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "neg": np.negative,
    "sub": np.subtract,
    "trunc": np.trunc,
}


def plain_kernel(name: str) -> Any:
    """The kernel of an operator for operands of one plain dtype."""
    return PLAIN_UFUNCS.get(name) or globals()[name]


if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
