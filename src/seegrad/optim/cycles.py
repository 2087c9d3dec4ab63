"""Schedules that raise the rate and lower it, with the momentum against it."""

import math
import types
from collections.abc import Callable
from typing import Any

from seegrad.optim.optimizer import Group, Optimizer
from seegrad.optim.schedules import LRScheduler, check_optimizer, one_for_each, set_option

__all__ = ["CyclicLR", "OneCycleLR"]


class _WithMomentum(LRScheduler):
    """A schedule that may move the momentum too: `momentum`, or the first of `betas`."""

    use_beta1: bool

    def _take_momentum(self, optimizer: Optimizer, low: Any, high: Any, last_epoch: int) -> None:
        """Start from the largest momentum."""
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        self.use_beta1 = "betas" in optimizer.defaults
        if last_epoch != -1:
            return
        lowest = one_for_each("base_momentum", optimizer, low)
        highest = one_for_each("max_momentum", optimizer, high)
        for group, least, most in zip(optimizer.param_groups, lowest, highest, strict=True):
            self._set_momentum(group, most)
            group["max_momentum"] = most
            group["base_momentum"] = least

    def _set_momentum(self, group: Group, value: float) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(_WithMomentum):
    """The rate from `base_lr` up to `max_lr` and down, in straight lines, again and again.

    `step_size_up` and `step_size_down` are counted in steps. Each cycle is scaled by `mode`:
    "triangular" not, "triangular2" by half of the last, "exp_range" by `gamma ** steps`; or by
    `scale_fn` of the number of the cycle, or of the steps where `scale_mode` is "iterations".
    `cycle_momentum` moves the momentum against it. Raises ValueError for options that do not fit.

    >>> import seegrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, 0.0, 1.0, step_size_up=2)
    >>> optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        base_lrs = one_for_each("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs, strict=True):
                set_option(group, "lr", lr)
        self.max_lrs = one_for_each("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        is_fading = scale_fn is None and mode == "exp_range"
        self.scale_mode = "iterations" if is_fading else scale_mode
        self._scale_fn_custom = scale_fn
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._take_momentum(optimizer, base_momentum, max_momentum, last_epoch)
            self.base_momentums = one_for_each("base_momentum", optimizer, base_momentum)
            self.max_momentums = one_for_each("max_momentum", optimizer, max_momentum)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """What cycle (or step) x is scaled by."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular2":
            return float(1 / 2.0 ** (x - 1))
        return float(self.gamma**x) if self.mode == "exp_range" else 1.0

    def get_lr(self) -> list[Any]:
        """The rates of the present step; the momenta are set."""
        self._rates()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        is_rising = place <= self.step_ratio
        height = place / self.step_ratio if is_rising else (place - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                self._set_momentum(group, high - (high - low) * height)
        # At the first step the base class has not been given `base_lrs` yet: it set them as rates.
        pairs = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * height for low, high in pairs]

    def state_dict(self) -> dict[str, Any]:
        """The state; of the function only what an object keeps of its own."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        is_plain = function is None or isinstance(function, types.FunctionType)
        state["_scale_fn_custom"] = None if is_plain else function.__dict__.copy()
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned; the function stays the one that is here."""
        rest = dict(state_dict)
        saved = rest.pop("_scale_fn_custom", None)
        super().load_state_dict(rest)
        if saved is not None:
            self._scale_fn_custom.__dict__.update(saved)


class OneCycleLR(_WithMomentum):
    """The rate up to `max_lr` within the share `pct_start` of all steps, then far down.

    There are `total_steps`, or `epochs * steps_per_epoch`. It starts at `max_lr / div_factor` and
    ends at `final_div_factor` times less, along a cosine or a line (`anneal_strategy`); with
    `three_phase` it comes down as slowly as it rose. `cycle_momentum` moves the momentum against
    it. Raises ValueError for options out of range and for steps beyond the last.

    >>> import seegrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=10)
    >>> for _ in range(2):
    ...     optimizer.step(); scheduler.step()
    >>> scheduler.get_last_lr()
    [1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.total_steps = _count(total_steps, epochs, steps_per_epoch)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        max_lrs = one_for_each("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, highest in zip(optimizer.param_groups, max_lrs, strict=True):
                set_option(group, "lr", highest / div_factor)
                group["initial_lr"] = highest / div_factor
                group["max_lr"] = highest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._take_momentum(optimizer, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates of the present step; the momenta are set."""
        self._rates()
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. "
                f"The specified number of total steps is {self.total_steps}"
            )
        start, phase = 0.0, self._schedule_phases[0]
        for following in self._schedule_phases[1:]:
            if self.last_epoch <= phase["end_step"]:
                break
            start, phase = phase["end_step"], following
        share = (self.last_epoch - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._between(*ends, share))
        return rates

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)


def _count(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """The number of all steps."""
    if total_steps is not None:
        return _positive("total_steps", total_steps)
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    return _positive("epochs", epochs) * _positive("steps_per_epoch", steps_per_epoch)


def _positive(name: str, value: Any) -> int:
    if value <= 0 or not isinstance(value, int):
        raise ValueError(f"Expected positive integer {name}, but got {value}")
    return value


def _phases(count: int, share: float, are_three: bool) -> list[dict[str, Any]]:
    """Where each part of the cycle ends, and between which options of the group it goes."""
    rise = _phase(float(share * count) - 1, "initial_lr", "max_lr", "max", "base")
    if not are_three:
        return [rise, _phase(count - 1, "max_lr", "min_lr", "base", "max")]
    fall = _phase(float(2 * share * count) - 2, "max_lr", "initial_lr", "base", "max")
    return [rise, fall, _phase(count - 1, "initial_lr", "min_lr", "max", "max")]


def _phase(end: float, lr: str, to_lr: str, momentum: str, to_momentum: str) -> dict[str, Any]:
    return {
        "end_step": end, "start_lr": lr, "end_lr": to_lr,
        "start_momentum": f"{momentum}_momentum", "end_momentum": f"{to_momentum}_momentum",
    }  # fmt: skip
