"""`SGD`: steps against the gradient, with momentum if wanted."""

from typing import Any

from seegrad.optim.blocks import zeros_for
from seegrad.optim.checks import check_fused, check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group
from seegrad.tensor.tensor import Tensor

__all__ = ["SGD"]


class SGD(ElementwiseOptimizer):
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
        check_rate(lr)
        check_not_below("momentum value", momentum)
        check_not_below("weight_decay value", weight_decay)
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
        check_fused(differentiable, foreach, fused)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("momentum_buffer",) if group["momentum"] != 0 else ()

    def _state_of(self, group: Group, param: Tensor) -> State:
        if group["momentum"] == 0:
            return {}
        state: State = self.state[param]
        if state.get("momentum_buffer") is None:
            state["momentum_buffer"] = zeros_for(param)
            state["is_first"] = True  # until `_numbers` has seen it
        return state

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        is_first = state.pop("is_first", False)
        numbers = [value(group[key]) for key in ("lr", "momentum", "dampening", "weight_decay")]
        return *numbers, group["nesterov"], group["maximize"], is_first

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        lr, momentum, dampening, decay, nesterov, maximize, is_first = numbers
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        if not state:
            return (xp.add_scaled(param, grad, -lr),)
        if is_first:  # the first gradient enters undamped
            buffer = xp.copied(grad, state[0])
        else:
            buffer = xp.multiply(state[0], momentum, state[0])
            buffer = xp.add_scaled(buffer, grad, 1 - dampening)
        step = xp.add_scaled(xp.copied(grad, two), buffer, momentum) if nesterov else buffer
        return xp.add_scaled(param, step, -lr), buffer
