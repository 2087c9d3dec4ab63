"""Modules, losses, their functional forms, and the ways to initialise parameters."""

from seegrad.missing import missing as _missing
from seegrad.nn import (
    attention,
    common_types,
    functional,
    grad,
    init,
    modules,
    parallel,
    parameter,
    utils,
)
from seegrad.nn.modules import *
from seegrad.nn.parallel import DataParallel
from seegrad.nn.parameter import (
    Buffer,
    Parameter,
    UninitializedBuffer,
    UninitializedParameter,
)

__all__ = [
    "Buffer",
    "DataParallel",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "attention",
    "common_types",
    "functional",
    "grad",
    "init",
    "modules",
    "parallel",
    "parameter",
    "utils",
    *modules.__all__,
]

__getattr__ = _missing(__name__, __all__)
