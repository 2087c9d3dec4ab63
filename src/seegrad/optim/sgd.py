"""`SGD`: steps against the gradient, with momentum if wanted."""

from typing import Any

import numpy as np

from seegrad.optim.blocks import Array, add_scaled, direction, flat, settle, zeros_for
from seegrad.optim.checks import check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, ParameterwiseOptimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["SGD"]


class SGD(ParameterwiseOptimizer):
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

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        line, gradient = flat(param), flat(grad)
        if group["momentum"] != 0:
            self._step_with_momentum(group, param, line, gradient)
        else:
            size, decay, maximize = -float(group["lr"]), group["weight_decay"], group["maximize"]
            for p, g, one, _ in self._scratch.blocks(line, gradient):
                add_scaled(p, direction(g, p, one, decay, maximize), size)
        settle(param, line)

    def _step_with_momentum(self, group: Group, param: Tensor, line: Array, grad: Array) -> None:
        state = self.state[param]
        first = state.get("momentum_buffer") is None
        if first:
            state["momentum_buffer"] = zeros_for(param)
        buffer = flat(state["momentum_buffer"])
        for p, g, b, one, two in self._scratch.blocks(line, grad, buffer):
            g = direction(g, p, one, group["weight_decay"], group["maximize"])
            _add_to_buffer(b, g, group["momentum"], group["dampening"], first)
            if group["nesterov"]:
                np.copyto(two, g)
                add_scaled(two, b, group["momentum"])
                b = two
            add_scaled(p, b, -float(group["lr"]))
        settle(state["momentum_buffer"], buffer)


def _add_to_buffer(
    buffer: Array, grad: Array, momentum: float, dampening: float, first: bool
) -> None:
    """Bring the buffer up to date; the first gradient enters undamped."""
    if first:
        np.copyto(buffer, grad)
    else:
        np.multiply(buffer, momentum, buffer)
        add_scaled(buffer, grad, 1 - dampening)
