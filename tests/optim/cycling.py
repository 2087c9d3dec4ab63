"""Schedules over 60 steps, those that go round, follow each other or run together among them."""

import copy
from typing import Any

from tests.observe import attempt


def _optimizer(torch: Any, name: str = "SGD", **options: Any) -> Any:
    parameters = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
    groups = [{"params": [p], "lr": 0.1 * (i + 1)} for i, p in enumerate(parameters)]
    return getattr(torch.optim, name)(groups, **options)


def _linear(x: float) -> float:
    return 1.0 / (1 + x)


def _makers(s: Any) -> dict[str, Any]:
    """Every schedule, with arguments that let 60 steps pass all of its parts."""
    return {
        "lambda": lambda o: s.LambdaLR(o, [lambda e: 0.95**e, lambda e: 1 / (1 + e)]),
        "times": lambda o: s.MultiplicativeLR(o, lambda e: 0.95),
        "step": lambda o: s.StepLR(o, 7, 0.5),
        "milestones": lambda o: s.MultiStepLR(o, [5, 5, 30]),
        "constant": lambda o: s.ConstantLR(o, 0.3, 9),
        "linear": lambda o: s.LinearLR(o, 0.1, 0.8, 20),
        "exponential": lambda o: s.ExponentialLR(o, 0.97),
        "cosine": lambda o: s.CosineAnnealingLR(o, 13, eta_min=0.01),
        "polynomial": lambda o: s.PolynomialLR(o, 40, 2.0),
        "polynomial of few": lambda o: s.PolynomialLR(o),
        "restarts": lambda o: s.CosineAnnealingWarmRestarts(o, 7, 2, eta_min=0.001),
        "restarts alike": lambda o: s.CosineAnnealingWarmRestarts(o, 9),
        "cycles": lambda o: s.CyclicLR(o, 0.01, 0.1, 5),
        "halving cycles": lambda o: s.CyclicLR(
            o, [0.01, 0.02], [0.1, 0.3], 5, 9, mode="triangular2", base_momentum=0.7),
        "fading cycles": lambda o: s.CyclicLR(o, 0.01, 0.1, 4, mode="exp_range", gamma=0.97),
        "own cycles": lambda o: s.CyclicLR(
            o, 0.01, 0.1, 4, scale_fn=_linear, scale_mode="iterations", cycle_momentum=False),
        "once": lambda o: s.OneCycleLR(o, 0.5, 62),
        "once by epochs": lambda o: s.OneCycleLR(
            o, [0.5, 1.0], epochs=7, steps_per_epoch=9, anneal_strategy="linear", pct_start=0.5,
            div_factor=5.0, final_div_factor=10.0, base_momentum=0.5, max_momentum=0.8),
        "once in three": lambda o: s.OneCycleLR(o, 0.5, 61, three_phase=True, pct_start=0.4),
        "after each other": lambda o: s.SequentialLR(
            o, [s.ConstantLR(o, 0.1, 5), s.ExponentialLR(o, 0.9), s.CosineAnnealingLR(o, 10)],
            [8, 30]),
        "together": lambda o: s.ChainedScheduler(
            [s.ConstantLR(o, 0.1, 5), s.ExponentialLR(o, 0.9)]),
        "after in after": lambda o: s.SequentialLR(
            o, [s.SequentialLR(o, [s.LinearLR(o), s.ExponentialLR(o, 0.9)], [4]),
                s.CosineAnnealingWarmRestarts(o, 5)], [20]),
    }  # fmt: skip


def _rates(optimizer: Any) -> list[Any]:
    """Rates and momenta of all groups."""
    return [round(float(value), 12) for group in optimizer.param_groups for value in
            (group["lr"], *[group[k] for k in ("momentum",) if k in group],
             *list(group.get("betas", ())))]  # fmt: skip


