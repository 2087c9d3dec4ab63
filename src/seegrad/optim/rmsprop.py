"""`RMSprop`: steps scaled by a running mean of the squared gradient."""

from typing import Any

from seegrad.optim.checks import check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group

__all__ = ["RMSprop"]


class RMSprop(ElementwiseOptimizer):
    """`p -= lr * grad / (sqrt(square) + eps)`, `square` the running mean of the squared gradient.

    `alpha` is the share the mean keeps; `centered` subtracts the squared mean of the gradient;
    `momentum`, `weight_decay` and `maximize` as in SGD. `foreach` is accepted and changes
    nothing. Raises ValueError for negative options.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.RMSprop([x], lr=0.05).step()
    >>> x
    tensor([0.5000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_below("epsilon value", eps)
        check_not_below("momentum value", momentum)
        check_not_below("weight_decay value", weight_decay)
        check_not_below("alpha value", alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        momentum = ("momentum_buffer",) if group["momentum"] > 0 else ()
        return ("square_avg", *momentum, *(("grad_avg",) if group["centered"] else ()))

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        counted(state)
        numbers = [value(group[key]) for key in ("lr", "alpha", "momentum", "weight_decay")]
        return *numbers, group["eps"], group["centered"], group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        lr, alpha, momentum, decay, eps, centered, maximize = numbers
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        square = xp.multiply(state[0], alpha, state[0])
        square = xp.add_scaled(square, xp.multiply(grad, grad, two), 1 - alpha)
        if centered:
            mean = xp.add_scaled(state[-1], xp.subtract(grad, state[-1], two), 1 - alpha)
            variance = xp.subtract(square, xp.multiply(mean, mean, two), two)
            root = xp.sqrt(variance, two)
        else:
            root = xp.sqrt(square, two)
        step = xp.divide(grad, xp.add(root, eps, two), one)
        if momentum > 0:
            step = xp.add(xp.multiply(state[1], momentum, state[1]), step, state[1])
        param = xp.add_scaled(param, step, -lr)
        return param, square, *((step,) if momentum > 0 else ()), *((mean,) if centered else ())
