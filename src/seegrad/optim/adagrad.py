"""`Adagrad`: steps scaled by the sum of all squared gradients so far."""

from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.checks import check_fused, check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, count_from, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group
from seegrad.tensor.tensor import Tensor

__all__ = ["Adagrad"]


class Adagrad(ElementwiseOptimizer):
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
        check_rate(lr)
        check_not_below("lr_decay value", lr_decay)
        check_not_below("weight_decay value", weight_decay)
        check_not_below("initial_accumulator_value value", initial_accumulator_value)
        check_not_below("epsilon value", eps)
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
        check_fused(differentiable, foreach, fused)
        for group in self.param_groups:
            for param in group["params"]:
                self._state_of(group, param)

    def share_memory(self) -> None:
        """Move the state into shared memory."""
        for state in self.state.values():
            state["sum"].share_memory_()

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("sum",)

    def _state_of(self, group: Group, param: Tensor) -> State:
        """The state of a parameter; a complex sum starts with the value in both parts."""
        state: State = self.state[param]
        if not state:
            value = group["initial_accumulator_value"]
            start = complex(value, value) if param.is_complex() else value
            state["step"] = count_from(0)
            state["sum"] = wrap(np.full_like(param._array, start))
        return state

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        size = -value(group["lr"]) / (1 + (counted(state) - 1) * value(group["lr_decay"]))
        return size, group["eps"], value(group["weight_decay"]), group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        size, eps, decay, maximize = numbers
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        total = xp.add(state[0], xp.multiply(grad, grad, two), state[0])
        root = xp.add(xp.sqrt(total, two), eps, two)
        return xp.add_scaled(param, xp.divide(grad, root, one), size), total
