"""`RAdam`: Adam that waits with scaling until the mean square is known well enough."""

from typing import Any

from seegrad.optim.checks import check_betas, check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group

__all__ = ["RAdam"]


class RAdam(ElementwiseOptimizer):
    """Adam whose steps are scaled only once the variance of the scale is small, and less at first.

    The options are those of Adam. `foreach` is accepted and changes nothing. Raises ValueError
    for options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.RAdam([x], lr=0.1).step()
    >>> x
    tensor([0.7000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rate(lr)
        check_not_below("epsilon value", eps)
        check_betas(betas)
        check_not_below("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_avg_sq")

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        lr, decay = value(group["lr"]), value(group["weight_decay"])
        beta1, beta2 = (value(beta) for beta in group["betas"])
        step = counted(state)
        shrink, decay = (1 - lr * decay, 0) if group["decoupled_weight_decay"] else (1, decay)
        size, scaling = -lr / (1 - beta1**step), _scaling(beta2, step)
        return size, scaling, 1 - beta1, beta2, group["eps"], shrink, decay, group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        size, scaling, new1, beta2, eps, shrink, decay, maximize = numbers
        mean, square = state
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        if shrink != 1:
            param = xp.multiply(param, shrink, param)
        mean = xp.add_scaled(mean, xp.subtract(grad, mean, two), new1)
        square = xp.multiply(square, beta2, square)
        square = xp.add_scaled(square, xp.multiply(grad, grad, two), 1 - beta2)
        if scaling is None:
            return xp.add_scaled(param, mean, size), mean, square
        root = xp.add(xp.sqrt(square, two), eps, two)
        step = xp.divide(mean, root, two)
        return xp.add_scaled(param, step, size * scaling), mean, square


def _scaling(beta2: Any, step: float) -> Any:
    """What the step over the root is multiplied by; None while too few steps were taken.

    `length` is the number of gradients that the mean square stands for, `most` its limit.
    """
    most = 2 / (1 - beta2) - 1
    correction = 1 - beta2**step
    length = most - 2 * step * beta2**step / correction
    if not length > 5.0:
        return None
    variance = (length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length)
    return (variance * correction) ** 0.5
