"""Which type a result has: PyTorch's rules of type promotion.

Operands come in three ranks: arrays with dimensions, arrays without, Python numbers. A higher rank
decides the type alone unless a lower rank is of a higher category (bool < integral < floating <
complex).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import NumpyDtype, dtype

Array = np.ndarray[Any, Any]
Operand = Array | bool | int | float | complex


def _category(of: dtype) -> int:
    """Return 0 for bool, 1 for integers, 2 for floating point, 3 for complex."""
    if of.is_complex:
        return 3
    if of.is_floating_point:
        return 2
    return 0 if of is dtypes.bool_ else 1


_CATEGORY: Final = {one: _category(one) for one in dtypes.ALL}


def _promote(a: dtype, b: dtype) -> dtype:
    if a is b:
        return a
    low, high = sorted((a, b), key=_CATEGORY.__getitem__)
    if _CATEGORY[low] < 2 and _CATEGORY[high] >= 2:
        return high  # integers never widen a float: int64 with float32 is float32
    if {low, high} == {dtypes.float16, dtypes.bfloat16}:
        return dtypes.float32
    return dtypes.from_numpy(np.promote_types(low.numpy, high.numpy))


_PROMOTED: Final = {(a, b): _promote(a, b) for a in dtypes.ALL for b in dtypes.ALL}


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest type that holds both, by category first.

    Raises `TypeError` if an argument is no dtype.

    >>> import seegrad as torch
    >>> torch.promote_types(torch.int64, torch.float32)
    torch.float32
    """
    _check_dtypes("promote_types", type1=type1, type2=type2)
    return _PROMOTED[type1, type2]


def can_cast(from_: dtype, to: dtype) -> bool:
    """Say whether a cast stays in the category or goes up: float to int is refused.

    Raises `TypeError` if an argument is no dtype.

    >>> import seegrad as torch
    >>> torch.can_cast(torch.float64, torch.float32), torch.can_cast(torch.float32, torch.int64)
    (True, False)
    """
    _check_dtypes("can_cast", from_=from_, to=to)
    return _CATEGORY[from_] <= _CATEGORY[to]


def _check_dtypes(function: str, **arguments: object) -> None:
    for position, (name, value) in enumerate(arguments.items(), start=1):
        if not isinstance(value, dtype):
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be torch.dtype, "
                f"not {type(value).__name__}"
            )


def _combine(higher: dtype | None, lower: dtype | None) -> dtype | None:
    """Return the type of two ranks together; None is a rank without operands."""
    if higher is None or lower is None:
        return lower if higher is None else higher
    if _CATEGORY[higher] >= _CATEGORY[lower]:
        return higher
    if higher.is_floating_point:
        return higher.to_complex()  # a float64 array with a complex number is complex128
    return lower


def _within_rank(types: list[dtype]) -> dtype | None:
    result: dtype | None = None
    for one in types:
        result = one if result is None else _PROMOTED[result, one]
    return result


# Python numbers have no size: these are the types they get where nothing else decides.
def _number_type(category: int) -> dtype:
    if category == 3:
        return dtypes.default_complex()
    if category == 2:
        return dtypes.get_default_dtype()
    return dtypes.int64 if category == 1 else dtypes.bool_


_NUMBERS: Final = {bool: 0, int: 1, float: 2, complex: 3}


def _number_category(kind: type) -> int:
    """Return the category of a Python or NumPy number from its class."""
    if issubclass(kind, np.integer):
        return 1
    if issubclass(kind, np.generic) and not issubclass(kind, complex):
        return 2
    for base, category in _NUMBERS.items():
        if issubclass(kind, base):
            return category
    raise TypeError(f"a tensor or a Python number was expected, not {kind.__name__}")


def plain_number(number: Any) -> int | float | complex:
    """Return Python's number for a NumPy scalar; what is neither whole nor complex128 is a float.

    >>> from seegrad.arrays.promotion import plain_number
    >>> import numpy as np
    >>> plain_number(np.int8(3)), plain_number(np.bool_(True)), plain_number(np.float16(0.5))
    (3, 1.0, 0.5)
    """
    if isinstance(number, np.integer):
        return int(number)
    return complex(number) if isinstance(number, complex) else float(number)


_Key = tuple[tuple[object, bool], ...]
_results: dict[tuple[dtype, _Key], NumpyDtype] = {}


def result_dtype(operands: Sequence[Operand]) -> NumpyDtype:
    """Return the common NumPy type of arrays and Python numbers.

    Raises `TypeError` for an array whose type no tensor has.

    >>> from seegrad.arrays.promotion import result_dtype
    >>> import numpy as np
    >>> result_dtype([np.ones(2, np.float32), np.ones((), np.float64), 1.5])
    dtype('float32')
    """
    # The answer depends on types and ranks only: looked up 0.5 us, worked out 5 us.
    kinds = tuple(
        [
            (one.dtype, one.ndim == 0) if isinstance(one, np.ndarray) else (type(one), False)
            for one in operands
        ]
    )
    key = (dtypes.get_default_dtype(), kinds)
    found = _results.get(key)
    if found is None:
        found = _results[key] = _result_of_kinds(kinds)
    return found


def _result_of_kinds(kinds: _Key) -> NumpyDtype:
    ranks: tuple[list[dtype], list[dtype], list[dtype]] = ([], [], [])
    for kind, is_scalar in kinds:
        if isinstance(kind, type):
            ranks[2].append(_number_type(_number_category(kind)))
        else:
            assert isinstance(kind, np.dtype)
            ranks[1 if is_scalar else 0].append(dtypes.from_numpy(kind))
    dimensioned, scalars, numbers = map(_within_rank, ranks)
    result = _combine(dimensioned, _combine(scalars, numbers))
    if result is None:
        raise ValueError("result_dtype needs at least one operand")
    return result.numpy
