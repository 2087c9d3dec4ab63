"""An optimiser that works on other parameters for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from seegrad.optim.optimizer import Group, Optimizer
from seegrad.tensor.tensor import Tensor

__all__ = ["swap_in_optimizer_params_and_state"]

_SELF = "swap_in_optimizer_params_and_state"


@contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer,
    swapin_parameters: dict[str, Tensor],
    swapin_optim_state: dict[str, Any],
) -> Iterator[None]:
    """Give an optimiser other parameters and state within a block, then its own again.

    The parameters are taken in their order; the state is like that of `optimizer.state_dict()`.
    What the block writes into tensors stays there, all else is forgotten. Raises RuntimeError for
    an optimiser without state, and for parameters or state that do not fit.

    >>> import seegrad as torch
    >>> p, q = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    >>> p.grad, q.grad = torch.ones(1), torch.ones(1)
    >>> optimizer = torch.optim.SGD([p], lr=0.5, momentum=0.9)
    >>> optimizer.step()
    >>> swap = torch.optim.swap_in_optimizer_params_and_state
    >>> with swap(optimizer, {"q": q}, optimizer.state_dict()):
    ...     optimizer.step()
    >>> p.item(), round(q.item(), 2)
    (0.5, 0.05)
    """
    if not optimizer.state:
        raise RuntimeError(f"{_SELF} requires initialized optimizer state.")
    groups = _groups(optimizer, list(swapin_parameters.values()), swapin_optim_state)
    state = _state(optimizer, groups, swapin_optim_state)
    own = optimizer.param_groups, optimizer.state
    optimizer.param_groups = groups
    optimizer.state = state
    try:
        yield
    finally:
        optimizer.param_groups, optimizer.state = own


def _groups(optimizer: Optimizer, params: list[Tensor], given: dict[str, Any]) -> list[Group]:
    """The given groups, with the parameters in the place of the optimiser's."""
    sizes = [len(group["params"]) for group in optimizer.param_groups]
    if sum(sizes) != len(params):
        raise RuntimeError(
            f"{_SELF} requires the explicit parameter state to match optimizer.param_groups "
            "ordering."
        )
    if not isinstance(given.get("state"), dict):
        raise RuntimeError(
            f"{_SELF} requires swapin_optim_state['state'] to be a dict mapping packed parameter "
            f"ids to per-param state dicts, got {type(given.get('state')).__name__}."
        )
    if len(given["param_groups"]) != len(sizes):
        raise RuntimeError(
            "swapin_optim_state has a different number of parameter groups than the live "
            "optimizer."
        )
    rest = iter(params)
    return [
        {**group, "params": [next(rest) for _ in range(size)]}
        for group, size in zip(given["param_groups"], sizes, strict=True)
    ]


def _state(optimizer: Optimizer, groups: list[Group], given: dict[str, Any]) -> Any:
    """The given state by parameter instead of by number."""
    numbers = chain.from_iterable(group["params"] for group in given["param_groups"])
    params = chain.from_iterable(group["params"] for group in groups)
    state = type(optimizer.state)(dict)
    for number, param in zip(numbers, params, strict=True):
        state[param] = dict(given["state"].get(number, {}))
    return state
