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
