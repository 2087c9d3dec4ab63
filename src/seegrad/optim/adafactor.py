"""`Adafactor`: steps scaled by the mean square, of which only rows and columns are kept."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.arrays.limits import finfo
from seegrad.autograd.grad_mode import enable_grad
from seegrad.graph.tensor import wrap
from seegrad.graph.versions import bump
from seegrad.optim.checks import check_single
from seegrad.optim.elementwise import State, count_from, counted
from seegrad.optim.kernels import Array
from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["Adafactor"]


class Adafactor(Optimizer):
    """`p -= lr * rms(p) * grad / sqrt(square)`, `square` made of the means of rows and columns.

    The means keep the share `1 - step ** beta2_decay`. `eps` are the least mean square (None:
    that of the dtype) and the least size of the parameters; an update larger than `d` in the mean
    is made smaller; `weight_decay` shrinks p itself. `foreach` is accepted and changes nothing.
    Raises ValueError for options out of range, RuntimeError for complex parameters.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.Adafactor([x], lr=0.1).step()
    >>> x
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        check_single(lr)
        _check("Learning rate", lr, lr >= 0.0, ">= 0")
        _check("beta2_decay", beta2_decay, beta2_decay <= 0.0, "<= 0")
        _check("epsilon1", eps[0], eps[0] is None or eps[0] >= 0.0, ">= 0")
        _check("epsilon2", eps[1], eps[1] >= 0.0, ">= 0")
        _check("Clipping threshold d", d, d >= 1.0, ">= 1")
        _check("weight_decay", weight_decay, weight_decay >= 0.0, ">= 0")
        defaults = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns the loss of `closure`, if given."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            for param in group["params"]:
                if param.grad is not None:
                    self._step_one(group, param, param.grad)
                    bump(param)
        return loss

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        if param.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        array, gradient = _wide(param._array), _wide(grad._array)
        state: State = self.state[param]
        if not state:
            _start(state, grad)
        lr, (eps1, eps2) = float(group["lr"]), group["eps"]
        eps1 = finfo(param.dtype).eps if eps1 is None else eps1
        step = counted(state)
        size = max(eps2, _norm(array) / math.sqrt(array.size)) * min(lr, 1 / step**0.5)
        if group["weight_decay"] != 0:
            np.multiply(array, 1 - lr * float(group["weight_decay"]), array)
        room = self._scratch.whole(array)
        _mean_square(state, gradient, step ** group["beta2_decay"], eps1, room)
        np.maximum(room, eps1 * eps1, out=room)
        np.divide(gradient, np.sqrt(room, room), room)
        size /= max(1.0, _norm(room) / (math.sqrt(array.size) * group["d"]))
        np.multiply(room, size if group["maximize"] else -size, room)
        np.add(array, room, array)
        if array is not param._array:
            param._array[...] = array


def _check(name: str, value: Any, is_right: bool, wanted: str) -> None:
    if not is_right:
        raise ValueError(f"{name} should be {wanted} but is: {value}")


def _wide(array: Array) -> Array:
    """The array, or a copy of halves in float32."""
    return array if array.dtype in (np.float32, np.float64) else array.astype(np.float32)


def _norm(array: Array) -> float:
    axes = list(range(array.ndim))
    return math.sqrt(np.einsum(array, axes, array, axes, []))


def _start(state: State, grad: Tensor) -> None:
    """The state before the first step."""
    state["step"] = count_from(0)
    array, shape = grad._array, grad.shape
    if grad.ndim > 1:
        state["row_var"] = wrap(np.zeros((*shape[:-1], 1), array.dtype))
        state["col_var"] = wrap(np.zeros((*shape[:-2], 1, shape[-1]), array.dtype))
    else:
        state["variance"] = wrap(np.zeros_like(array))


def _mean_square(state: State, grad: Array, new: float, eps: float, room: Array) -> None:
    """Bring the means up to date, and put the mean square of each element into `room`."""
    np.multiply(grad, grad, room)
    if "variance" in state:
        _approach(state["variance"]._array, room, new)
        np.copyto(room, state["variance"]._array)
        return
    rows, columns = state["row_var"]._array, state["col_var"]._array
    _approach(rows, room.mean(-1, keepdims=True), new)
    _approach(columns, room.mean(-2, keepdims=True), new)
    np.multiply(rows, columns, room)
    np.divide(room, np.maximum(rows.mean(-2, keepdims=True), eps), room)


def _approach(mean: Array, value: Array, share: float) -> None:
    """Move a mean by a share of the way to the value, which is overwritten."""
    np.subtract(value, mean, value)
    np.multiply(value, share, value)
    np.add(mean, value, mean, casting="same_kind")
