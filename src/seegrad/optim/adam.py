"""`Adam`: steps scaled by running means of the gradient and of its square."""

from typing import Any

from seegrad.optim.checks import (
    check_betas,
    check_fused,
    check_not_below,
    check_rate,
    check_same_kind,
    check_tensors_of_lists,
)
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, count
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group

__all__ = ["Adam"]

_MEANS = ("exp_avg", "exp_avg_sq")
_LARGEST = (*_MEANS, "max_exp_avg_sq")


class Adam(ElementwiseOptimizer):
    """`p -= lr * mean / (sqrt(square) + eps)`, both running means corrected for their start.

    `betas` are the shares the means keep; `weight_decay` adds its multiple of p to the gradient
    (or, with `decoupled_weight_decay`, shrinks p itself); `amsgrad` divides by the largest square
    so far; `maximize` goes up. `foreach` and `fused` are accepted and change nothing.
    Half-precision parameters are stepped in float32 and rounded once. Raises ValueError for
    options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.Adam([x], lr=0.1).step()
    >>> x
    tensor([0.9000], requires_grad=True)
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_tensors_of_lists(lr, betas, bool(foreach) and not capturable)
        check_rate(lr)
        check_not_below("epsilon value", eps)
        check_betas(betas)
        check_same_kind(betas)
        check_not_below("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)
        check_fused(differentiable, foreach, fused)

    def _names(self, group: Group) -> tuple[str, ...]:
        return _LARGEST if group["amsgrad"] else _MEANS

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        lr, decay = value(group["lr"]), value(group["weight_decay"])
        beta1, beta2 = (value(beta) for beta in group["betas"])
        step = value(count(state))
        # The correction of the square, taken out of the root and over to the other two numbers:
        # size * mean / (sqrt(square) / root + eps) without the division by root.
        root = (1 - beta2**step) ** 0.5
        size = -lr / (1 - beta1**step) * root
        shrink, decay = (1 - lr * decay, 0) if group["decoupled_weight_decay"] else (1, decay)
        return (
            1 - beta1,
            beta2,
            1 - beta2,
            group["eps"] * root,
            size,
            shrink,
            decay,
            group["maximize"],
        )

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        new1, beta2, new2, eps, size, shrink, decay, maximize = numbers
        mean, square, *largest = state
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        if shrink != 1:
            param = xp.multiply(param, shrink, param)
        mean = xp.add_scaled(mean, xp.subtract(grad, mean, two), new1)
        square = xp.multiply(square, beta2, square)
        square = xp.add_scaled(square, xp.multiply(grad, grad, two), new2)
        if largest:
            largest = [xp.maximum(largest[0], square, largest[0])]
        root = xp.add(xp.sqrt(largest[0] if largest else square, one), eps, one)
        param = xp.add_scaled(param, xp.divide(mean, root, two), size)
        return param, mean, square, *largest
