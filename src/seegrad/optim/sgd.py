"""`SGD`: steps against the gradient, with momentum if wanted."""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import Array, bump, wide, write_back
from seegrad.optim.checks import check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["SGD"]


class SGD(Optimizer):
    """`p -= lr * v`, where `v = momentum * v + (1 - dampening) * grad`, or `grad` alone.

    `weight_decay` adds its multiple of p to the gradient, `nesterov` steps along
    `grad + momentum * v`, `maximize` goes up. `foreach` and `fused` are accepted and change
    nothing. Raises ValueError for negative options.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.SGD([x], lr=0.1).step()
    >>> x
    tensor([0.7000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_not_below("learning rate", lr)
        check_not_below("momentum value", momentum)
        check_not_below("weight_decay value", weight_decay)
        check_unrecorded(differentiable, foreach, fused)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns the loss of `closure`, if given."""
        loss = self._run_closure(closure)
        for group, param, grad in self._to_step():
            self._step_one(group, param, grad)
            bump(param)
        return loss

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        tensors, arrays = (param,), (wide(param),)
        momentum = group["momentum"]
        first = False
        if momentum != 0:
            state = self.state[param]
            buffer = state.get("momentum_buffer")
            first = buffer is None
            if first:
                buffer = state["momentum_buffer"] = wrap(np.zeros_like(param._array))
            tensors, arrays = (param, buffer), (arrays[0], wide(buffer))
        for parts in self._scratch.blocks(wide(grad), *arrays):
            _step_block(group, momentum, first, *parts)
        write_back(tensors, arrays)


def _step_block(group: Group, momentum: float, first: bool, grad: Array, *rest: Array) -> None:
    """One step of one block; `first`: the buffer becomes the gradient itself, undamped."""
    param, one, two = rest[0], rest[-2], rest[-1]
    if group["maximize"]:
        grad = np.negative(grad, out=one)
    if group["weight_decay"] != 0:
        np.multiply(param, group["weight_decay"], out=two)
        grad = np.add(grad, two, out=one)
    if momentum != 0:
        grad = _with_momentum(group, momentum, first, grad, rest[1], two)
    np.multiply(grad, -float(group["lr"]), out=two)
    np.add(param, two, out=param)


def _with_momentum(
    group: Group, momentum: float, first: bool, grad: Array, buffer: Array, room: Array
) -> Array:
    """Bring the buffer up to date; the direction to step along."""
    if first:
        buffer[...] = grad
    else:
        np.multiply(buffer, momentum, out=buffer)
        if group["dampening"] == 0:
            np.add(buffer, grad, out=buffer)
        else:
            np.multiply(grad, 1 - group["dampening"], out=room)
            np.add(buffer, room, out=buffer)
    if not group["nesterov"]:
        return buffer
    np.multiply(buffer, momentum, out=room)
    return np.add(grad, room, out=room)
