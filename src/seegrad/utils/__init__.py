"""Helpers around training: `data` feeds batches, `checkpoint` saves memory, `hooks` handles,
`info` says what a model is made of.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

from seegrad.missing import missing as _missing
from seegrad.utils import checkpoint, data, hooks
from seegrad.utils._swap import swap_tensors

__all__ = ["checkpoint", "data", "flop_counter", "hooks", "info", "swap_tensors"]

if TYPE_CHECKING:
    from seegrad.utils import flop_counter
    from seegrad.utils.summary import info

_unknown = _missing(__name__, __all__)


def __getattr__(name: str) -> _Any:
    if name == "info":
        return _import_module("seegrad.utils.summary").info
    return (
        _import_module("seegrad.utils.flop_counter") if name == "flop_counter" else _unknown(name)
    )
