"""Groups, state, copies, hooks and errors of optimisers."""

import copy
import pickle
from typing import Any

from tests.observe import attempt, rounded
from tests.optim.walks import OPTIONS


def _parameter(torch: Any, n: int = 2) -> Any:
    return torch.nn.Parameter(torch.ones(n))


def _stepped(torch: Any, weight: Any, name: str = "Adam", **options: Any) -> Any:
    optimizer = getattr(torch.optim, name)([weight], **options)
    for i in range(2):
        weight.grad = torch.full(weight.shape, i + 1.0)
        optimizer.step()
    return optimizer


OTHERS = ("Adadelta", "Adafactor", "Adamax", "ASGD", "NAdam", "RAdam", "Rprop", "SparseAdam",
          "LBFGS")  # fmt: skip


def shown(torch: Any) -> Any:
    w = _parameter(torch)
    several = [torch.optim.SGD([{"params": [w], "name": "q"}, {"params": [_parameter(torch)]}]),
               torch.optim.SGD([("a", w)], 0.1),
               torch.optim.SGD([w], lr=torch.tensor(0.5))]  # fmt: skip
    for name in (*OPTIONS, "LBFGS", "Muon", "SparseAdam"):
        several.append(getattr(torch.optim, name)([torch.nn.Parameter(torch.ones(2, 2))]))
    return [[repr(o), {k: str(v) for k, v in o.defaults.items()}] for o in several]


def bad_parameters(torch: Any) -> Any:
    SGD, w = torch.optim.SGD, _parameter(torch)
    x = torch.ones(2, requires_grad=True)
    cases = [[], w, [3], ["a"], [x * 2], [w, w], [{"params": [w]}, {"params": [w]}],
             [{"lr": 3}], [{"params": {w}}], [w, 3], [("a", w), w], [torch.ones(2)]]  # fmt: skip
    seen = [attempt(lambda c=case: len(SGD(c, 0.1).param_groups)) for case in cases]
    y = x * 2
    y.retain_grad()
    optimizer = SGD([w], 0.1)
    return [*seen, attempt(lambda: len(SGD([y], 0.1).param_groups)),
            attempt(lambda: optimizer.add_param_group(3)),
            attempt(lambda: optimizer.add_param_group({"params": [w]})),
            attempt(lambda: optimizer.add_param_group({"params": _parameter(torch), "lr": 2})),
            [group["lr"] for group in optimizer.param_groups],
            attempt(lambda: torch.optim.Optimizer([w], {"lr": 1}).step())]  # fmt: skip


def bad_options(torch: Any) -> Any:
    w = _parameter(torch)
    two = torch.ones(2)
    cases = [
        ("SGD", {"lr": -1}), ("SGD", {"momentum": -1}), ("SGD", {"weight_decay": -1}),
        ("SGD", {"nesterov": True}), ("SGD", {"momentum": 1, "dampening": 1, "nesterov": True}),
        ("Adam", {"lr": -1}), ("Adam", {"eps": -1}), ("Adam", {"betas": (1.0, 0.9)}),
        ("Adam", {"betas": (0.9, 1.0)}), ("Adam", {"weight_decay": -1}), ("Adam", {"foo": 3}),
        ("Adam", {"foreach": True, "fused": True}), ("AdamW", {"lr": -1}), ("RMSprop", {"lr": -1}),
        ("RMSprop", {"eps": -1}), ("RMSprop", {"momentum": -1}), ("RMSprop", {"alpha": -1}),
        ("RMSprop", {"weight_decay": -1}), ("Adagrad", {"lr": -1}), ("Adagrad", {"lr_decay": -1}),
        ("Adagrad", {"weight_decay": -1}), ("Adagrad", {"initial_accumulator_value": -1}),
        ("Adagrad", {"eps": -1}),
        *[(name, {"lr": -1}) for name in OTHERS], *[(name, {"lr": two}) for name in OTHERS],
        *[(name, {"eps": -1.0}) for name in ("Adadelta", "Adamax", "NAdam", "RAdam")],
        *[(name, {"betas": (0.5, 1.0)}) for name in ("Adamax", "NAdam", "RAdam", "SparseAdam")],
        ("NAdam", {"momentum_decay": -1}), ("Adadelta", {"rho": 2.0}), ("ASGD", {"lambd": -1.0}),
        ("Rprop", {"etas": (2.0, 3.0)}), ("Adafactor", {"d": 0.5}),
        ("Adafactor", {"beta2_decay": 1}),
        ("Adafactor", {"eps": (-1.0, 1.0)}), ("Adafactor", {"eps": (None, -1.0)}),
        ("Adafactor", {"weight_decay": -1}), ("Muon", {"momentum": -1}), ("Muon", {}),
        ("Muon", {"adjust_lr_fn": "x"}), ("Muon", {"weight_decay": -1}),
        ("SparseAdam", {"lr": 0.0}), ("SparseAdam", {"eps": 0.0}), ("SGD", {"lr": two}),
        ("Adam", {"lr": two}), ("Adam", {"lr": two[0], "foreach": True}),
        ("Adam", {"betas": (two[0], 0.9)}), ("Adam", {"betas": (two[0] / 2, two[0] / 2)}),
        ("Adam", {"betas": (two[0] / 2, two[0] / 2), "foreach": True}),
        ("Adam", {"fused": True, "differentiable": True}),
    ]  # fmt: skip
    return [attempt(lambda c=case: getattr(torch.optim, c[0])([w], **c[1])) for case in cases]


