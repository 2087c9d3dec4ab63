"""Optimisers that programs write themselves, and hooks on all optimisers."""

import copy
import importlib
import pickle
from typing import Any

from tests.observe import attempt, rounded


def _module(torch: Any) -> Any:
    """What `from torch.optim.optimizer import ...` reads."""
    return importlib.import_module(f"{torch.__name__}.optim.optimizer")


def _parameter(torch: Any, n: int = 2) -> Any:
    weight = torch.nn.Parameter(torch.ones(n))
    weight.grad = torch.full((n,), 0.5)
    return weight


def global_hooks(torch: Any) -> Any:
    module = _module(torch)
    seen: list[str] = []

    def told(name: str) -> Any:
        return lambda optimizer, args, kwargs: seen.append(
            f"{name} {type(optimizer).__name__} {len(args)} {sorted(kwargs)}"
        )

    optimizer, other = (torch.optim.SGD([_parameter(torch)]) for _ in "ab")
    handles = [module.register_optimizer_step_pre_hook(told("all before")),
               module.register_optimizer_step_post_hook(told("all after"))]  # fmt: skip
    optimizer.register_step_pre_hook(told("before"))
    optimizer.register_step_post_hook(told("after"))
    optimizer.step()
    other.step(closure=lambda: 1.0)
    for handle in handles:
        handle.remove()
    other.step()
    return seen


def with_closure(torch: Any) -> Any:
    """A step with required options, groups of their own, a closure, and state."""
    from_module = _module(torch)

    class Momentum(torch.optim.Optimizer):  # type: ignore[misc,name-defined]
        def __init__(self, params: Any, lr: Any = from_module.required, beta: float = 0.9) -> None:
            if lr is not from_module.required and lr < 0.0:
                raise ValueError(f"Invalid learning rate: {lr}")
            super().__init__(params, {"lr": lr, "beta": beta})

        def __setstate__(self, state: Any) -> None:
            super().__setstate__(state)
            for group in self.param_groups:
                group.setdefault("beta", 0.5)

        def step(self, closure: Any = None) -> Any:
            loss = None
            if closure is not None:
                with torch.enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    state = self.state[p]
                    if len(state) == 0:
                        state["step"] = 0
                        state["mean"] = torch.zeros_like(p.data)
                    state["step"] += 1
                    state["mean"].mul_(group["beta"]).add_(p.grad.data)
                    p.data.add_(state["mean"], alpha=-group["lr"])
            return loss

    w, v = _parameter(torch), _parameter(torch)
    optimizer = Momentum([{"params": [w]}, {"params": [v], "lr": 0.5}], lr=0.1)
    seen = [attempt(lambda: Momentum([w])), attempt(lambda: Momentum([w], lr=-1)),
            attempt(lambda: torch.optim.Optimizer([w], {}).step()),
            optimizer.step(lambda: 3.0), rounded(w), rounded(v)]  # fmt: skip
    saved = copy.deepcopy(optimizer.state_dict())
    del saved["param_groups"][0]["beta"]
    optimizer.load_state_dict(saved)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step()
    scheduler.step()
    optimizer.add_param_group({"params": _parameter(torch, 1)})
    return [*seen, repr(optimizer), rounded(w), repr(optimizer.state_dict())]


def over_another(torch: Any) -> Any:
    """One that wraps another, and one that extends Adam."""

    class Lookahead(torch.optim.Optimizer):  # type: ignore[misc,name-defined]
        def __init__(self, base: Any) -> None:
            self.base = base
            super().__init__(base.param_groups, {})
            self.param_groups = base.param_groups

        def step(self, closure: Any = None) -> Any:
            return self.base.step(closure)

    class Clipped(torch.optim.Adam):  # type: ignore[misc,name-defined]
        def step(self, closure: Any = None) -> Any:
            for group in self.param_groups:
                torch.nn.utils.clip_grad_norm_(group["params"], 0.1)
            return super().step(closure)

    w, v = _parameter(torch), _parameter(torch)
    outer, clipped = Lookahead(torch.optim.SGD([w], lr=0.1)), Clipped([v], lr=0.1)
    outer.step()
    clipped.step()
    outer.zero_grad()
    return [rounded(w), w.grad is None, rounded(v), repr(clipped.state[v]), repr(outer)]


