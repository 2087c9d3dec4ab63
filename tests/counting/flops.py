"""FlopCounterMode: products forward and backward, by operator and by module."""

import importlib
from typing import Any


def _count(torch: Any, run: Any) -> Any:
    counter = importlib.import_module(f"{torch.__name__}.utils.flop_counter")
    with counter.FlopCounterMode(display=False) as mode:
        run()
    found = mode.get_flop_counts().get("Global", {})
    counts = {str(name): flops for name, flops in found.items()}
    return [mode.get_total_flops(), counts]


def products(torch: Any) -> Any:
    a, b = torch.ones(4, 5, requires_grad=True), torch.ones(5, 6, requires_grad=True)
    t, u = torch.ones(2, 4, 5, requires_grad=True), torch.ones(2, 5, 6, requires_grad=True)
    bias, v = torch.ones(6, requires_grad=True), torch.ones(5)
    runs: list[Any] = [
        lambda: a @ b, lambda: (a @ b).sum().backward(), lambda: (a @ b.detach()).sum().backward(),
        lambda: torch.mm(a, b), lambda: a.mm(b), lambda: torch.bmm(t, u),
        lambda: (t @ u).sum().backward(), lambda: torch.addmm(bias, a, b),
        lambda: torch.addmm(bias, a, b).sum().backward(), lambda: torch.baddbmm(bias, t, u),
        lambda: torch.baddbmm(bias, t, u).sum().backward(), lambda: t @ b, lambda: a @ v,
        lambda: v @ v, lambda: a + a, lambda: torch.einsum("bij,bjk->bik", t, u),
        lambda: torch.nn.functional.linear(t, b.T), lambda: a.double() @ b.double(),
        lambda: a.bfloat16() @ b.bfloat16(),
        lambda: (a.bfloat16() @ b.bfloat16()).sum().backward(),
        lambda: torch.ones(2, 3, dtype=int) @ torch.ones(3, 2, dtype=int),
        lambda: torch.no_grad()(lambda: a @ b)(),
        lambda: torch.linalg.matrix_power(torch.eye(3), 3),
        lambda: torch.nn.GRU(4, 5)(torch.ones(3, 2, 4)),
        lambda: torch.autograd.grad((a @ b).sum(), [a, b], create_graph=True),
    ]  # fmt: skip
    return [_count(torch, run) for run in runs]


def convolutions(torch: Any) -> Any:
    F, x = torch.nn.functional, torch.ones(2, 4, 8, 8, requires_grad=True)

    def weight(*sizes: int) -> Any:
        return torch.ones(*sizes, requires_grad=True)

    forwards: list[Any] = [
        lambda: F.conv2d(x, weight(8, 4, 3, 3), weight(8), padding=1, stride=2),
        lambda: F.conv2d(x, weight(8, 2, 3, 3), groups=2),
        lambda: F.conv2d(x, weight(8, 4, 3, 3), dilation=2, padding=(2, 1)),
        lambda: F.conv2d(x.detach(), weight(8, 4, 3, 3)),
        lambda: F.conv_transpose2d(x, weight(4, 8, 3, 3), stride=2),
        lambda: F.conv_transpose2d(x, weight(4, 8, 3, 3), groups=2),
        lambda: F.conv1d(torch.ones(2, 4, 9), weight(8, 4, 3)),
        lambda: F.conv3d(torch.ones(1, 2, 4, 4, 4), weight(3, 2, 2, 2, 2)),
        lambda: F.conv2d(x[0], weight(8, 4, 3, 3), padding="same"),
    ]
    return [[_count(torch, run), _count(torch, lambda r=run: r().sum().backward())]
            for run in forwards]  # fmt: skip


def modules(torch: Any) -> Any:
    counter = importlib.import_module(f"{torch.__name__}.utils.flop_counter")

    class Net(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Linear(4, 5)
            self.rest = torch.nn.Sequential(torch.nn.Linear(5, 6), torch.nn.Linear(6, 2))

        def forward(self, x: Any) -> Any:
            return self.rest(self.first(x)) @ torch.ones(2, 2)

    net, mode = Net(), counter.FlopCounterMode(display=False)
    seen = []
    for _ in range(2):  # counted anew
        with mode:
            y = net(torch.ones(3, 4))
            y.sum().backward()
        counts = mode.get_flop_counts().items()
        seen.append({name: {str(o): n for o, n in each.items()} for name, each in counts})
    return seen
