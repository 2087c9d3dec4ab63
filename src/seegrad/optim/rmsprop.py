"""`RMSprop`: steps scaled by a running mean of the squared gradient."""

from typing import Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.optim.blocks import Array, add_scaled, direction, flat, settle, zeros_for
from seegrad.optim.checks import check_not_below, check_unrecorded
from seegrad.optim.optimizer import Group, ParameterwiseOptimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["RMSprop"]


class RMSprop(ParameterwiseOptimizer):
    """`p -= lr * grad / (sqrt(square) + eps)`, `square` the running mean of the squared gradient.

    `alpha` is the share the mean keeps; `centered` subtracts the squared mean of the gradient;
    `momentum`, `weight_decay` and `maximize` as in SGD. `foreach` and `capturable` are accepted
    and change nothing. Raises ValueError for negative options.

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

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        names = ["square_avg"]
        names += ["momentum_buffer"] if group["momentum"] > 0 else []
        names += ["grad_avg"] if group["centered"] else []
        if not state:
            state["step"] = wrap(np.zeros((), np.float32))
            for name in names:
                state[name] = zeros_for(param)
        state["step"]._array[...] += 1
        tensors = (param, *[state[name] for name in names])
        lines = [flat(tensor) for tensor in tensors]
        for g, p, *parts, one, two in self._scratch.blocks(flat(grad), *lines):
            g = direction(g, p, one, group["weight_decay"], group["maximize"])
            _step_block(group, g, p, dict(zip(names, parts, strict=True)), one, two)
        for tensor, line in zip(tensors, lines, strict=True):
            settle(tensor, line)


def _step_block(
    group: Group, grad: Array, param: Array, state: dict[str, Array], one: Array, two: Array
) -> None:
    """One step of one block, in PyTorch's order of operations."""
    square, alpha, size = state["square_avg"], group["alpha"], -float(group["lr"])
    np.multiply(square, alpha, square)
    np.multiply(grad, grad, two)
    add_scaled(square, two, 1 - alpha)
    root = _root(group, grad, square, state.get("grad_avg"), two)
    np.divide(grad, root, one)
    buffer = state.get("momentum_buffer")
    if buffer is None:
        add_scaled(param, one, size)
    else:
        np.multiply(buffer, group["momentum"], buffer)
        np.add(buffer, one, buffer)
        add_scaled(param, buffer, size)


def _root(group: Group, grad: Array, square: Array, mean: Array | None, room: Array) -> Array:
    """What the gradient is divided by; computed in `room`."""
    if mean is None:
        np.sqrt(square, room)
    else:
        np.subtract(grad, mean, room)
        add_scaled(mean, room, 1 - group["alpha"])
        np.multiply(mean, mean, room)
        np.subtract(square, room, room)
        np.sqrt(room, room)
    return np.add(room, group["eps"], room)
