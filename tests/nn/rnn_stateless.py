"""Modules called with other parameters: torch.func.functional_call, stack_module_state."""

from typing import Any

from tests.observe import attempt, rounded

_CALLS = """
F(n,{},(x,))
F(n,P,(x,))
F(n,{'a.weight':W},x)
F(n,{'a.weight':W},(x,2.))
F(n,{'a.weight':W},(x,),{'k':3.,'extra':1})
F(n,{'a.weight':W},(x,),{'bad':1})
F(n,{'b.weight':W},(x,))
F(n,{'b.weight':W},(x,),tie_weights=False)
F(n,{'a.weight':W,'b.weight':W*2},(x,))
F(n,{'a.weight':W,'b.weight':W},(x,))
F(n,{'a.weight':W,'b.weight':W*2},(x,),tie_weights=False)
F(n,{'c':W},(x,))
F(n,{'a.c':W},(x,))
F(n,{'z.c':W},(x,))
F(n,{'a':W},(x,))
F(n,{'none':W},(x,))
F(n,{'':W},(x,))
F(n,{'a.weight':W},(x,),strict=True)
F(n,{'a.weight':W,'q':W},(x,),strict=True)
F(n,{**P,**dict(n.named_buffers())},(x,),strict=True)
F(n,{**P,'b.weight':W},(x,),strict=True)
F(n,({'a.weight':W},{'buf':torch.ones(2)*5}),(x,))
F(n,({'a.weight':W},{'a.weight':W}),(x,))
F(n,({'a.weight':W},W),(x,))
F(n,W,(x,))
F(n,{'a.weight':2.},(x,))
F(n,{'empty':W},(x,))
F(n,{'a.weight':W},None)
S(n,{'a.weight':W},(x,))
S(n,{'a.weight':W},x,{'k':2.},tie_weights=False)
n.buf
list(n.state_dict())
[n.a.weight is P['a.weight'], n.b.weight is P['a.weight'], hasattr(n,'c'), n.none]
"""


def _net(torch: Any) -> Any:
    class Net(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
            self.b.weight = self.a.weight
            self.register_buffer("buf", torch.zeros(2))
            self.register_buffer("rest", torch.ones(2), persistent=False)
            self.none = None
            self.register_parameter("empty", None)

        def forward(self, x: Any, k: float = 1.0, *, extra: float = 0) -> Any:
            self.buf.add_(1)
            return self.b(self.a(x)) * k + self.buf + extra + self.rest

    return Net()


def calls(torch: Any) -> Any:
    net = _net(torch).double()
    names = {"n": net, "torch": torch, "P": dict(net.named_parameters())}
    names |= {"F": torch.func.functional_call, "S": torch.nn.utils.stateless.functional_call}
    names |= {"x": torch.ones(1, 2).double(), "W": torch.full((2, 2), 2.0).double()}
    return {e: attempt(lambda e=e: eval(e, names)) for e in _CALLS.strip().splitlines()}


def gradients(torch: Any) -> Any:
    """They go to the tensors that were given, and to the parameters that were not replaced."""
    net, w = _net(torch), torch.full((2, 2), 2.0, requires_grad=True)
    torch.func.functional_call(net, {"a.weight": w}, (torch.ones(1, 2),)).sum().backward()
    lstm = torch.nn.LSTM(2, 2).double()
    given = {"weight_ih_l0": torch.zeros(8, 2).double().requires_grad_()}
    output = torch.func.functional_call(lstm, given, (torch.ones(3, 1, 2).double(),))[0]
    output.sum().backward()
    return [rounded(w.grad, 4), net.a.weight.grad, rounded(net.a.bias.grad, 4),
            rounded(output, 4), rounded(given["weight_ih_l0"].grad, 4),
            lstm.weight_ih_l0.grad]  # fmt: skip


def own_tensors_come_back(torch: Any) -> Any:
    nn = torch.nn

    class Odd(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.w = nn.Parameter(torch.ones(1))
            self.register_buffer("c", torch.zeros(1))

        def forward(self, fail: bool) -> Any:
            self.c = self.c + 1
            if fail:
                raise ValueError("of the module")
            self.w = nn.Parameter(torch.ones(1) * 7)
            return self.w + self.c

    odd, given = Odd(), {"c": torch.full((1,), 5.0), "w": torch.zeros(1)}
    w, c = odd.w, odd.c
    seen = [attempt(lambda: torch.func.functional_call(odd, given, (fail,)))
            for fail in (True, False)]  # fmt: skip
    return [seen, odd.w is w, odd.c is c, rounded(given["c"]), rounded(given["w"])]


def stacked(torch: Any) -> Any:
    nn, stack = torch.nn, torch.func.stack_module_state
    norms = stack([nn.BatchNorm1d(2) for _ in range(3)])
    shapes = [{name: [list(one.shape), one.requires_grad, one.is_leaf, str(one.dtype)]
               for name, one in part.items()} for part in norms]  # fmt: skip
    frozen = [nn.Linear(2, 2).requires_grad_(False) for _ in range(2)]
    seen = [shapes, stack(frozen)[0]["weight"].requires_grad]
    frozen[0].weight.requires_grad_(True)
    wrong = [frozen, [], [nn.Linear(2, 2), nn.ReLU()], [nn.Linear(2, 2), nn.Linear(2, 2).eval()],
             [nn.Linear(2, 2), nn.Linear(3, 2)]]  # fmt: skip
    return [*seen, [attempt(lambda one=one: stack(one)) for one in wrong]]
