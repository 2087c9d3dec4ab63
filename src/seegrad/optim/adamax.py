"""`Adamax`: Adam by the largest gradient instead of the mean square."""

from typing import Any

from seegrad.optim.checks import check_betas, check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group

__all__ = ["Adamax"]


class Adamax(ElementwiseOptimizer):
    """`p -= lr * mean / largest`, `largest` the fading maximum of the gradient's size.

    `betas` are the shares that the mean and the maximum keep; `weight_decay` and `maximize` as in
    SGD. `foreach` is accepted and changes nothing. Raises ValueError for options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.Adamax([x], lr=0.1).step()
    >>> x
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
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
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_inf")

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        beta1, beta2 = (value(beta) for beta in group["betas"])
        size = -value(group["lr"]) / (1 - beta1 ** counted(state))
        decay = value(group["weight_decay"])
        return size, 1 - beta1, beta2, group["eps"], decay, group["maximize"]

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        size, new, beta2, eps, decay, maximize = numbers
        mean, largest = state
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        mean = xp.add_scaled(mean, xp.subtract(grad, mean, two), new)
        height = xp.add(xp.absolute(grad, two), eps, two)
        largest = xp.maximum(xp.multiply(largest, beta2, largest), height, largest)
        return xp.add_scaled(param, xp.divide(mean, largest, two), size), mean, largest
