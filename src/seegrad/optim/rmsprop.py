"""`RMSprop`: steps scaled by a running mean of the squared gradient."""

from collections.abc import Callable
from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import Array, bump, wide, write_back
from seegrad.optim.checks import check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["RMSprop"]


class RMSprop(Optimizer):
    """`p -= lr * grad / (sqrt(square) + eps)`, `square` the running mean of the squared gradient.

    `alpha` is the share the mean keeps; `centered` subtracts the squared mean of the gradient;
    `momentum`, `weight_decay` and `maximize` as in SGD. `foreach` and `capturable` are accepted
    and change nothing. Raises ValueError for negative options.

    >>> import seegrad as torch
    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> (x * 3).backward()
    >>> torch.optim.RMSprop([x], lr=0.1).step()
    >>> x
    tensor([0.0000], requires_grad=True)
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
        check_not_below("learning rate", lr)
        check_not_below("epsilon value", eps)
        check_not_below("momentum value", momentum)
        check_not_below("weight_decay value", weight_decay)
        check_not_below("alpha value", alpha)
        check_unrecorded(differentiable, foreach, None)
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

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns the loss of `closure`, if given."""
        loss = self._run_closure(closure)
        for group, param, grad in self._to_step():
            self._step_one(group, param, grad)
            bump(param)
        return loss

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        names = ["square_avg"]
        names += ["momentum_buffer"] if group["momentum"] > 0 else []
        names += ["grad_avg"] if group["centered"] else []
        if not state:
            state["step"] = wrap(np.zeros((), np.float32))
            for name in names:
                state[name] = wrap(np.zeros_like(param._array))
        state["step"]._array[...] += 1
        tensors = (param, *[state[name] for name in names])
        arrays = tuple([wide(tensor) for tensor in tensors])
        for gradient, p, *parts, one, two in self._scratch.blocks(wide(grad), *arrays):
            _step_block(group, gradient, p, dict(zip(names, parts, strict=True)), one, two)
        write_back(tensors, arrays)


def _step_block(
    group: Group, grad: Array, param: Array, state: dict[str, Array], one: Array, two: Array
) -> None:
    """One step of one block, in PyTorch's order of operations."""
    if group["maximize"]:
        grad = np.negative(grad, out=one)
    if group["weight_decay"] != 0:
        np.multiply(param, group["weight_decay"], out=two)
        grad = np.add(grad, two, out=one)
    square, alpha = state["square_avg"], group["alpha"]
    np.multiply(square, alpha, out=square)
    np.multiply(grad, 1 - alpha, out=two)
    np.multiply(two, grad, out=two)
    np.add(square, two, out=square)
    root = _root(group, grad, square, state.get("grad_avg"), two)
    lr = float(group["lr"])
    buffer = state.get("momentum_buffer")
    if buffer is None:
        np.divide(np.multiply(grad, -lr, out=one), root, out=one)
    else:
        np.divide(grad, root, out=one)
        np.multiply(buffer, group["momentum"], out=buffer)
        np.add(buffer, one, out=buffer)
        np.multiply(buffer, -lr, out=one)
    np.add(param, one, out=param)


def _root(group: Group, grad: Array, square: Array, mean: Array | None, room: Array) -> Array:
    """What the gradient is divided by; computed in `room`."""
    if mean is None:
        np.sqrt(square, out=room)
    else:
        np.subtract(grad, mean, out=room)
        np.multiply(room, 1 - group["alpha"], out=room)
        np.add(mean, room, out=mean)
        np.multiply(mean, mean, out=room)
        np.subtract(square, room, out=room)
        np.sqrt(room, out=room)
    return np.add(room, group["eps"], out=room)