def _shown(value: Any) -> Any:
    """A state in plain words; a function by its presence."""
    if isinstance(value, dict):
        return {str(key): _shown(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(part) for part in value]
    if isinstance(value, float):
        return round(value, 9)
    return value if isinstance(value, int | str | None.__class__) else type(value).__name__


def sixty_steps(torch: Any) -> Any:
    seen = {}
    for name, make in _makers(torch.optim.lr_scheduler).items():
        optimizer = _optimizer(torch, momentum=0.9)
        scheduler = make(optimizer)
        rates = [_rates(optimizer)]
        for _ in range(60):
            optimizer.step()
            scheduler.step()
            rates.append(_rates(optimizer))
        seen[name] = [rates, [round(rate, 12) for rate in scheduler.get_last_lr()],
                      getattr(scheduler, "last_epoch", None)]  # fmt: skip
    return seen


def momenta_of_adam(torch: Any) -> Any:
    s, seen = torch.optim.lr_scheduler, []
    for make in (lambda o: s.CyclicLR(o, 0.01, 0.1, 5), lambda o: s.OneCycleLR(o, 0.5, 20)):
        optimizer = _optimizer(torch, "Adam")
        scheduler = make(optimizer)
        for _ in range(12):
            optimizer.step()
            scheduler.step()
            seen.append(_rates(optimizer))
    return seen


def states(torch: Any) -> Any:
    """Keys and values of what is saved, and the same rates after it is loaded."""
    seen = {}
    for name, make in _makers(torch.optim.lr_scheduler).items():
        optimizer = _optimizer(torch, momentum=0.9)
        scheduler = make(optimizer)
        for _ in range(11):
            optimizer.step()
            scheduler.step()
        saved = copy.deepcopy([optimizer.state_dict(), scheduler.state_dict()])
        other = _optimizer(torch, momentum=0.9)
        loaded = make(other)
        other.load_state_dict(saved[0])
        loaded.load_state_dict(copy.deepcopy(saved[1]))
        pairs = []
        for _ in range(15):
            for one, its in ((optimizer, scheduler), (other, loaded)):
                one.step()
                its.step()
            pairs.append(_rates(optimizer) == _rates(other))
        seen[name] = [_shown(saved[1]), all(pairs)]
    return seen


def given_epochs(torch: Any) -> Any:
    """`step(epoch)`: the closed form where there is one."""
    seen = {}
    for name, make in _makers(torch.optim.lr_scheduler).items():
        optimizer = _optimizer(torch, momentum=0.9)
        scheduler = make(optimizer)
        optimizer.step()

        def go(epoch: Any, scheduler: Any = scheduler, optimizer: Any = optimizer) -> Any:
            scheduler.step(epoch)
            return _rates(optimizer)

        seen[name] = [attempt(lambda e=e: go(e)) for e in (0, 3, 12, 7.5, 41)]
    return seen


def resumed_by_epoch(torch: Any) -> Any:
    seen = {}
    for name, make in _makers(torch.optim.lr_scheduler).items():
        if name.startswith(("once", "cycles", "halving", "fading", "own", "after", "together")):
            continue
        optimizer = _optimizer(torch, momentum=0.9)
        scheduler = make(optimizer)
        for _ in range(4):
            optimizer.step()
            scheduler.step()
        kind = type(scheduler)
        argument = {"StepLR": 7, "ExponentialLR": 0.97, "CosineAnnealingLR": 13,
                    "CosineAnnealingWarmRestarts": 7, "MultiStepLR": [5]}  # fmt: skip
        more = [argument[kind.__name__]] if kind.__name__ in argument else []
        if "lambda" in kind.__init__.__code__.co_varnames or hasattr(scheduler, "lr_lambdas"):
            more = [lambda e: 0.9]
        again = kind(optimizer, *more, last_epoch=3)
        seen[name] = [_rates(optimizer), again.last_epoch]
        again.step()
        seen[name].append(_rates(optimizer))
    return seen


def rates_in_tensors(torch: Any) -> Any:
    seen = {}
    for name, make in _makers(torch.optim.lr_scheduler).items():
        rate = torch.tensor(0.5, dtype=torch.float64)
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=rate, momentum=0.9)
        if name in ("lambda", "halving cycles", "once by epochs"):
            continue  # made for two groups
        scheduler = make(optimizer)
        for _ in range(9):
            optimizer.step()
            scheduler.step()
        (last,) = scheduler.get_last_lr()
        seen[name] = [optimizer.param_groups[0]["lr"] is rate, round(float(rate), 9),
                      type(last).__name__, last is rate,
                      type(optimizer.param_groups[0].get("initial_lr")).__name__]  # fmt: skip
    return seen


