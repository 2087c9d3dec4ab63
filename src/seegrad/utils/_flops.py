"""How many floating-point operations products take, and how they are noticed.

Note [Counted]: while somebody counts, the kernels of products are exchanged for ones that compute
and tell, wherever they are called from: by operators, by formulas of derivatives, by nodes. At
other times nobody looks. A multiplication and an addition are two operations.
"""

import threading
from collections.abc import Callable
from math import prod
from typing import Any

from seegrad.arrays import raw
from seegrad.graph.state import thread
from seegrad.operators.nodes import node_class
from seegrad.operators.register import SCOPES
from seegrad.operators.unrecorded import forget
from seegrad.rules.spec import REGISTRY

__all__ = ["FORMULAS", "begin", "end"]

Formula = Callable[..., int]
# Is told the name of an operator, as PyTorch calls it, and its operations.
Counter = Callable[[str, int], None]


def _mm(left: Any, right: Any) -> int:
    """(n, m) by (m, p)."""
    return 2 * int(left.size) * int(right.shape[-1])


def _added(self: Any, left: Any, right: Any, *options: Any) -> int:
    """A product that is added to something, which is not counted."""
    return _mm(left, right)


def _convolution(
    input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> int:  # fmt: skip
    """The weight at every place: of the result, of the input where it is transposed."""
    if transposed:
        places = prod(input.shape[2:])
    else:
        sizes = zip(input.shape[2:], weight.shape[2:], stride, padding, dilation, strict=True)
        places = prod((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sizes)
    return 2 * int(places) * int(weight.size) * int(input.shape[0])


def _convolution_input(grad_output: Any, weight: Any, *options: Any) -> int:
    """The weight at every place of the gradient."""
    return 2 * int(prod(grad_output.shape[2:])) * int(weight.size) * int(grad_output.shape[0])


def _convolution_weight(grad_output: Any, input: Any, kernel: Any, *options: Any) -> int:
    """The gradient at every place of the kernel, for every channel, groups or not."""
    return 2 * int(prod(kernel)) * int(grad_output.size) * int(input.shape[1])


def _attention(query: Any, key: Any, value: Any, *options: Any) -> int:
    """The products of queries and keys, and of weights and values."""
    weights = int(prod(query.shape[:3]) * key.shape[2])
    return 2 * weights * int(query.shape[3] + value.shape[3])


def _attention_backward(
    grad: Any, wanted: Any, query: Any, key: Any, value: Any, *rest: Any
) -> int:
    """The scores once more, and two products for each gradient of scores and of values."""
    weights = int(prod(query.shape[:3]) * key.shape[2])
    return 2 * weights * int(3 * query.shape[3] + 2 * value.shape[3])


# By kernel: PyTorch's name of the operator, and the formula of the kernel's arguments.
FORMULAS: dict[str, tuple[str, Formula]] = {
    "mm": ("mm", _mm),
    "bmm": ("bmm", _mm),
    "addmm": ("addmm", _added),
    "baddbmm": ("baddbmm", _added),
    "convolution": ("convolution", _convolution),
    "convolution_input": ("convolution_backward", _convolution_input),
    "convolution_weight": ("convolution_backward", _convolution_weight),
    "flash_attention": ("_scaled_dot_product_flash_attention", _attention),
}
_BACKWARD = "_scaled_dot_product_flash_attention_backward"


class _Counting(threading.local):
    """Who counts in this thread."""

    def __init__(self) -> None:
        self.counters: list[Counter] = []


COUNTING = _Counting()


class _Users:
    """How many count, in all threads."""

    lock = threading.RLock()
    count = 0


_ORIGINAL = {name: getattr(raw, name) for name in FORMULAS}


def begin(counter: Counter) -> None:
    """Has `counter` told of the products of this thread."""
    with _Users.lock:
        _Users.count += 1
        if _Users.count == 1:
            _exchange(
                {name: _counted(kernel, *FORMULAS[name]) for name, kernel in _ORIGINAL.items()}
            )
            scope = _attention_scope()
            scope["fast"] = _counted(scope["fast"], _BACKWARD, _attention_backward)
    COUNTING.counters.append(counter)


def end(counter: Counter) -> None:
    """Ends what `begin` began."""
    COUNTING.counters.remove(counter)
    with _Users.lock:
        _Users.count -= 1
        if _Users.count == 0:
            _exchange(_ORIGINAL)
            _attention_scope()["fast"] = REGISTRY["flash_attention"].fast


def _exchange(kernels: dict[str, Any]) -> None:
    """Has operators, formulas and nodes call these."""
    for name, kernel in kernels.items():
        setattr(raw, name, kernel)
        forget(REGISTRY[name])
        for scope in SCOPES[name]:
            if "kernel" in scope:
                scope["kernel"] = kernel


def _attention_scope() -> dict[str, Any]:
    """Where the node of attention finds its kernel."""
    node: Any = node_class(REGISTRY["flash_attention"])
    scope: dict[str, Any] = node._run.__globals__
    return scope


def _counted(kernel: Any, name: str, formula: Formula) -> Any:
    """The kernel, which tells what it has done."""

    def counted(*args: Any) -> Any:
        result = kernel(*args)
        counters = COUNTING.counters
        if counters:
            backward = name == "convolution" and thread.state.current is not None
            called, flops = name + "_backward" * backward, int(formula(*args))
            for counter in counters:
                counter(f"aten.{called}", flops)
        return result

    return counted
