"""`Adagrad`: steps scaled by the sum of all squared gradients so far."""

from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import add_scaled, direction, flat, settle
from seegrad.optim.checks import check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, ParameterwiseOptimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["Adagrad"]


class Adagrad(ParameterwiseOptimizer):
    """`p -= lr * grad / (sqrt(sum) + eps)`, `sum` that of all squared gradients so far.

    `lr_decay` lets the step size fall with the number of steps; `weight_decay` and `maximize` as
    in SGD. `foreach` and `fused` are accepted and change nothing. Raises ValueError for negative
    options.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.Adagrad([x], lr=0.1).step()
    >>> x
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_not_below("learning rate", lr)
        check_not_below("lr_decay value", lr_decay)
        check_not_below("weight_decay value", weight_decay)
        check_not_below("initial_accumulator_value value", initial_accumulator_value)
        check_not_below("epsilon value", eps)
        check_unrecorded(differentiable, foreach, fused)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for param in group["params"]:
                _start(self.state[param], param, group["initial_accumulator_value"])

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        state["step"]._array[...] += 1
        step = float(state["step"]._array)
        size = -float(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        line, total = flat(param), flat(state["sum"])
        decay, maximize = group["weight_decay"], group["maximize"]
        for p, t, g, one, two in self._scratch.blocks(line, total, flat(grad)):
            g = direction(g, p, one, decay, maximize)
            np.multiply(g, g, two)
            np.add(t, two, t)
            np.sqrt(t, two)
            np.add(two, group["eps"], two)
            np.divide(g, two, one)
            add_scaled(p, one, size)
        settle(param, line)
        settle(state["sum"], total)


def _start(state: dict[str, Any], param: Tensor, value: float) -> None:
    """The state before the first step; a complex sum starts with `value` in both parts."""
    start = complex(value, value) if param._array.dtype.kind == "c" else value
    state["step"] = wrap(np.zeros((), np.float32))
    state["sum"] = wrap(np.full(param._array.shape, start, param._array.dtype))
