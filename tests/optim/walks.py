"""Walks that are taken beside PyTorch, and shorter against recorded answers."""

from typing import Any


def _rosenbrock(x: Any) -> Any:
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()


def _valley(x: Any) -> Any:
    """Flat far away, so that a search has to go further before it narrows."""
    return (1 + ((x - 5) ** 2).sum()).log() + 0.1 * (3 * x).sin().sum()


def steep(x: Any) -> Any:
    return (x**4).sum() + (20 * x).exp().sum() * 1e-3


def _descend(torch: Any, loss_of: Any, calls: int, dtype: Any = None, **options: Any) -> Any:
    """Losses, parameters and the numbers of evaluations of some calls."""
    start = torch.linspace(-1.2, 1.0, 5, dtype=dtype or torch.float64)
    x = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([x], **options)
    tried = []

    def closure() -> Any:
        optimizer.zero_grad()
        loss = loss_of(x)
        loss.backward()
        tried.append(loss.item())
        return loss

    losses = [optimizer.step(closure).item() for _ in range(calls)]
    state = optimizer.state[x]
    return {"losses": losses, "x": x.tolist(), "tried": tried, "n": state["n_iter"],
            "evals": state["func_evals"], "kept": len(state.get("ro") or []),
            "kinds": {key: type(value).__name__ for key, value in state.items()}}  # fmt: skip


_CASES = [
    ("rosenbrock", {}), ("rosenbrock", {"lr": 0.1, "history_size": 3}),
    ("rosenbrock", {"line_search_fn": "strong_wolfe"}),
    ("rosenbrock", {"line_search_fn": "strong_wolfe", "history_size": 2, "max_iter": 7}),
    ("rosenbrock", {"line_search_fn": "strong_wolfe", "max_eval": 5, "lr": 3.0}),
    ("rosenbrock", {"line_search_fn": "strong_wolfe", "max_iter": 1}),
    ("rosenbrock", {"max_iter": 1}),
    ("valley", {"line_search_fn": "strong_wolfe"}), ("steep", {"lr": 0.01}),
    ("valley", {"line_search_fn": "strong_wolfe", "lr": 0.01, "max_iter": 4}),
    ("steep", {"line_search_fn": "strong_wolfe", "lr": 5.0}),
    ("steep", {"line_search_fn": "strong_wolfe", "tolerance_change": 0.1}),
    ("steep", {"line_search_fn": "strong_wolfe", "tolerance_grad": 0.5, "max_iter": 40}),
    ("steep", {"line_search_fn": "strong_wolfe", "lr": 1e-4, "max_iter": 3}),
]  # fmt: skip
_LOSSES = {"rosenbrock": _rosenbrock, "valley": _valley, "steep": steep}


def descents(torch: Any, calls: int = 20) -> dict[str, Any]:
    """Every case, by its name."""
    return {f"{name} {options}": _descend(torch, _LOSSES[name], calls, **options)
            for name, options in _CASES}  # fmt: skip


OPTIONS: dict[str, list[dict[str, Any]]] = {
    "SGD": [{"lr": 0.01}, {"lr": 0.01, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
            {"lr": 0.01, "momentum": 0.9, "dampening": 0.3, "maximize": True},
            {"lr": 0.01, "weight_decay": 0.1, "foreach": True}],
    "Adam": [{}, {"lr": 0.1, "betas": (0.5, 0.6), "eps": 0.1},
             {"amsgrad": True, "weight_decay": 0.1, "maximize": True},
             {"decoupled_weight_decay": True, "weight_decay": 0.1, "fused": True}],
    "AdamW": [{"lr": 0.1}, {"amsgrad": True, "maximize": True, "weight_decay": 0.5}],
    "Adamax": [{}, {"lr": 0.1, "betas": (0.5, 0.6), "eps": 0.1, "weight_decay": 0.1},
               {"maximize": True, "foreach": True}],
    "NAdam": [{}, {"lr": 0.1, "momentum_decay": 0.1, "betas": (0.5, 0.9), "weight_decay": 0.1},
              {"decoupled_weight_decay": True, "weight_decay": 0.1, "maximize": True}],
    "RAdam": [{}, {"lr": 0.1, "betas": (0.5, 0.9), "eps": 0.1, "weight_decay": 0.1},
              {"decoupled_weight_decay": True, "weight_decay": 0.1, "maximize": True},
              {"betas": (0.9, 0.4)}],
    "Adagrad": [{}, {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1, "maximize": True},
                {"initial_accumulator_value": 0.5, "eps": 0.1}],
    "Adadelta": [{}, {"lr": 0.5, "rho": 0.5, "eps": 0.1, "weight_decay": 0.1},
                 {"maximize": True, "foreach": True}],
    "RMSprop": [{}, {"centered": True}, {"momentum": 0.9, "alpha": 0.5},
                {"momentum": 0.9, "centered": True, "weight_decay": 0.1, "maximize": True}],
    "Rprop": [{}, {"lr": 0.1, "etas": (0.3, 1.5), "step_sizes": (0.01, 0.2)},
              {"maximize": True}],
    "ASGD": [{}, {"lr": 0.05, "lambd": 0.1, "alpha": 0.5, "t0": 3, "weight_decay": 0.1},
             {"t0": 10, "maximize": True}],
    "Adafactor": [{}, {"lr": 0.1, "beta2_decay": -0.5, "eps": (1e-3, 0.1), "weight_decay": 0.1},
                  {"d": 2.0, "maximize": True}],
}  # fmt: skip


def every(names: Any = OPTIONS) -> list[tuple[str, dict[str, Any]]]:
    """Every optimiser with every set of its options."""
    return [(name, options) for name in names for options in OPTIONS[name]]


def walk(torch: Any, name: str, options: dict[str, Any], dtype: Any, steps: int) -> Any:
    """Parameters and state after some steps down a bowl that moves."""
    start = torch.tensor([[1.0, -2.0, 0.5], [3.0, 0.0, -1.0]], dtype=torch.float64)
    params = [
        torch.nn.Parameter(part.clone().to(dtype)) for part in (start, start[0], start[1, 0])
    ]
    if dtype.is_complex:
        params[0].data.mul_(1 + 0.5j)
    optimizer = getattr(torch.optim, name)(
        [{"params": params[:2]}, {"params": params[2:], "weight_decay": 0.2}]
        if "weight_decay" in options else params, **options
    )  # fmt: skip
    for step in range(steps):
        optimizer.zero_grad()
        loss = sum(
            ((p - 0.3 * (step % 7)) ** 2).abs().sum() * (1 + 0.1 * step % 3) for p in params
        )
        loss.backward()
        if step == steps // 2:
            params[1].grad = None
            optimizer.param_groups[0]["lr"] *= 0.5
        optimizer.step()
    return params, [dict(optimizer.state[param]) for param in params]
