"""`ReduceLROnPlateau`: a learning rate that falls when a metric no longer improves."""

import math
from typing import Any

from seegrad.optim.optimizer import Optimizer
from seegrad.optim.schedules import LRScheduler, check_optimizer, options, set_option


class ReduceLROnPlateau(LRScheduler):
    """The rate times `factor` after more than `patience` epochs without a better `metrics`.

    Better is lower for `mode="min"`, higher for "max", by more than `threshold`, relative ("rel")
    or absolute ("abs"). After a reduction `cooldown` epochs are not judged. Rates stay above
    `min_lr`, and changes below `eps` are not made. Raises ValueError for options out of range.

    >>> import seegrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)
    >>> for loss in (1.0, 1.0):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        check_optimizer(optimizer)
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr, self.min_lrs = _lowest_rates(min_lr, len(optimizer.param_groups))
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = options(optimizer, "lr")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self._reset()

    def _reset(self) -> None:
        """Forget what was seen."""
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Judge the metric of this epoch, and reduce the rates if it is time."""
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = options(self.optimizer, "lr")

    def _is_better(self, metric: float, best: float) -> bool:
        sign = 1 if self.mode == "min" else -1
        if self.threshold_mode == "rel":
            return sign * metric < sign * best * (1.0 - sign * self.threshold)
        return sign * metric < sign * best - self.threshold

    def _reduce(self) -> None:
        for group, lowest in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            before = float(group["lr"])
            rate = max(before * self.factor, lowest)
            if before - rate > self.eps:
                set_option(group, "lr", rate)


def _lowest_rates(min_lr: Any, count: int) -> tuple[Any, list[Any]]:
    """The default for new groups, and one lower bound for each group."""
    if not isinstance(min_lr, list | tuple):
        return min_lr, [min_lr] * count
    if len(min_lr) != count:
        raise ValueError(f"expected {count} min_lrs, got {len(min_lr)}")
    return None, list(min_lr)
