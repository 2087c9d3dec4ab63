"""The names of `torch.masked`: functions of the elements that a mask names, and masked tensors."""

import functools as _functools
from collections.abc import Callable as _Callable
from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from seegrad.missing import missing as _missing
from seegrad.ops.masked import (
    amax,
    amin,
    argmax,
    argmin,
    cumprod,
    cumsum,
    log_softmax,
    logaddexp,
    logsumexp,
    mean,
    median,
    norm,
    normalize,
    prod,
    softmax,
    softmin,
    std,
    sum,
    var,
)

if TYPE_CHECKING:
    from seegrad.masked._tensor import (
        MaskedTensor,
        as_masked_tensor,
        is_masked_tensor,
        masked_tensor,
    )

__all__ = [
    "MaskedTensor",
    "amax",
    "amin",
    "argmax",
    "argmin",
    "as_masked_tensor",
    "cumprod",
    "cumsum",
    "is_masked_tensor",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "masked_tensor",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]


def _of_masked(function: _Callable[..., Any]) -> _Callable[..., Any]:
    """The function, which takes a masked tensor for its elements and their mask."""

    @_functools.wraps(function)
    def called(input: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(type(input), "get_mask", None) is not None:
            mask, own = kwargs.get("mask"), input.get_mask()
            kwargs["mask"] = own if mask is None else own & mask
            input = input.get_data()
        return function(input, *args, **kwargs)

    return called


for _name, _value in list(globals().items()):
    if _name in __all__ and callable(_value):
        globals()[_name] = _of_masked(_value)

_unknown = _missing(__name__, __all__)


def __getattr__(name: str) -> Any:
    # Whoever makes the class has every function ask for it, so it is made when it is asked for.
    if name in ("MaskedTensor", "as_masked_tensor", "is_masked_tensor", "masked_tensor"):
        return getattr(_import_module(f"{__name__}._tensor"), name)
    return _unknown(name)