def only_where_differentiable(torch: Any) -> Any:
    use_grad = _module(torch)._use_grad_for_differentiable

    class Own(torch.optim.Optimizer):  # type: ignore[misc,name-defined]
        @use_grad  # type: ignore[untyped-decorator]
        def step(self, closure: Any = None) -> bool:
            return bool(torch.is_grad_enabled())

    w = _parameter(torch)
    seen = [Own([w], {"differentiable": on}).step() for on in (False, True)]
    return [*seen, torch.is_grad_enabled()]


def old_states(torch: Any) -> Any:
    """Groups that lack newer options, and steps counted by numbers."""
    seen = []
    for name in ("SGD", "Adam", "AdamW", "Adamax", "RMSprop", "Adagrad", "Rprop", "ASGD", "NAdam",
                 "RAdam", "Adadelta"):  # fmt: skip
        w = _parameter(torch)
        optimizer = getattr(torch.optim, name)([w], lr=0.1)
        optimizer.step()
        saved = copy.deepcopy(optimizer.state_dict())
        for option in ("foreach", "maximize", "capturable", "differentiable", "fused"):
            saved["param_groups"][0].pop(option, None)
        for state in saved["state"].values():
            state["step"] = 1
        other = getattr(torch.optim, name)([w], lr=0.5)
        other.load_state_dict(saved)
        other.step()
        seen.append([name, rounded(w, 5), sorted(other.param_groups[0]),
                     {k: type(v).__name__ for k, v in other.state[w].items()}])  # fmt: skip
        twin = pickle.loads(pickle.dumps(other))
        seen.append(repr(twin) == repr(other))
    return seen


def kept_options(torch: Any) -> Any:
    """Names of parameters come back with their groups; hooks may change what is loaded."""
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.AdamW(model.named_parameters(), lr=0.1)
    seen = [optimizer.param_groups[0]["param_names"], optimizer.state_dict()["param_groups"]]
    optimizer.add_param_group({"params": [("more", _parameter(torch))], "lr": 0.3})
    seen.append([group["param_names"] for group in optimizer.param_groups])
    order: list[str] = []
    optimizer.register_state_dict_pre_hook(lambda o: order.append("first"))
    optimizer.register_state_dict_pre_hook(lambda o: order.append("before it"), prepend=True)
    optimizer.register_load_state_dict_pre_hook(
        lambda o, s: {**s, "param_groups": [{**g, "lr": 7.0} for g in s["param_groups"]]}
    )
    optimizer.load_state_dict(optimizer.state_dict())
    seen += [order, [group["lr"] for group in optimizer.param_groups]]
    plain = torch.optim.SGD([_parameter(torch)])
    return [
        *seen,
        attempt(lambda: plain.add_param_group({"params": [("a", _parameter(torch))]})),
        attempt(lambda: optimizer.add_param_group({"params": [_parameter(torch)]})),
        attempt(lambda: optimizer.add_param_group([_parameter(torch)])),
        attempt(lambda: plain.add_param_group({"params": "ab"})),
        attempt(lambda: torch.optim.SGD([_parameter(torch)], lr="a")).partition(":")[0],
        attempt(lambda: torch.optim.SGD({"params": _parameter(torch)})),
        attempt(lambda: torch.optim.SGD(_parameter(torch))),
        attempt(lambda: torch.optim.SGD({_parameter(torch)})),
        attempt(lambda: torch.optim.SGD([{"params": [_parameter(torch)], "lr": 0.1}]) and 1),
    ]
