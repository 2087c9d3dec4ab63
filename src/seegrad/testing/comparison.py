"""`assert_close`: tensors, numbers and containers of them, compared with PyTorch's messages."""

import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from seegrad.graph.tensor import TensorBase, wrap
from seegrad.testing.differences import Tolerances, numbers_differ, tensors_differ, tolerances

__all__ = ["assert_close"]

Message = str | Callable[[str], str]


@dataclass(frozen=True)
class _Options:
    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_stride: bool

    def tolerances(self, *kinds: Any) -> Tolerances:
        """The tolerances given, or those that go with the wider of the dtypes."""
        given = None
        if self.rtol is not None and self.atol is not None:
            given = (self.rtol, self.atol)
        return Tolerances(*(given or tolerances(*kinds)), self.equal_nan)


_Compare = Callable[[Any, Any, _Options], str | None]


class _Pair(NamedTuple):
    """Two values, what compares them, and where they are in their containers."""

    actual: Any
    expected: Any
    compare: _Compare
    place: str


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Message | None = None,
) -> None:
    """Raises AssertionError unless |actual - expected| <= atol + rtol * |expected| everywhere.

    Args:
        actual, expected: tensors or NumPy arrays of one shape, numbers, or sequences and mappings
            of them.
        rtol, atol: both or neither; the defaults follow the dtype (float32: 1.3e-6 and 1e-5,
            float64: 1e-7 and 1e-7, integers: 0 and 0).
        equal_nan: two nans are equal.
        check_device, check_dtype, check_layout, check_stride: what else must be equal.
        msg: the error's text, or a function that makes it from the usual one.

    Raises: AssertionError where they differ; TypeError where they cannot be compared; ValueError
    where only one tolerance is given.

    >>> import seegrad as torch
    >>> torch.testing.assert_close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.5]))
    Traceback (most recent call last):
    AssertionError: Tensor-likes are not close!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 0.5 at index (1,) (up to 1e-05 allowed)
    Greatest relative difference: 0.20000000298023224 at index (1,) (up to 1.3e-06 allowed)
    """
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
        )
    options = _Options(
        allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_stride
    )
    # All pairs are made before the first is compared: a wrong length is reported first.
    pairs = list(_pairs(actual, expected, options, ""))
    for pair in pairs:
        difference = pair.compare(pair.actual, pair.expected, options)
        if difference:
            raise AssertionError(_said(difference + _where(pair.place), msg))


def _said(text: str, msg: Message | None) -> str:
    if msg is None:
        return text
    return msg if isinstance(msg, str) else msg(text)


def _where(place: str) -> str:
    return f"\n\nThe failure occurred for item {place}" if place else ""


def _pairs(actual: Any, expected: Any, options: _Options, place: str) -> Iterator[_Pair]:
    """The values to compare: those of containers item by item.

    Raises: AssertionError where containers differ in length or keys; TypeError where two values
    cannot be compared.
    """
    if _both(Sequence, actual, expected) and not isinstance(actual, str):
        yield from _sequences(actual, expected, options, place)
    elif _both(Mapping, actual, expected):
        yield from _mappings(actual, expected, options, place)
    else:
        compare = _comparison(actual, expected, options)
        if compare is None:
            raise TypeError(
                "No comparison pair was able to handle inputs of type "
                f"{type(actual)} and {type(expected)}.{_where(place)}"
            )
        yield _Pair(actual, expected, compare, place)


def _both(kind: Any, actual: Any, expected: Any) -> bool:
    return isinstance(actual, kind) and isinstance(expected, kind)


def _sequences(
    actual: Sequence[Any], expected: Sequence[Any], options: _Options, place: str
) -> Iterator[_Pair]:
    if len(actual) != len(expected):
        lengths = f"{len(actual)} != {len(expected)}"
        raise AssertionError(f"The length of the sequences mismatch: {lengths}{_where(place)}")
    for index, (a, e) in enumerate(zip(actual, expected, strict=True)):
        yield from _pairs(a, e, options, f"{place}[{index}]")


def _mappings(
    actual: Mapping[Any, Any], expected: Mapping[Any, Any], options: _Options, place: str
) -> Iterator[_Pair]:
    if set(actual) != set(expected):
        raise AssertionError(
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(set(expected) - set(actual))}\n"
            "Additional keys in the actual mapping: "
            f"{sorted(set(actual) - set(expected))}{_where(place)}"
        )
    for key in _in_order(expected):
        yield from _pairs(actual[key], expected[key], options, f"{place}[{key!r}]")


def _in_order(keys: Any) -> list[Any]:
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def _comparison(actual: Any, expected: Any, options: _Options) -> _Compare | None:
    """How two values that are no containers are compared; None where they are not."""
    if actual is None or expected is None:
        return _two_nones
    if _both((bool, np.bool_), actual, expected):
        return _two_bools
    if _both((numbers.Number, np.number), actual, expected):
        return _two_numbers
    return _two_tensors if _are_tensors(actual, expected, options) else None


def _two_nones(actual: Any, expected: Any, options: _Options) -> str | None:
    same = actual is expected
    return None if same else f"None mismatch: {actual} is not {expected}"


def _two_bools(actual: Any, expected: Any, options: _Options) -> str | None:
    return None if actual == expected else f"Booleans mismatch: {actual} is not {expected}"


def _two_numbers(actual: Any, expected: Any, options: _Options) -> str | None:
    a, e = (x.item() if isinstance(x, np.generic) else x for x in (actual, expected))
    if options.check_dtype and type(a) is not type(e):
        return f"The (d)types do not match: {type(a)} != {type(e)}."
    return numbers_differ(a, e, options.tolerances(type(a), type(e)))


def _are_tensors(actual: Any, expected: Any, options: _Options) -> bool:
    if not _both((TensorBase, np.ndarray), actual, expected):
        return False
    if options.allow_subclasses:
        return isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    return type(actual) is type(expected)


def _two_tensors(actual: Any, expected: Any, options: _Options) -> str | None:
    actual, expected = (x if isinstance(x, TensorBase) else wrap(x) for x in (actual, expected))
    checks = [("shape", True), ("device", options.check_device), ("dtype", options.check_dtype)]
    for name, wanted in checks:
        a, e = getattr(actual, name, None), getattr(expected, name, None)
        if wanted and a != e:
            return f"The values for attribute '{name}' do not match: {a} != {e}."
    if options.check_stride and _strides(actual) != _strides(expected):
        a, e = _strides(actual), _strides(expected)
        return f"The values for attribute 'stride()' do not match: {a} != {e}."
    one, other = (t.to_dense()._array if t.is_sparse else t._array for t in (actual, expected))
    return tensors_differ(one, other, options.tolerances(one.dtype, other.dtype))


def _strides(tensor: Any) -> tuple[int, ...]:
    return tuple(tensor.stride())