def state(torch: Any) -> Any:
    w = _parameter(torch)
    several = [("SGD", {}), ("SGD", {"momentum": 0.9}), ("Adam", {}), ("Adam", {"amsgrad": True}),
               ("RMSprop", {}), ("RMSprop", {"centered": True, "momentum": 0.9}),
               ("Adagrad", {})]  # fmt: skip
    optimizers = [_stepped(torch, w, name, **options) for name, options in several]
    never = torch.optim.Adagrad([w])
    return [
        *(repr(o.state_dict()) for o in optimizers),
        repr(never.state_dict()["state"]),
        type(optimizers[2].state).__name__,
        next(iter(optimizers[2].state)) is w,
    ]


def loading(torch: Any) -> Any:
    w = _parameter(torch)
    first, second = _stepped(torch, w), torch.optim.Adam([w], lr=5)
    second.load_state_dict(first.state_dict())
    wide = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
    cast = torch.optim.Adam([wide])
    cast.load_state_dict(first.state_dict())
    other = _parameter(torch)
    return [repr(second.state_dict()), repr(cast.state[wide]),
            attempt(lambda: second.load_state_dict({})),
            attempt(lambda: second.load_state_dict(torch.optim.Adam([w, other]).state_dict())),
            attempt(lambda: second.load_state_dict(
                torch.optim.Adam([{"params": [w]}, {"params": [other]}]).state_dict()
            ))]  # fmt: skip


def resuming(torch: Any) -> Any:
    """Half the steps, saved and loaded, then the rest: the same as all steps at once."""

    def run(interrupted: bool) -> Any:
        w = torch.nn.Parameter(torch.ones(3, dtype=torch.float64))
        optimizer = torch.optim.Adam([w], lr=0.1)
        for i in range(6):
            if interrupted and i == 3:
                saved = copy.deepcopy(optimizer.state_dict())
                optimizer = torch.optim.Adam([w], lr=9.0)
                optimizer.load_state_dict(saved)
            w.grad = torch.tensor([1.0, -2.0, i], dtype=torch.float64)
            optimizer.step()
        return rounded(w, 9)

    return [run(False) == run(True), run(True)]


def clearing(torch: Any) -> Any:
    w = _parameter(torch)
    optimizer = torch.optim.SGD([w, _parameter(torch)], 0.1)
    w.grad = torch.ones(2)
    kept = w.grad
    optimizer.zero_grad(set_to_none=False)
    seen = [w.grad is kept, rounded(w.grad)]
    optimizer.zero_grad()
    return [*seen, w.grad is None]


def copies(torch: Any) -> Any:
    w = _parameter(torch)
    optimizer = _stepped(torch, w)
    seen = []
    for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        theirs = other.param_groups[0]["params"][0]
        theirs.grad = torch.ones(2)
        other.step()
        seen.append([theirs is w, next(iter(other.state)) is theirs, repr(other.state[theirs])])
    return [*seen, repr(optimizer.state[w]), type(optimizer).__name__]


def hooks(torch: Any) -> Any:
    w = _parameter(torch)
    optimizer = torch.optim.SGD([w], 0.1)

    def told(name: str, returned: Any = None) -> Any:
        def hook(*args: Any) -> Any:
            print(name, [type(arg).__name__ for arg in args])
            return returned

        return hook

    handles = [optimizer.register_step_pre_hook(told("before")),
               optimizer.register_step_post_hook(told("after"))]  # fmt: skip
    optimizer.step()
    optimizer.step(closure=lambda: 3.0)
    for handle in handles:
        handle.remove()
    optimizer.register_step_pre_hook(told("wrong", 3))
    optimizer.register_state_dict_pre_hook(told("save"))
    optimizer.register_state_dict_post_hook(told("saved"))
    optimizer.register_load_state_dict_pre_hook(told("load"))
    optimizer.register_load_state_dict_post_hook(told("loaded"))
    optimizer.load_state_dict(optimizer.state_dict())
    return attempt(optimizer.step).partition("must")[2]


def own_optimizer(torch: Any) -> Any:
    class Signs(torch.optim.Optimizer):  # type: ignore[misc,name-defined]
        def __init__(self, params: Any, lr: float = 0.5) -> None:
            super().__init__(params, {"lr": lr})

        @torch.no_grad()  # type: ignore[untyped-decorator]
        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for p in group["params"]:
                    p.add_(p.grad.sign(), alpha=-group["lr"])
                    self.state[p]["count"] = self.state[p].get("count", 0) + 1

    w = _parameter(torch)
    w.grad = torch.tensor([3.0, -2.0])
    optimizer = Signs([w])
    optimizer.register_step_post_hook(lambda *args: print("stepped"))
    optimizer.step()
    return [rounded(w), optimizer.state_dict(), repr(optimizer)]


def refused_steps(torch: Any) -> Any:
    """What is found out at the first step only."""

    def stepped(name: str, dtype: Any = None, **options: Any) -> Any:
        weight = torch.nn.Parameter(torch.ones(2, 2, dtype=dtype))
        weight.grad = torch.ones_like(weight)
        return attempt(getattr(torch.optim, name)([weight], **options).step)

    names = [name for name in (*OPTIONS, "SGD") if name not in ("SGD", "Adafactor", "Adagrad")]
    return [
        *[stepped(name, capturable=True) for name in names if name != "Adadelta"],
        stepped("SparseAdam"), stepped("Adafactor", torch.complex64),
        stepped("Muon", torch.complex64),
        attempt(lambda: torch.optim.SparseAdam([torch.ones(2, dtype=torch.complex64)])),
        stepped("Muon", ns_steps=100), stepped("Muon", ns_coefficients=(1.0, 2.0)),
        stepped("Adam", torch.complex64, fused=True)]  # fmt: skip
