"""The named tuples that functions of several results return: `torch.return_types.max`."""

from seegrad.missing import missing as _missing
from seegrad.ops import return_types as _types

__all__ = sorted(
    name
    for name, kind in vars(_types).items()
    if isinstance(kind, type) and issubclass(kind, _types.ReturnType) and name != "ReturnType"
)

globals().update({name: getattr(_types, name) for name in __all__})
__getattr__ = _missing(__name__, __all__)
