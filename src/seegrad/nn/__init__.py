"""Modules, losses, their functional forms, and the ways to initialise parameters."""

from seegrad.missing import missing as _missing
from seegrad.nn import functional, init, modules, parameter, utils
from seegrad.nn.modules import *
from seegrad.nn.parameter import Buffer, Parameter

__all__ = [
    "Buffer",
    "Parameter",
    "functional",
    "init",
    "modules",
    "parameter",
    "utils",
    *modules.__all__,
]

__getattr__ = _missing(__name__, __all__)