def refused(torch: Any) -> Any:
    s = torch.optim.lr_scheduler

    def one(**options: Any) -> Any:
        return _optimizer(torch, **options)

    def over() -> None:
        o = one(momentum=0.9)
        scheduler = s.OneCycleLR(o, 0.1, 2)
        for _ in range(3):
            o.step()
            scheduler.step()

    o, p = one(), one()
    plateau = s.ReduceLROnPlateau(o)
    return [attempt(f) for f in (
        lambda: s.PolynomialLR(3), lambda: s.CyclicLR(one(), 0.1, 0.2),
        lambda: s.CyclicLR(3, 0.1, 0.2), lambda: s.CyclicLR(one(momentum=0.9), [0.1], 0.2),
        lambda: s.CyclicLR(one(momentum=0.9), 0.1, 0.2, mode="x"),
        lambda: s.CyclicLR(one(momentum=0.9), 0.1, 0.2, scale_mode="x"),
        lambda: s.CyclicLR(one(momentum=0.9), 0.1, 0.2, mode="x", scale_fn=_linear).mode,
        lambda: s.CyclicLR(one(name="Adagrad"), 0.1, 0.2),
        lambda: s.CyclicLR(one(name="Adagrad"), 0.1, 0.2, cycle_momentum=False).max_lrs,
        lambda: s.OneCycleLR(one(), 0.1), lambda: s.OneCycleLR(one(), 0.1, 0),
        lambda: s.OneCycleLR(one(), 0.1, 10.5), lambda: s.OneCycleLR(one(), 0.1, -2),
        lambda: s.OneCycleLR(one(), 0.1, epochs=2), lambda: s.OneCycleLR(3, 0.1, 10),
        lambda: s.OneCycleLR(one(), 0.1, epochs=0, steps_per_epoch=3),
        lambda: s.OneCycleLR(one(), 0.1, epochs=3, steps_per_epoch=-3),
        lambda: s.OneCycleLR(one(), 0.1, 10, pct_start=2.0),
        lambda: s.OneCycleLR(one(), 0.1, 10, pct_start=1),
        lambda: s.OneCycleLR(one(), 0.1, 10, anneal_strategy="x"),
        lambda: s.OneCycleLR(one(), [0.1], 10), lambda: s.OneCycleLR(one(name="Adagrad"), 0.1, 10),
        over, lambda: s.CosineAnnealingWarmRestarts(one(), 0),
        lambda: s.CosineAnnealingWarmRestarts(one(), 2.5),
        lambda: s.CosineAnnealingWarmRestarts(one(), 2, 0),
        lambda: s.CosineAnnealingWarmRestarts(one(), 2, 1.5),
        lambda: s.CosineAnnealingWarmRestarts(one(), 2, eta_min="a"),
        lambda: s.CosineAnnealingWarmRestarts(one(), 2).step(-1),
        lambda: s.SequentialLR(o, [], []), lambda: s.SequentialLR(o, [3], []),
        lambda: s.SequentialLR(o, [s.StepLR(o, 2), s.StepLR(o, 2)], [3, 5]),
        lambda: s.SequentialLR(o, [s.StepLR(o, 2), s.StepLR(p, 2)], [3]),
        lambda: s.SequentialLR(o, [s.StepLR(o, 2), plateau], [3]),
        lambda: s.SequentialLR(o, [plateau], []), lambda: s.SequentialLR(p, [s.StepLR(o, 2)], []),
        lambda: s.ChainedScheduler([]), lambda: s.ChainedScheduler([3]),
        lambda: s.ChainedScheduler([s.StepLR(o, 2), s.StepLR(p, 2)]),
        lambda: s.ChainedScheduler([s.StepLR(o, 2), plateau]),
        lambda: s.ChainedScheduler([s.StepLR(o, 2)], p),
        lambda: s.ChainedScheduler([s.StepLR(o, 2)], o).get_last_lr(),
        lambda: s.LambdaLR(o, [_linear]), lambda: s.MultiplicativeLR(o, [_linear]),
        lambda: s.LRScheduler(o), lambda: s._LRScheduler is s.LRScheduler,
        lambda: s.StepLR(one(), 3, -1, 5), lambda: s.StepLR(one(), 3, verbose=True),
        lambda: s.LRScheduler(o).get_lr())]  # fmt: skip


def own_schedules(torch: Any) -> Any:
    """A subclass as programs write it, and steps taken before the optimiser's."""
    s = torch.optim.lr_scheduler

    class Halving(s.LRScheduler):  # type: ignore[misc,name-defined]
        def get_lr(self) -> Any:
            return [base * 0.5**self.last_epoch for base in self.base_lrs]

    optimizer = _optimizer(torch)
    scheduler = Halving(optimizer)
    seen = [_rates(optimizer), scheduler.base_lrs]
    optimizer.step()
    scheduler.step()
    seen += [_rates(optimizer), _shown(scheduler.state_dict())]
    other = _optimizer(torch)
    early = Halving(other)
    early.step()
    other.step()
    early.step()
    wrapped = _optimizer(torch)
    late = s.StepLR(wrapped, 1)
    wrapped.step = lambda: None  # a program that replaces the step of an optimiser
    late.step()
    return [*seen, _rates(other)]
