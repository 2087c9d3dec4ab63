"""`Rprop`: steps by the sign of the gradient alone."""

from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import zeros_for
from seegrad.optim.checks import check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, count_from, counted
from seegrad.optim.optimizer import Group
from seegrad.tensor.tensor import Tensor

__all__ = ["Rprop"]


class Rprop(ElementwiseOptimizer):
    """Each element has a step size, which grows while its gradient keeps its sign.

    `etas`: what the size is multiplied by where the sign changed (then no step is taken) and where
    it did not; `step_sizes`: its bounds. It starts as `lr`. `maximize` goes up; `foreach` is
    accepted and changes nothing. Raises ValueError for options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.Rprop([x], lr=0.1).step()
    >>> x
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("prev", "step_size")

    def _state_of(self, group: Group, param: Tensor) -> State:
        state: State = self.state[param]
        if not state:
            size = float(group["lr"])
            start = complex(size, size) if param.is_complex() else size
            state["step"] = count_from(0)
            state["prev"] = zeros_for(param)
            state["step_size"] = wrap(np.full_like(param._array, start))
        return state

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        counted(state)
        return *group["etas"], *group["step_sizes"], group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        shorter, longer, least, most, maximize = numbers
        before, size = state
        one, two = rooms
        if maximize:
            grad = xp.negative(grad, one)
        turned = xp.sign(xp.multiply(grad, before, two), two)
        factor = xp.chosen(turned, shorter, 1.0, longer, before)
        size = xp.multiply(size, factor, size)
        size = xp.clip(size, least, most, size)
        grad = xp.chosen(turned, 0.0, grad, grad, before)
        step = xp.multiply(xp.sign(grad, two), size, two)
        return xp.subtract(param, step, param), grad, size
