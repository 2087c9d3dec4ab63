"""`Adam` and `AdamW`: steps scaled by running means of the gradient and of its square."""

from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import Array, add_scaled, direction, flat, settle, zeros_for
from seegrad.optim.checks import check_betas, check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, ParameterwiseOptimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["Adam", "AdamW"]


class Adam(ParameterwiseOptimizer):
    """`p -= lr * mean / (sqrt(square) + eps)`, both running means corrected for their start.

    `betas` are the shares the means keep; `weight_decay` adds its multiple of p to the gradient
    (or, with `decoupled_weight_decay`, shrinks p itself); `amsgrad` divides by the largest square
    so far; `maximize` goes up. `foreach`, `fused` and `capturable` are accepted and change
    nothing. Half-precision parameters are stepped in float32 and rounded once. Raises ValueError
    for options out of range.

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
        check_not_below("learning rate", lr)
        check_not_below("epsilon value", eps)
        check_betas(betas)
        check_not_below("weight_decay value", weight_decay)
        check_unrecorded(differentiable, foreach, fused)
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

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        if not state:
            _start(state, param, group["amsgrad"])
        state["step"]._array[...] += 1
        tensors: tuple[Tensor, ...] = (param, state["exp_avg"], state["exp_avg_sq"])
        if group["amsgrad"]:
            tensors += (state["max_exp_avg_sq"],)
        lines = [flat(tensor) for tensor in tensors]
        numbers = _Numbers(group, float(state["step"]._array))
        for g, p, *parts, one, two in self._scratch.blocks(flat(grad), *lines):
            g = direction(g, p, one, numbers.decay, group["maximize"])
            _step_block(numbers, g, p, *parts, one, two)
        for tensor, line in zip(tensors, lines, strict=True):
            settle(tensor, line)


class AdamW(Adam):
    """Adam whose `weight_decay` shrinks the parameters themselves.

    >>> import seegrad as torch
    >>> torch.optim.AdamW([torch.zeros(1)]).defaults["weight_decay"]
    0.01
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad,
            foreach=foreach, maximize=maximize, capturable=capturable,
            differentiable=differentiable, fused=fused, decoupled_weight_decay=True,
        )  # fmt: skip


def _start(state: dict[str, Any], param: Tensor, amsgrad: bool) -> None:
    """The state before the first step."""
    state["step"] = wrap(np.zeros((), np.float32))
    names = ["exp_avg", "exp_avg_sq", *(["max_exp_avg_sq"] if amsgrad else [])]
    for name in names:
        state[name] = zeros_for(param)


class _Numbers:
    """The numbers of one step, the same for all blocks of a parameter."""

    __slots__ = ("beta2", "decay", "eps", "new1", "new2", "shrink", "size")

    def __init__(self, group: Group, step: float) -> None:
        beta1, beta2 = (float(beta) for beta in group["betas"])
        lr = float(group["lr"])
        self.beta2, self.new1, self.new2 = beta2, 1 - beta1, 1 - beta2
        decay, decoupled = group["weight_decay"], group["decoupled_weight_decay"]
        self.shrink = 1 - lr * decay if decoupled else 1
        self.decay = 0 if decoupled else decay
        # The correction of the square, taken out of the root and over to the other two numbers:
        # size * mean / (sqrt(square) / root + eps) without the division by root.
        root = (1 - beta2**step) ** 0.5
        self.eps = group["eps"] * root
        self.size = -lr / (1 - beta1**step) * root


def _step_block(
    numbers: _Numbers, grad: Array, param: Array, mean: Array, square: Array, *rest: Array
) -> None:
    """One step of one block. `rest`: the largest square so far if there is one, and two scratch
    blocks.
    """
    one, two = rest[-2], rest[-1]
    if numbers.shrink != 1:
        np.multiply(param, numbers.shrink, param)
    np.subtract(grad, mean, two)
    add_scaled(mean, two, numbers.new1)
    np.multiply(square, numbers.beta2, square)
    np.multiply(grad, grad, two)
    add_scaled(square, two, numbers.new2)
    if len(rest) == 3:
        square = np.maximum(rest[0], square, out=rest[0])
    np.sqrt(square, one)
    np.add(one, numbers.eps, one)
    np.divide(mean, one, two)
    add_scaled(param, two, numbers.size)
