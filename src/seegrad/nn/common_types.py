"""Names for the sizes that layers take, for annotations: `_size_2_t` is a number or a pair."""

from typing import Any, TypeVar, Union

from seegrad.tensor.tensor import Tensor

T = TypeVar("T")


def _tuple_of(count: int) -> Any:
    """A value or a tuple of `count` of them, for a type still to be said."""
    return Union[T, tuple[(T,) * count]]  # type: ignore[misc]  # noqa: UP007


_scalar_or_tuple_any_t: Any = Union[T, tuple[T, ...]]  # type: ignore[valid-type]  # noqa: UP007
_scalar_or_tuple_1_t = _tuple_of(1)
_scalar_or_tuple_2_t = _tuple_of(2)
_scalar_or_tuple_3_t = _tuple_of(3)
_scalar_or_tuple_4_t = _tuple_of(4)
_scalar_or_tuple_5_t = _tuple_of(5)
_scalar_or_tuple_6_t = _tuple_of(6)

_size_any_t = _scalar_or_tuple_any_t[int]
_size_1_t = _scalar_or_tuple_1_t[int]
_size_2_t = _scalar_or_tuple_2_t[int]
_size_3_t = _scalar_or_tuple_3_t[int]
_size_4_t = _scalar_or_tuple_4_t[int]
_size_5_t = _scalar_or_tuple_5_t[int]
_size_6_t = _scalar_or_tuple_6_t[int]
_size_any_opt_t = _scalar_or_tuple_any_t[int | None]
_size_2_opt_t = _scalar_or_tuple_2_t[int | None]
_size_3_opt_t = _scalar_or_tuple_3_t[int | None]
_ratio_any_t = _scalar_or_tuple_any_t[float]
_ratio_2_t = _scalar_or_tuple_2_t[float]
_ratio_3_t = _scalar_or_tuple_3_t[float]
_tensor_list_t = _scalar_or_tuple_any_t[Tensor]
_maybe_indices_t = _scalar_or_tuple_2_t[Tensor]
