"""Checks of options that optimisers share."""

from typing import Any

from seegrad.tensor.tensor import Tensor


def check_not_below(name: str, value: Any) -> None:
    """Raise ValueError unless `value` is at least 0."""
    if not value >= 0.0:
        raise ValueError(f"Invalid {name}: {value}")


def check_rate(lr: Any) -> None:
    """Raise ValueError for a learning rate below 0, or of several elements."""
    check_single(lr)
    check_not_below("learning rate", lr)


def check_single(lr: Any) -> None:
    """Raise ValueError for a learning rate that is a tensor of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_betas(betas: Any) -> None:
    """Raise ValueError unless both are in [0, 1)."""
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


def check_fused(differentiable: bool, foreach: bool | None, fused: bool | None) -> None:
    """Refuse flags that exclude each other."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_tensors_of_lists(lr: Any, betas: Any, in_lists: bool) -> None:
    """Refuse tensors as options of steps on lists of tensors."""
    for name, option in (("lr", lr), ("betas[0]", betas[0]), ("betas[1]", betas[1])):
        if isinstance(option, Tensor) and in_lists:
            raise ValueError(
                f"{name} as a Tensor is not supported for capturable=False and foreach=True"
            )


def check_same_kind(betas: Any) -> None:
    """Raise ValueError for betas of which one is a tensor."""
    if isinstance(betas[0], Tensor) != isinstance(betas[1], Tensor):
        raise ValueError("betas must be either both floats or both Tensors")
