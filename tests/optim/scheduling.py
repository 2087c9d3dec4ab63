"""Schedules of learning rates."""

import copy
from typing import Any

from tests.observe import attempt


def _optimizer(torch: Any, groups: int = 1) -> Any:
    parameters = [torch.nn.Parameter(torch.ones(1)) for _ in range(groups)]
    return torch.optim.SGD(
        [{"params": [p], "lr": 0.1 * (i + 1)} for i, p in enumerate(parameters)]
    )


def _run(torch: Any, make: Any, epochs: int = 12, groups: int = 1, metrics: Any = None) -> Any:
    optimizer = _optimizer(torch, groups)
    scheduler = make(optimizer)
    rates = []
    for epoch in range(epochs):
        optimizer.step()
        scheduler.step(*([] if metrics is None else [metrics[epoch % len(metrics)]]))
        rates.append([round(group["lr"], 12) for group in optimizer.param_groups])
    return [rates, [round(rate, 12) for rate in scheduler.get_last_lr()], scheduler.last_epoch,
            repr({k: v for k, v in scheduler.state_dict().items() if "lr" not in k})]  # fmt: skip


def by_epoch(torch: Any) -> Any:
    s = torch.optim.lr_scheduler
    return [_run(torch, make, groups=2) for make in (
        lambda o: s.StepLR(o, 3), lambda o: s.StepLR(o, 2, gamma=0.5),
        lambda o: s.LambdaLR(o, lambda e: 0.95**e), lambda o: s.ExponentialLR(o, 0.9),
        lambda o: s.CosineAnnealingLR(o, 5), lambda o: s.CosineAnnealingLR(o, 4, eta_min=0.01),
        lambda o: s.MultiStepLR(o, [3, 3, 8]), lambda o: s.ConstantLR(o, 0.5, 4),
        lambda o: s.LinearLR(o, 0.5, 1.0, 4), lambda o: s.MultiplicativeLR(o, lambda e: 0.9),
        lambda o: s.LambdaLR(o, [lambda e: e, lambda e: 2.0 * e]))]  # fmt: skip


def by_metric(torch: Any) -> Any:
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau
    return [
        _run(torch, lambda o: plateau(o, patience=1), metrics=[3, 2, 2, 2, 2, 1, 1, 1]),
        _run(torch, lambda o: plateau(o, "max", 0.5, 0, cooldown=2, threshold_mode="abs",
                                      min_lr=0.03), metrics=[1, 1, 2, 2, 1.00001]),
        _run(torch, lambda o: plateau(o, "max", patience=0, min_lr=[0.0, 0.1]), groups=2,
             metrics=[1.0, 1.00001, 2.0]),
        _run(torch, lambda o: plateau(o, patience=0, factor=0.9999999999),
             metrics=[torch.tensor(1.0)]),
    ]  # fmt: skip


def refused(torch: Any) -> Any:
    s = torch.optim.lr_scheduler

    def one() -> Any:
        return _optimizer(torch)

    return [attempt(f) for f in (
        lambda: s.StepLR(3, 3), lambda: s.LambdaLR(one(), [1, 2]),
        lambda: s.StepLR(one(), 3, last_epoch=3), lambda: s.ReduceLROnPlateau(one(), "foo"),
        lambda: s.ReduceLROnPlateau(one(), factor=1.0), lambda: s.ReduceLROnPlateau(3),
        lambda: s.ReduceLROnPlateau(one(), threshold_mode="x"),
        lambda: s.ReduceLROnPlateau(one(), min_lr=[1, 2]), lambda: s.StepLR(one(), 3).get_lr(),
        lambda: s.ConstantLR(one(), 2.0), lambda: s.LinearLR(one(), 0.0),
        lambda: s.LinearLR(one(), 0.5, 3.0),
        lambda: s.ReduceLROnPlateau(one()).step())]  # fmt: skip


def wrong_order(torch: Any) -> Any:
    optimizer = _optimizer(torch)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    scheduler.step()
    optimizer.step()
    scheduler.step()


def given_epoch(torch: Any) -> Any:
    s, seen = torch.optim.lr_scheduler, []
    for make in (lambda o: s.StepLR(o, 2), lambda o: s.LambdaLR(o, lambda e: 0.5**e),
                 lambda o: s.CosineAnnealingLR(o, 5), lambda o: s.ExponentialLR(o, 0.5),
                 lambda o: s.MultiStepLR(o, [2, 4]), lambda o: s.LinearLR(o),
                 lambda o: s.ConstantLR(o)):  # fmt: skip
        optimizer = _optimizer(torch)
        scheduler = make(optimizer)
        optimizer.step()
        scheduler.step(3)
        seen.append(round(optimizer.param_groups[0]["lr"], 12))
    return seen


def resuming(torch: Any) -> Any:
    s, optimizer = torch.optim.lr_scheduler, _optimizer(torch)
    scheduler = s.StepLR(optimizer, 2)
    for _ in range(3):
        optimizer.step()
        scheduler.step()
    saved = copy.deepcopy([optimizer.state_dict(), scheduler.state_dict()])
    fresh = _optimizer(torch)
    other = s.StepLR(fresh, 5)
    fresh.load_state_dict(saved[0])
    other.load_state_dict(saved[1])
    fresh.step()
    other.step()
    third = s.StepLR(fresh, 2, last_epoch=3)
    return [round(fresh.param_groups[0]["lr"], 12), other.last_epoch, other.step_size,
            third.last_epoch, [round(rate, 12) for rate in third.base_lrs],
            [round(rate, 12) for rate in third.get_last_lr()]]  # fmt: skip
