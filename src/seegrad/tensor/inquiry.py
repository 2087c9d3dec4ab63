"""Questions about tensors and types, and settings that scripts make in passing."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from seegrad.arrays import promotion
from seegrad.arrays.dtypes import from_numpy
from seegrad.graph import versions
from seegrad.graph.tensor import TensorBase
from seegrad.ops.out import need_tensor
from seegrad.tensor.storages import TypedStorage, UntypedStorage

if TYPE_CHECKING:
    from seegrad.arrays.dtypes import dtype

__all__ = [
    "are_deterministic_algorithms_enabled",
    "get_num_interop_threads",
    "get_num_threads",
    "is_complex",
    "is_floating_point",
    "is_inference",
    "is_nonzero",
    "is_same_size",
    "is_signed",
    "is_storage",
    "is_tensor",
    "numel",
    "result_type",
    "set_float32_matmul_precision",
    "set_num_interop_threads",
    "set_num_threads",
    "typename",
    "use_deterministic_algorithms",
]


def is_tensor(obj: Any) -> bool:
    """Whether an object is a tensor.

    >>> import seegrad as torch
    >>> torch.is_tensor(torch.ones(1))
    True
    """
    return isinstance(obj, TensorBase)


def is_same_size(input: Any, other: Any) -> bool:
    """Whether two tensors have the same shape.

    >>> import seegrad as torch
    >>> torch.is_same_size(torch.ones(2), torch.zeros(2))
    True
    """
    return bool(input._array.shape == other._array.shape)


def is_signed(input: Any) -> bool:
    """Whether the dtype of a tensor has negative numbers.

    >>> import seegrad as torch
    >>> torch.is_signed(torch.ones(1, dtype=torch.uint8))
    False
    """
    return bool(input.dtype.is_signed)


def is_storage(obj: Any) -> bool:
    """Whether an object is the memory of a tensor, as `untyped_storage()` gives it.

    >>> import seegrad as torch
    >>> torch.is_storage(torch.ones(1))
    False
    """
    return isinstance(obj, (UntypedStorage, TypedStorage))


def is_floating_point(input: Any) -> bool:
    """Whether the dtype of a tensor is a floating point type.

    >>> import seegrad as torch
    >>> torch.is_floating_point(torch.ones(1))
    True
    """
    return input.dtype.is_floating_point  # type: ignore[no-any-return]


def is_inference(input: Any) -> bool:
    """Whether a tensor was made in inference mode.

    >>> import seegrad as torch
    >>> with torch.inference_mode():
    ...     x = torch.ones(1)
    >>> torch.is_inference(x)
    True
    """
    need_tensor("is_inference", "input", 1, input)
    return versions.is_inference(input)


def is_complex(input: Any) -> bool:
    """Whether the dtype of a tensor is complex.

    >>> import seegrad as torch
    >>> torch.is_complex(torch.ones(1))
    False
    """
    return input.dtype.is_complex  # type: ignore[no-any-return]


def is_nonzero(input: Any) -> bool:
    """Whether the one element of a tensor is not zero. Raises RuntimeError for more, or none.

    >>> import seegrad as torch
    >>> torch.is_nonzero(torch.tensor([2]))
    True
    """
    return bool(input)


def numel(input: Any) -> int:
    """The number of elements of a tensor.

    >>> import seegrad as torch
    >>> torch.numel(torch.ones(2, 3))
    6
    """
    return int(input.numel())


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The dtype of an arithmetic operation on two tensors or numbers.

    >>> import seegrad as torch
    >>> torch.result_type(torch.ones(2, dtype=torch.int64), 1.5)
    torch.float32
    """
    operands = [getattr(t, "_array", t) for t in (tensor1, tensor2)]
    return from_numpy(promotion.result_dtype(operands))


def typename(obj: Any) -> str:
    """The name of a tensor's type, or of a type.

    >>> import seegrad as torch
    >>> torch.typename(torch.ones(1))
    'torch.FloatTensor'
    """
    if isinstance(obj, TensorBase):
        return str(obj.type())  # type: ignore[attr-defined]
    kind = obj if isinstance(obj, type) else type(obj)
    module = kind.__module__
    return kind.__qualname__ if module in ("builtins", None) else f"{module}.{kind.__qualname__}"


def _threads_at_first() -> int:
    told = os.environ.get("OMP_NUM_THREADS", "")
    return int(told) if told.isdigit() and int(told) else os.cpu_count() or 1


_threads = {
    "count": _threads_at_first(),
    "between": os.cpu_count() or 1,
    "deterministic": False,
}


def set_num_threads(count: int) -> None:
    """Sets the threads of NumPy's BLAS where threadpoolctl is installed; else only remembered.

    Raises RuntimeError for a number that is not positive.

    >>> import seegrad as torch
    >>> torch.set_num_threads(1)
    >>> torch.get_num_threads()
    1
    """
    _threads["count"] = _positive("set_num_threads", count)
    pools = _pools()
    if pools is not None:
        pools.limit(limits=count, user_api="blas")


@cache
def _pools() -> Any:
    """The libraries with threads, found by threadpoolctl; None where that is not installed."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


def _positive(name: str, count: Any) -> int:
    if not isinstance(count, int) or isinstance(count, bool):
        raise RuntimeError(f"{name} expects an int, but got {type(count).__name__}")
    if count <= 0:
        raise RuntimeError(f"{name} expects a positive integer")
    return count


def get_num_threads() -> int:
    """The number last given to `set_num_threads`, at first OMP_NUM_THREADS or all processors.

    >>> import seegrad as torch
    >>> torch.get_num_threads() >= 1
    True
    """
    return _threads["count"]


def set_num_interop_threads(count: int) -> None:
    """Remembered; there are no such threads. Raises RuntimeError for what is no number above 0.

    >>> import seegrad as torch
    >>> torch.set_num_interop_threads(1)
    >>> torch.get_num_interop_threads()
    1
    """
    _threads["between"] = _positive("set_num_interop_threads", count)


def get_num_interop_threads() -> int:
    """The number last given to `set_num_interop_threads`, at first the number of processors."""
    return _threads["between"]


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Accepted: every operator is deterministic.

    >>> import seegrad as torch
    >>> torch.use_deterministic_algorithms(True)
    """
    _threads["deterministic"] = mode


def are_deterministic_algorithms_enabled() -> bool:
    """What was last given to `use_deterministic_algorithms`.

    >>> import seegrad as torch
    >>> torch.use_deterministic_algorithms(False)
    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return bool(_threads["deterministic"])


def set_float32_matmul_precision(precision: str) -> None:
    """Accepted: products are computed in the full precision of their dtype.

    >>> import seegrad as torch
    >>> torch.set_float32_matmul_precision("high")
    """
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"{precision} is not one of 'highest', 'high', 'medium'")
