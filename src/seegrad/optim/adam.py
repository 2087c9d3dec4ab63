"""`Adam` and `AdamW`: steps scaled by running means of the gradient and of its square."""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import Array, bump, wide, write_back
from seegrad.optim.checks import check_betas, check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["Adam", "AdamW"]


class Adam(Optimizer):
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

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns the loss of `closure`, if given."""
        loss = self._run_closure(closure)
        for group, param, grad in self._to_step():
            self._step_one(group, param, grad)
            bump(param)
        return loss

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        if not state:
            _start(state, param, group["amsgrad"])
        state["step"]._array[...] += 1
        tensors: tuple[Tensor, ...] = (param, state["exp_avg"], state["exp_avg_sq"])
        if group["amsgrad"]:
            tensors += (state["max_exp_avg_sq"],)
        arrays = tuple([wide(tensor) for tensor in tensors])
        numbers = _Numbers(group, float(state["step"]._array))
        for parts in self._scratch.blocks(wide(grad), *arrays):
            _step_block(numbers, *parts)
        write_back(tensors, arrays)


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
        state[name] = wrap(np.zeros_like(param._array))


class _Numbers:
    """The numbers of one step, the same for all blocks of a parameter."""

    __slots__ = (
        "beta1",
        "beta2",
        "decay",
        "decoupled",
        "eps",
        "maximize",
        "root",
        "shrink",
        "size",
    )

    def __init__(self, group: Group, step: float) -> None:
        self.beta1, self.beta2 = (float(beta) for beta in group["betas"])
        lr = float(group["lr"])
        self.decay = group["weight_decay"]
        self.decoupled = group["decoupled_weight_decay"]
        self.shrink = 1 - lr * self.decay
        self.maximize = group["maximize"]
        self.eps = group["eps"]
        self.size = -lr / (1 - self.beta1**step)
        self.root = (1 - self.beta2**step) ** 0.5


def _step_block(
    numbers: _Numbers, grad: Array, param: Array, mean: Array, square: Array, *rest: Array
) -> None:
    """One step of one block, in PyTorch's order of operations. `rest`: the largest square so far
    if there is one, and two scratch blocks.
    """
    one, two = rest[-2], rest[-1]
    if numbers.maximize:
        grad = np.negative(grad, out=one)
    if numbers.decay != 0:
        if numbers.decoupled:
            np.multiply(param, numbers.shrink, out=param)
        else:
            np.multiply(param, numbers.decay, out=two)
            grad = np.add(grad, two, out=one)
    np.subtract(grad, mean, out=two)
    np.multiply(two, 1 - numbers.beta1, out=two)
    np.add(mean, two, out=mean)
    np.multiply(square, numbers.beta2, out=square)
    np.multiply(grad, 1 - numbers.beta2, out=two)
    np.multiply(two, grad, out=two)
    np.add(square, two, out=square)
    if len(rest) == 3:
        square = np.maximum(rest[0], square, out=rest[0])
    np.sqrt(square, out=one)
    np.divide(one, numbers.root, out=one)
    np.add(one, numbers.eps, out=one)
    np.multiply(mean, numbers.size, out=two)
    np.divide(two, one, out=two)
    np.add(param, two, out=param)
