"""`Adadelta`: steps in the unit of the parameters, without a learning rate to choose."""

from typing import Any

from seegrad.optim.checks import check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group

__all__ = ["Adadelta"]


class Adadelta(ElementwiseOptimizer):
    """`p -= lr * grad * sqrt(delta + eps) / sqrt(square + eps)`, by means of both squares.

    `delta` is the running mean of the squared steps, `square` that of the squared gradient, and
    `rho` the share they keep; `weight_decay` and `maximize` as in SGD. `foreach` is accepted and
    changes nothing. Raises ValueError for options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.Adadelta([x]).step()
    >>> x
    tensor([0.9968], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_below("epsilon value", eps)
        check_not_below("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("square_avg", "acc_delta")

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        counted(state)
        decay = value(group["weight_decay"])
        return value(group["lr"]), group["rho"], group["eps"], decay, group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        lr, rho, eps, decay, maximize = numbers
        square, delta = state
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        square = xp.multiply(square, rho, square)
        square = xp.add_scaled(square, xp.multiply(grad, grad, two), 1 - rho)
        step = xp.divide(grad, xp.sqrt(xp.add(square, eps, two), two), one)
        step = xp.multiply(step, xp.sqrt(xp.add(delta, eps, two), two), one)
        delta = xp.multiply(delta, rho, delta)
        delta = xp.add_scaled(delta, xp.multiply(step, step, two), 1 - rho)
        return xp.add_scaled(param, step, -lr), square, delta
