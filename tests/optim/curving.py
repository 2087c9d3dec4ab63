"""LBFGS: what it remembers, when it stops, and how it searches along a line."""

import copy
from typing import Any

from tests.observe import attempt, rounded
from tests.optim.walks import descents, steep


def lbfgs(torch: Any) -> Any:
    seen = {}
    for name, found in descents(torch, 2).items():
        numbers = {key: [round(n, 6) for n in found[key]] for key in ("losses", "x")}
        seen[name] = {**found, **numbers, "tried": len(found["tried"])}
    return seen


def _closure(torch: Any, optimizer: Any, params: Any) -> Any:
    def closure() -> Any:
        optimizer.zero_grad()
        loss = sum(((p - 3).abs() ** 2 * (1 + p.numel())).sum() for p in params)
        loss.backward()
        return loss

    return closure


def lbfgs_of_other_types(torch: Any) -> Any:
    """Halves, complex numbers, several parameters, one of them unused."""
    seen = []
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.complex64):
        params = [torch.nn.Parameter(torch.ones(n, dtype=dtype)) for n in (2, 1)]
        unused = torch.nn.Parameter(torch.ones(2, dtype=dtype))
        for search in (None, "strong_wolfe"):
            optimizer = torch.optim.LBFGS(
                [*params, unused], max_iter=2, history_size=2, line_search_fn=search
            )
            loss = optimizer.step(_closure(torch, optimizer, params))
            seen.append([f"{loss.item():.2f}", [rounded(p, 2) for p in [*params, unused]]])
            seen.append(sorted(optimizer.state[params[0]]))
    return seen


def lbfgs_refused(torch: Any) -> Any:
    w, LBFGS = torch.nn.Parameter(torch.ones(2)), torch.optim.LBFGS
    other = LBFGS([w], line_search_fn="else")
    return [attempt(f) for f in (
        lambda: LBFGS([{"params": [w]}, {"params": [torch.nn.Parameter(torch.ones(1))]}]),
        lambda: LBFGS([w], lr=-1.0), lambda: LBFGS([w], lr=torch.ones(2)),
        lambda: LBFGS([w], lr=torch.tensor(0.5)), lambda: LBFGS([w]).step(),
        lambda: LBFGS([w]).step(None),
        lambda: other.step(_closure(torch, other, [w])))]  # fmt: skip


def lbfgs_closures(torch: Any) -> Any:
    """What a closure may return; gradients are on in it; it has nothing to do at the end."""
    w = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.LBFGS([w], max_iter=3)
    modes = []

    def number() -> float:
        modes.append(torch.is_grad_enabled())
        w.grad = w.detach() * 0.5
        return float((w * w).sum())

    with torch.no_grad():
        first = optimizer.step(number)
    w.grad = torch.zeros(2)
    return [first, modes, rounded(w), optimizer.step(lambda: 3.0), optimizer.state[w]["n_iter"]]


def lbfgs_resumed(torch: Any) -> Any:
    """Saved and loaded between two calls: the same as without."""

    def run(interrupted: bool) -> Any:
        w = torch.nn.Parameter(torch.linspace(1, 2, 3, dtype=torch.float64))
        optimizer = torch.optim.LBFGS([w], max_iter=3)
        for i in range(3):
            if interrupted and i == 1:
                saved = copy.deepcopy(optimizer.state_dict())
                optimizer = torch.optim.LBFGS([w])
                optimizer.load_state_dict(saved)

            def closure() -> Any:
                optimizer.zero_grad()
                loss = steep(w)
                loss.backward()
                return loss

            optimizer.step(closure)
        return rounded(w, 9)

    return [run(True) == run(False), run(True)]
