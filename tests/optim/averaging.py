"""Averages of weights: stochastic, exponential, by functions of the caller."""

import copy
from typing import Any

from tests.observe import attempt, rounded


def _model(torch: Any) -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))


def _moved(torch: Any, model: Any, averaged: Any, count: int = 4) -> Any:
    for i in range(count):
        for k, p in enumerate(model.parameters()):
            p.data.fill_(1.0 + i * (k + 1))
        for b in model.buffers():
            b.fill_(i + 1)
        averaged.update_parameters(model)
    return [[rounded(p) for p in averaged.parameters()], [rounded(b) for b in averaged.buffers()]]


def averages(torch: Any) -> Any:
    u, seen = torch.optim.swa_utils, []
    for options in ({}, {"use_buffers": True}, {"avg_fn": u.get_ema_avg_fn(0.9)},
                    {"avg_fn": u.get_swa_avg_fn()}, {"multi_avg_fn": u.get_swa_multi_avg_fn()},
                    {"multi_avg_fn": u.get_ema_multi_avg_fn(0.9), "use_buffers": True},
                    {"multi_avg_fn": u.get_ema_multi_avg_fn()},
                    {"avg_fn": lambda old, new, n: (old + new) / 2},
                    {"device": "cpu"}):  # fmt: skip
        model = _model(torch)
        seen.append(_moved(torch, model, u.AveragedModel(model, **options)))
    return seen


def made(torch: Any) -> Any:
    u, model = torch.optim.swa_utils, _model(torch)
    averaged = u.AveragedModel(model)
    x = torch.ones(4, 2)
    seen = [repr(averaged), list(averaged.state_dict()), averaged.training,
            averaged.module is model, int(averaged.n_averaged), str(averaged.n_averaged.dtype),
            rounded(averaged(x)) == rounded(model(x)), averaged.use_buffers,
            [p.requires_grad for p in averaged.parameters()]]  # fmt: skip
    _moved(torch, model, averaged)
    other = u.AveragedModel(_model(torch))
    other.load_state_dict(averaged.state_dict())
    twin = copy.deepcopy(averaged)
    return [*seen, int(other.n_averaged), int(twin.n_averaged),
            _moved(torch, model, twin) == _moved(torch, model, averaged)]  # fmt: skip


def normalised_anew(torch: Any) -> Any:
    u = torch.optim.swa_utils
    model = _model(torch).eval()
    batches = [torch.arange(8.0).reshape(4, 2) / 8 * i for i in range(3)]
    u.update_bn(batches, model)
    seen = [[rounded(b) for b in model.buffers()], model.training, model[1].momentum]
    u.update_bn([(batch, None) for batch in batches[1:]], model, device="cpu")
    seen += [[rounded(b) for b in model.buffers()], u.update_bn([3], torch.nn.Linear(1, 1))]
    return seen


def swa_rates(torch: Any) -> Any:
    u, seen = torch.optim.swa_utils, []
    for options in ({}, {"anneal_epochs": 3, "anneal_strategy": "linear"}, {"anneal_epochs": 0},
                    {"swa_lr": [0.01, 0.02], "anneal_epochs": 5}):  # fmt: skip
        params = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
        optimizer = torch.optim.SGD([{"params": [params[0]]}, {"params": [params[1]], "lr": 0.5}])
        decay = torch.optim.lr_scheduler.StepLR(optimizer, 2)
        scheduler = u.SWALR(optimizer, **{"swa_lr": 0.05, **options})
        for i in range(14):
            optimizer.step()
            (decay if i < 3 else scheduler).step()
            seen.append([round(g["lr"], 10) for g in optimizer.param_groups])
        saved = scheduler.state_dict()
        seen.append([sorted(saved), str(saved.get("anneal_func"))[:9], saved["anneal_epochs"]])
        other = u.SWALR(optimizer, 0.3)
        other.load_state_dict(saved)
        seen.append(
            [other.anneal_epochs, [round(g["swa_lr"], 10) for g in optimizer.param_groups]]
        )
    return seen


def refused(torch: Any) -> Any:
    u, model = torch.optim.swa_utils, _model(torch)
    optimizer = torch.optim.SGD(model.parameters())
    return [attempt(f) for f in (
        lambda: u.AveragedModel(model, avg_fn=_model, multi_avg_fn=_model),
        lambda: u.SWALR(optimizer, 0.1, anneal_strategy="x"),
        lambda: u.SWALR(optimizer, 0.1, anneal_epochs=-1),
        lambda: u.SWALR(optimizer, 0.1, anneal_epochs=1.5),
        lambda: u.SWALR(optimizer, [0.1, 0.2]), lambda: u.SWALR(3, 0.1),
        lambda: u.get_ema_avg_fn(1.5), lambda: u.get_ema_multi_avg_fn(-0.5),
        lambda: u.AveragedModel(3))]  # fmt: skip


def swapped(torch: Any) -> Any:
    """An optimiser with other parameters and state for a while."""
    model, other = _model(torch), _model(torch)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.5)
    for p in [*model.parameters(), *other.parameters()]:
        p.grad = torch.ones_like(p)
    seen = [attempt(lambda: _swap_once(torch, optimizer, other, optimizer.state_dict()))]
    optimizer.step()
    before = [rounded(p) for p in model.parameters()]
    saved = copy.deepcopy(optimizer.state_dict())
    saved["param_groups"][0]["lr"] = 0.25
    start = rounded(next(other.parameters()))
    seen.append(attempt(lambda: _swap_once(torch, optimizer, other, saved)))
    seen += [before == [rounded(p) for p in model.parameters()], optimizer.param_groups[0]["lr"],
             [float(s["step"]) for s in optimizer.state.values()],
             [float(s["step"]) for s in saved["state"].values()],
             start, rounded(next(other.parameters())),
             optimizer.param_groups[0]["params"][0] is next(model.parameters()),
             rounded(saved["state"][0]["exp_avg"])]  # fmt: skip
    few = dict([next(other.named_parameters())])
    seen.append(attempt(lambda: _swapped(torch, optimizer, few, saved)))
    seen.append(attempt(lambda: _swapped(torch, optimizer, dict(other.named_parameters()), {})))
    none = {"state": {}, "param_groups": saved["param_groups"]}
    seen.append(attempt(lambda: _swapped(torch, optimizer, dict(other.named_parameters()), none)))
    groups = {"state": saved["state"], "param_groups": saved["param_groups"] * 2}
    seen.append(
        attempt(lambda: _swapped(torch, optimizer, dict(other.named_parameters()), groups))
    )
    return seen


def _swap_once(torch: Any, optimizer: Any, other: Any, state: Any) -> Any:
    return _swapped(torch, optimizer, dict(other.named_parameters()), state)


def _swapped(torch: Any, optimizer: Any, parameters: Any, state: Any) -> Any:
    swap = torch.optim.swap_in_optimizer_params_and_state
    with swap(optimizer, parameters, state) as given:
        inside = [given is None, optimizer.param_groups[0]["lr"], len(optimizer.state)]
        optimizer.step()
        return [*inside, [float(s["step"]) for s in optimizer.state.values()]]
