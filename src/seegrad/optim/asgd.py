"""`ASGD`: descent with a fading step, and the average of where it was."""

from typing import Any

from seegrad.optim.checks import check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, count_from, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group
from seegrad.tensor.tensor import Tensor

__all__ = ["ASGD"]


class ASGD(ElementwiseOptimizer):
    """`p = (1 - lambd * eta) * p - eta * grad`, `eta` falling from `lr`; the state averages p.

    `alpha` is the power with which `eta` falls, `t0` the step after which `ax` is an average;
    `weight_decay` and `maximize` as in SGD. `foreach` is accepted and changes nothing. Raises
    ValueError for negative options.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.ASGD([x], lr=0.1).step()
    >>> x
    tensor([0.7000], requires_grad=True)
    """

    _captured = "params, mus, etas, and state_steps"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_below("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("ax",)

    def _state_of(self, group: Group, param: Tensor) -> State:
        state: State = self.state[param]
        if not state:
            rate = float(group["lr"])
            state.update(step=count_from(0), eta=count_from(rate), mu=count_from(1))
        return super()._state_of(group, param)

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        step, lr = counted(state), float(group["lr"])
        eta, share = state["eta"]._array, state["mu"]._array
        numbers = (float(eta), 1 - group["lambd"] * float(eta), float(share))
        eta[...] = lr / (1 + group["lambd"] * lr * step) ** group["alpha"]
        share[...] = 1 / max(1, step - group["t0"])
        return *numbers, value(group["weight_decay"]), group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        eta, shrink, share, decay, maximize = numbers
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        param = xp.multiply(param, shrink, param)
        param = xp.add_scaled(param, grad, -eta)
        if share == 1:
            return param, xp.copied(param, state[0])
        return param, xp.add_scaled(state[0], xp.subtract(param, state[0], two), share)
