"""Schedules made of schedules: after each other, and together."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from seegrad.optim.optimizer import Optimizer
from seegrad.optim.plateau import ReduceLROnPlateau
from seegrad.optim.schedules import LRScheduler, options, set_option

__all__ = ["ChainedScheduler", "SequentialLR"]


class _Combined(LRScheduler):
    """A schedule that owns others."""

    _schedulers: Any

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser; the schedules as their states."""
        state = super().state_dict()
        del state["_schedulers"]
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        rest = {key: value for key, value in state_dict.items() if key != "_schedulers"}
        self.__dict__.update(rest)
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)


class SequentialLR(_Combined):
    """One of the schedules after another: the next begins at each of the `milestones`.

    Raises ValueError for schedules of several optimisers, and for other than one milestone less.

    >>> import seegrad as torch
    >>> schedules = torch.optim.lr_scheduler
    >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    >>> scheduler = schedules.SequentialLR(optimizer, milestones=[2], schedulers=[
    ...     schedules.ConstantLR(optimizer, 0.1), schedules.ExponentialLR(optimizer, 0.5)])
    >>> for _ in range(3):
    ...     optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError("SequentialLR expects at least one scheduler, but got no scheduler.")
        for place, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(
                    f"SequentialLR at index {place} should have `optimizer` as its attribute."
                )
            _check_member("SequentialLR", place, scheduler, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                "the number of milestone points, but got number of schedulers "
                f"{len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            set_option(group, "lr", group["initial_lr"])
        # Making the schedules took the first step of each; only that of the first one counts.
        self.recursive_undo()
        self._schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back an epoch of all schedules within."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for part in scheduler._schedulers:
                self.recursive_undo(part)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:  # type: ignore[override]
        """Go on to the next epoch."""
        self.last_epoch += 1
        place = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Combined):
    """All of the schedules at once: each changes what the one before has set.

    Raises ValueError for schedules of several optimisers.

    >>> import seegrad as torch
    >>> schedules = torch.optim.lr_scheduler
    >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    >>> scheduler = schedules.ChainedScheduler([
    ...     schedules.ConstantLR(optimizer, 0.5), schedules.ExponentialLR(optimizer, 0.5)])
    >>> optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [0.25]
    """

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                "ChainedScheduler expects at least one scheduler to be chained, but got no "
                "scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        for place, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(
                    f"ChainedScheduler at index {place} should have `optimizer` as its attribute."
                )
            _check_member("ChainedScheduler", place, scheduler, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = options(self.optimizer, "lr")

    def step(self) -> None:  # type: ignore[override]
        """Go on to the next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = options(self.optimizer, "lr")


def _check_member(kind: str, place: int, scheduler: Any, optimizer: Any) -> None:
    if isinstance(scheduler, ReduceLROnPlateau):
        raise ValueError(
            f"{kind} does not support `ReduceLROnPlateau` scheduler as it requires additional "
            "kwargs to be specified when calling `step`, but got one at index "
            f"{place} in the given schedulers sequence."
        )
    if scheduler.optimizer is not optimizer:
        raise ValueError(
            f"{kind} expects all schedulers to belong to the same optimizer, but got scheduler "
            f"{type(scheduler).__name__} at index {place} has {scheduler.optimizer}, "
            f"which is different from {type(optimizer).__name__}."
        )
