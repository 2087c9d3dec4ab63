"""Checks of options that optimisers share."""

from typing import Any

from seegrad.tensor.tensor import Tensor


def check_not_below(name: str, value: Any) -> None:
    """Raise ValueError unless `value` is at least 0."""
    if not value >= 0.0:
        raise ValueError(f"Invalid {name}: {value}")


def check_single(lr: Any) -> None:
    """Raise ValueError for a learning rate that is a tensor of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_betas(betas: Any) -> None:
    """Raise ValueError unless both are in [0, 1)."""
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


def check_unrecorded(differentiable: bool, foreach: bool | None, fused: bool | None) -> None:
    """Refuse what steps on raw arrays cannot do, and flags that exclude each other."""
    if foreach and fused:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    if differentiable:
        raise RuntimeError(
            "seegrad's optimizers write into the arrays of their parameters without recording, so "
            "differentiable=True is not possible. Write the step with tensors: p - lr * grad."
        )
