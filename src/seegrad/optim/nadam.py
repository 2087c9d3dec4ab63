"""`NAdam`: Adam with Nesterov's momentum."""

from typing import Any

from seegrad.optim.checks import check_betas, check_not_below, check_rate
from seegrad.optim.elementwise import ElementwiseOptimizer, State, Value, count_from, counted
from seegrad.optim.kernels import direction
from seegrad.optim.optimizer import Group
from seegrad.tensor.tensor import Tensor

__all__ = ["NAdam"]


class NAdam(ElementwiseOptimizer):
    """Adam that looks a step ahead: the present gradient weighs more than in the mean.

    `momentum_decay` is the rate at which the share of the mean rises to `betas[0]`; the rest as in
    Adam. `foreach` is accepted and changes nothing. Raises ValueError for options out of range.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.NAdam([x], lr=0.1).step()
    >>> x
    tensor([0.8944], requires_grad=True)
    """

    _captured = "params, mu_products and state_steps"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
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
        check_not_below("momentum_decay value", momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _names(self, group: Group) -> tuple[str, ...]:
        return ("exp_avg", "exp_avg_sq")

    def _state_of(self, group: Group, param: Tensor) -> State:
        if not self.state[param]:
            self.state[param].update(step=count_from(0), mu_product=count_from(1))
        return super()._state_of(group, param)

    def _numbers(self, group: Group, state: State, value: Value) -> Any:
        lr, decay = value(group["lr"]), value(group["weight_decay"])
        beta1, beta2 = (value(beta) for beta in group["betas"])
        step = counted(state)
        now, later = (
            beta1 * (1 - 0.5 * 0.96 ** (number * group["momentum_decay"]))
            for number in (step, step + 1)
        )
        product = value(state["mu_product"].mul_(now))
        of_grad = -lr * (1 - now) / (1 - product)
        of_mean = -lr * later / (1 - product * later)
        shrink, decay = (1 - lr * decay, 0) if group["decoupled_weight_decay"] else (1, decay)
        correction = 1 - beta2**step
        return (
            of_grad, of_mean, 1 - beta1, beta2, correction, group["eps"],
            shrink, decay, group["maximize"],
        )  # fmt: skip

    @staticmethod
    def _update(xp: Any, numbers: Any, rooms: Any, grad: Any, param: Any, *state: Any) -> Any:
        of_grad, of_mean, new1, beta2, correction, eps, shrink, decay, maximize = numbers
        mean, square = state
        one, two = rooms
        grad = direction(xp, grad, param, one, decay, maximize)
        if shrink != 1:
            param = xp.multiply(param, shrink, param)
        mean = xp.add_scaled(mean, xp.subtract(grad, mean, two), new1)
        square = xp.multiply(square, beta2, square)
        square = xp.add_scaled(square, xp.multiply(grad, grad, two), 1 - beta2)
        root = xp.add(xp.sqrt(xp.divide(square, correction, two), two), eps, two)
        param = xp.add_scaled(param, xp.divide(grad, root, one), of_grad)
        return xp.add_scaled(param, xp.divide(mean, root, two), of_mean), mean, square
