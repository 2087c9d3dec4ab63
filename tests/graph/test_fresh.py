"""User code that writes to a gradient changes that gradient, and nothing that shares its memory.

What is right is said by the same hook written without in-place: it returns a changed copy.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import Function

pytestmark = pytest.mark.filterwarnings("ignore:Using backward")

# Graphs that hand the same memory, or parts of it, to several branches.
SHAPES: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "add itself": lambda a, b: a + a + b + b,
    "subtract": lambda a, b: b - a,
    "view": lambda a, b: a.view(4) + b.view(4),
    "transpose": lambda a, b: a.t() + b.t(),
    "expand": lambda a, b: a.expand(3, 2, 2).sum(0) + b,
    "cat": lambda a, b: torch.cat([a, b]),
    "stack": lambda a, b: torch.stack([a, b]),
    "split": lambda a, b: torch.cat([*a.split(1), *b.split(1)]),
    "unbind": lambda a, b: a.unbind()[0] + b.unbind()[1],
    "sum": lambda a, b: a.sum() + b.sum(),
    "sum of rows": lambda a, b: a.sum(0) + b.sum(0, keepdim=True),
    "select": lambda a, b: a[0] + b[0],
    "index": lambda a, b: a[:, 1] + b[1],
    "clone": lambda a, b: a.clone() + b.clone(),
    "copy": lambda a, b: torch.zeros(2, 2).copy_(a).add_(b),
    "unsqueeze": lambda a, b: (a.unsqueeze(0) + b.unsqueeze(0)).squeeze(0),
    "flip": lambda a, b: a.flip(0) + b.flip(1),
    "diagonal": lambda a, b: a.diagonal() + b.diagonal(),
    "broadcast": lambda a, b: a + b[0],
    "write into a view": lambda a, b: (a * 1).index_add(0, torch.tensor([0, 1]), b),
}


def put(target: Any, index: Any, value: float) -> None:
    target[index] = value


def row(grad: Any) -> Any:
    return 0 if grad.dim() else ()


# Ways to write: to the gradient itself, through views, aliases and arrays.
WRITES: dict[str, Callable[[Any], Any]] = {
    "mul_": lambda g: g.mul_(100),
    "zero_": lambda g: g.zero_(),
    "a row": lambda g: put(g, row(g), 7.0),
    "all": lambda g: put(g, ..., 7.0),
    "through a view": lambda g: g[row(g)].mul_(5),
    "through two views": lambda g: g.unsqueeze(0)[0][...].fill_(3),
    "transposed": lambda g: (g.mT if g.dim() > 1 else g).mul_(5),
    "detached": lambda g: g.detach().mul_(3),
    "data": lambda g: g.data.add_(1),
    "numpy": lambda g: put(g.numpy(), ..., 3.0),
    "asarray": lambda g: put(np.asarray(g)[row(g)], ..., 4.0),
    "dlpack": lambda g: put(np.from_dlpack(g), ..., 5.0),
    "out": lambda g: torch.add(g, 1, out=g),
    "copy_": lambda g: g.copy_(torch.zeros(g.shape)),
    "set_": lambda g: g.set_(g * 2),
    "new data": lambda g: setattr(g, "data", g.data * 2),
}


def hang(how: str, leaf: Any, change: Callable[[Any], Any]) -> Any:
    """A tensor computed from `leaf` on whose way back `change(grad)` is called."""
    if how == "custom backward":

        class Changing(Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x.clone()

            @staticmethod
            def backward(ctx: Any, grad: Any) -> Any:
                return change(grad)

        return Changing.apply(leaf)
    if how == "leaf hook":
        leaf.register_hook(change)
        return leaf
    made = leaf * 1
    if how == "tensor hook":
        made.register_hook(change)
    elif how == "prehook":
        made.grad_fn.register_prehook(lambda grads: (change(grads[0]),))
    elif how == "posthook":
        made.grad_fn.register_hook(lambda outs, grads: (change(outs[0]), *outs[1:]))
    return made


def gradients(shape: Any, how: str, change: Callable[[Any], Any], create_graph: bool) -> list[Any]:
    """The gradients of both leaves, then the one that the caller gave."""
    a, b = (torch.arange(4.0).view(2, 2) + n for n in (0, 1))
    a.requires_grad_(), b.requires_grad_()
    out = shape(hang(how, a, change), b * 1)
    given = torch.full(out.shape, 2.0)
    out.backward(given, create_graph=create_graph)
    found = [a.grad.tolist(), b.grad.tolist(), given.tolist()]
    a.grad = b.grad = None
    return found


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize(
    "how", ["tensor hook", "prehook", "posthook", "leaf hook", "custom backward"]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_write_changes_one_gradient(shape: str, how: str, create_graph: bool) -> None:
    for name, write in WRITES.items():

        def in_place(grad: Any, write: Any = write) -> Any:
            with torch.no_grad():
                write(grad)
            return grad

        def on_a_copy(grad: Any, write: Any = write) -> Any:
            copy = torch.tensor(grad.tolist())
            write(copy)
            return copy

        expected = gradients(SHAPES[shape], how, on_a_copy, create_graph)
        try:
            found = gradients(SHAPES[shape], how, in_place, create_graph)
        except (
            RuntimeError
        ) as error:  # an expanded gradient is not to be written to, as in PyTorch
            assert "refers to a single memory location" in str(error)
            assert shape in ("sum", "sum of rows", "expand")
            continue
        assert found == expected, name


def test_views_of_a_lent_gradient_stay_its_views() -> None:
    def look(grad: Any) -> None:
        first, whole = grad[0], grad.detach()
        grad.mul_(3)
        assert first.tolist() == [3.0, 3.0]
        first.zero_()
        assert grad.tolist() == whole.tolist() == [[0.0, 0.0], [3.0, 3.0]]

    x, given = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2)
    x.register_hook(look)
    x.backward(given)
    assert x.grad.tolist() == [[0.0, 0.0], [3.0, 3.0]]
    assert given.tolist() == [[1.0, 1.0], [1.0, 1.0]]


LAYOUTS: dict[str, Callable[[], Any]] = {
    "contiguous": lambda: torch.arange(24.0).view(4, 6),
    "transposed": lambda: torch.arange(24.0).view(6, 4).t(),
    "every second": lambda: torch.arange(48.0).view(4, 12)[:, ::2],
    "within": lambda: torch.arange(80.0).view(8, 10)[2:6, 1:7],
    "expanded": lambda: torch.arange(6.0).expand(4, 6),
    "no elements": lambda: torch.zeros(4, 0),
    "double": lambda: torch.arange(24.0, dtype=torch.float64).view(4, 6),
}

VIEWS: list[Callable[[Any, Any], Any]] = [
    lambda t, n: t[n % t.shape[0]] if t.dim() and t.shape[0] else t,
    lambda t, n: t[n % 3 :] if t.dim() else t,
    lambda t, n: t[..., :: 1 + n % 2] if t.dim() else t,
    lambda t, n: t.mT if t.dim() > 1 else t[None],
    lambda t, n: t.unsqueeze(0),
    lambda t, n: t.detach(),
    lambda t, n: t.data,
    lambda t, n: t.flatten(),
]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_and_writes_as_on_a_tensor_of_its_own(layout: str, seed: int) -> None:
    chance, given = random.Random(seed), LAYOUTS[layout]()
    before = given.tolist()
    x = torch.zeros(given.shape, dtype=given.dtype, requires_grad=True)
    (lent,) = torch.autograd.grad(x, x, given)
    if layout == "expanded":
        lent.detach()  # the first view copies it; before that, a write is refused
    pairs = [(lent, given.clone().contiguous())]
    for _ in range(15):
        ours, plain = chance.choice(pairs)
        number = chance.randrange(9)
        if chance.random() < 0.6:
            view = chance.choice(VIEWS)
            if view is not VIEWS[-1] or (ours.is_contiguous() and plain.is_contiguous()):
                pairs.append((view(ours, number), view(plain, number)))
        else:
            ours.mul_(number), plain.mul_(number)
        assert [t.tolist() for t, _ in pairs] == [t.tolist() for _, t in pairs]
    assert given.tolist() == before


def test_returned_gradients_are_apart() -> None:
    x, given = torch.ones(2, requires_grad=True), torch.ones(2)
    y = x + 0
    for create_graph in (False, True):
        found = torch.autograd.grad(
            y, [x, y, x], given, create_graph=create_graph, retain_graph=True
        )
        found[0][0] = 5
        found[1].detach().mul_(7)
        assert [g.tolist() for g in (*found, given)] == [[5, 1], [7, 7], [1, 1], [1, 1]]


def test_returned_gradient_as_grad_of_a_leaf() -> None:
    x, given = torch.ones(2, requires_grad=True), torch.ones(2)
    (x.grad,) = torch.autograd.grad(x + 0, x, given)
    (x * 5).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]
    assert given.tolist() == [1.0, 1.0]


def test_parameter_of_a_lent_gradient_is_its_own() -> None:
    x, given = torch.ones(2, requires_grad=True), torch.ones(2)
    (grad,) = torch.autograd.grad(x + 0, x, given)
    w = torch.nn.Parameter(grad)
    w.sum().backward()
    torch.optim.SGD([w], lr=1.0).step()
    assert w.tolist() == [0.0, 0.0]
    assert given.tolist() == [1.0, 1.0]


def test_reading_copies_nothing() -> None:
    given = torch.ones(2, 2)
    seen: list[bool] = []
    x = torch.ones(2, 2, requires_grad=True)
    x.register_hook(lambda grad: seen.append(grad.t().data_ptr() == given.data_ptr()))
    x.register_hook(lambda grad: seen.append(grad[0].detach().data_ptr() == given.data_ptr()))
    x.backward(given)
    assert seen == [True, True]


def test_hook_changes_the_mode_for_itself() -> None:
    x = torch.ones(1, requires_grad=True)
    modes: list[bool] = []
    x.register_hook(lambda _: modes.append(torch.is_grad_enabled()))
    y = x * 2
    y.register_hook(lambda _: torch.set_grad_enabled(True) and None)
    y.backward(retain_graph=True)
    z = x * 2
    z.register_hook(lambda _: torch.set_grad_enabled(False) and None)
    torch.autograd.grad(z, x, create_graph=True)
    assert modes == [False, True]
    assert torch.is_grad_enabled()
