"""`Muon`: steps along the orthogonal matrix that is nearest to the momentum."""

import math
from collections.abc import Callable
from typing import Any

from seegrad.autograd.grad_mode import enable_grad, no_grad
from seegrad.ops.linalg import addmm
from seegrad.optim.blocks import zeros_for
from seegrad.optim.checks import check_single
from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["Muon"]

_COEFFICIENTS = (3.4445, -4.7750, 2.0315)


class Muon(Optimizer):
    """`p -= lr * orthogonal(momentum)`, for matrices: all directions are taken as far.

    The orthogonal matrix is approached by `ns_steps` of a Newton-Schulz iteration in bfloat16 with
    a polynomial of three `ns_coefficients`. `adjust_lr_fn` scales `lr` by the shape: "original"
    (as None), or "match_rms_adamw". `weight_decay` shrinks p itself. Raises ValueError for options
    out of range and for parameters that are no matrices.

    >>> import seegrad as torch
    >>> x = torch.eye(2).requires_grad_()
    >>> (x * torch.tensor([[3.0, 0.0], [0.0, 0.5]])).sum().backward()
    >>> torch.optim.Muon([x], lr=0.1).step()
    >>> x.diagonal() < 0.95
    tensor([True, True])
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = _COEFFICIENTS,
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_single(lr)
        for name, value in (
            ("Learning rate", lr), ("momentum", momentum), ("weight decay", weight_decay),
        ):  # fmt: skip
            if not value >= 0.0:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for param in group["params"]:
                if param.ndim != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with "
                        f"size: {param.size()}"
                    )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; returns the loss of `closure`, if given."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for param in group["params"]:
                    if param.grad is not None:
                        self._step_one(group, param, param.grad)
        return loss

    def _step_one(self, group: Group, param: Tensor, grad: Tensor) -> None:
        if param.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        state = self.state[param]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = zeros_for(grad)
        buffer, momentum, lr = state["momentum_buffer"], group["momentum"], float(group["lr"])
        buffer.lerp_(grad, 1 - momentum)
        step = grad.lerp(buffer, momentum) if group["nesterov"] else buffer
        nearest = _orthogonal(step, group["ns_coefficients"], group["ns_steps"], group["eps"])
        param.mul_(1 - lr * group["weight_decay"])
        param.add_(nearest, alpha=-lr * _scale(group["adjust_lr_fn"], *param.shape))


def _scale(kind: str | None, rows: int, columns: int) -> float:
    """What the learning rate is multiplied by, so that it suits matrices of all shapes."""
    if kind == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))


def _orthogonal(matrix: Tensor, coefficients: Any, steps: int, eps: float) -> Any:
    """An orthogonal matrix near to a matrix, roughly: its singular values become about 1.

    Each step applies `a*x + b*x**3 + c*x**5` to all singular values at once.
    """
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    x = matrix.bfloat16()
    is_high = x.shape[0] > x.shape[1]
    if is_high:
        x = x.T
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        square = x @ x.T
        polynomial = addmm(square, square, square, beta=b, alpha=c)
        x = addmm(x, polynomial, x, beta=a)
    return x.T if is_high else x
