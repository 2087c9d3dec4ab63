"""Graphs to draw: each case returns DOT texts in which ids are numbered in order of appearance."""

import re
from typing import Any

from tests.documents.pictures import make_dot
from tests.observe import attempt

_ID = re.compile(r"\b\d{9,}\b")


def drawn(torch: Any, *arguments: Any, **options: Any) -> list[str]:
    """The lines of the picture's text."""
    numbers: dict[str, str] = {}
    text = make_dot(torch, *arguments, **options).source
    text = _ID.sub(lambda match: numbers.setdefault(match.group(), f"n{len(numbers)}"), text)
    return [line.strip() for line in text.splitlines()]


def _square(torch: Any) -> Any:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2 * ctx.saved_tensors[0]

    return Square.apply


def product(torch: Any) -> list[Any]:
    x, w = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    y = (x * w).sum()
    names = {"x": x, "w": w}
    return [
        drawn(torch, y),
        drawn(torch, y, params=names),
        drawn(torch, y, names, show_attrs=True),
        drawn(torch, y, names, show_saved=True),
        drawn(torch, y, names, show_attrs=True, show_saved=True),
        drawn(torch, (y, x), {"x": x, "y": y}),
        drawn(torch, (x, y), {"x": x, "y": y}),
        drawn(torch, (y, y)),
    ]


def leaves(torch: Any) -> list[Any]:
    x = torch.ones(2, 3, requires_grad=True)
    return [drawn(torch, x), drawn(torch, x.detach()), drawn(torch, (x * 2, x.detach()))]


def saved_results(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    return [
        drawn(torch, x.sigmoid().exp(), show_saved=True, show_attrs=True),
        drawn(torch, y * y * y, {"y": y}, show_saved=True, show_attrs=True),
        drawn(torch, (y * y, y), show_saved=True),
        drawn(torch, x.softmax(0).sum(0), show_attrs=True, show_saved=True, max_attr_chars=8),
    ]


def views(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    return [
        drawn(torch, x.view(2, 1) * 2, {"x": x}),
        drawn(torch, y.view(-1)),
        drawn(torch, (y, y.view(1, 2), y.view(2, 1).view(2))),
        drawn(torch, torch.ones(4).view(2, 2)),
        drawn(torch, x.split(1)[1]),
    ]


def in_place(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    base = torch.ones(3)
    base[1:].mul_(x)
    return [drawn(torch, (base[:2], base)), drawn(torch, base)]


def custom_functions(torch: Any) -> list[Any]:
    square = _square(torch)
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    out = square(y)
    (grad_x,) = torch.autograd.grad(out.sum(), y, create_graph=True)
    return [
        drawn(torch, square(x) + square(x), {"x": x}),
        drawn(torch, (out, y)),
        drawn(torch, (grad_x, y, out), {"grad_x": grad_x, "y": y, "out": out}),
        drawn(torch, (grad_x, y, out), {"grad_x": grad_x}, show_attrs=True, show_saved=True),
    ]


def module(torch: Any) -> list[Any]:
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    loss = net(torch.ones(1, 2)).mean()
    return [drawn(torch, loss, params=dict(net.named_parameters()))]


def cut_values(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    wide = x.view(2, 1).expand(2, 1000).sum()
    return [drawn(torch, wide, show_attrs=True, max_attr_chars=n) for n in (0, 3, 4, 5, 6, 7, 50)]


def sizes(torch: Any) -> list[str]:
    heads = []
    for count in (1, 26, 40, 200):
        x = torch.ones(2, requires_grad=True)
        for _ in range(count):
            x = x + 1
        heads.append(drawn(torch, x)[1])
    return heads


def mistakes(torch: Any) -> list[str]:
    x = torch.ones(2, requires_grad=True)
    return [attempt(lambda: make_dot(torch, x * 2, params={"x": 3})).partition(":")[0]]
