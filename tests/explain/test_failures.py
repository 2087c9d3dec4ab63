"""Errors of the graph: their notes, and the lines that explain them."""

import pathlib
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain
from seegrad.explain.errors.detective import Errors
from tests.explain.programs import findings, marked

# kind, program; the line to be named is marked.
FAULTS = [
    (
        "wrote-saved-value",
        """
        def double(t):
            t.mul_(2)  # <-
            return t

        x = torch.ones(3, requires_grad=True)
        y = x.exp()
        z = double(y).sum()
        z.backward()
        """,
    ),
    (
        "wrote-saved-value",
        """
        w = torch.nn.Parameter(torch.ones(3))
        optimizer = torch.optim.SGD([w], lr=0.1)
        first, second = (w * w).sum(), (w ** 3).sum()
        first.backward()
        optimizer.step()  # <-
        second.backward()
        """,
    ),
    (
        "wrote-saved-value",
        """
        w = torch.ones(3, requires_grad=True)
        h = torch.sigmoid(w)
        torch.nn.functional.relu(h, inplace=True)  # <-
        h.sum().backward()
        """,
    ),
    (
        "wrote-saved-value",
        """
        w = torch.ones(3, requires_grad=True)
        buffer = torch.zeros(3)
        y = w * buffer
        torch.add(buffer, 1, out=buffer)  # <-
        y.sum().backward()
        """,
    ),
    (
        "freed-graph",
        """
        x = torch.ones(3, requires_grad=True)
        h = (x * x).exp()
        first, second = h.sum(), h.mean()
        g = torch.autograd.grad(first, x)  # <-
        second.backward()
        """,
    ),
    (
        "freed-graph",
        """
        w = torch.ones(3, requires_grad=True)
        shared = (w ** 2).sum()  # <-
        for _ in range(3):
            loss = (w * 3).exp().sum() + shared
            loss.backward()
        """,
    ),
    (
        "freed-graph",
        """
        w = torch.ones(3, requires_grad=True)
        def forward(h):
            return torch.tanh(h * w)
        h = torch.ones(3)
        for _ in range(3):
            h = forward(h)  # <-
            h.sum().backward()
        """,
    ),
    (
        "leaf-in-place",
        """
        w = torch.ones(3, requires_grad=True)
        w += 1  # <-
        """,
    ),
    (
        "unused-input",
        """
        points = torch.rand(4, 2, requires_grad=True)
        x = points[:, 0]  # <-
        y = (points ** 2).sum()
        torch.autograd.grad(y, x)
        """,
    ),
    (
        "unused-input",
        """
        x, w = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
        h = (x * 2).detach()  # <-
        torch.autograd.grad((h * w).sum(), [w, x])
        """,
    ),
    (
        "unused-input",
        """
        a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
        loss = (a * 2).sum()
        torch.autograd.grad(loss, [a, b])  # <-
        """,
    ),
    (
        "non-scalar-backward",
        """
        w = torch.ones(3, requires_grad=True)
        (w * 2).backward()  # <-
        """,
    ),
]


@pytest.mark.parametrize(
    ("kind", "text"), FAULTS, ids=[f"{k}-{n}" for n, (k, _) in enumerate(FAULTS)]
)
def test_errors_name_the_line_behind_them(tmp_path: pathlib.Path, kind: str, text: str) -> None:
    (found,) = findings(tmp_path, text, Errors, fails=True)
    assert (found.kind, found.weight) == (kind, 3)
    assert marked(found), found


CAUGHT = """
w = torch.ones(3, requires_grad=True)
try:
    w.zero_()  # <-
except RuntimeError{}:
    text = "an error"
assert {}
"""


def test_an_error_that_the_program_prints_before_it_fails_is_explained(
    tmp_path: pathlib.Path,
) -> None:
    (found,) = findings(tmp_path, CAUGHT.format(" as error", "False"), Errors, fails=True)
    assert (found.kind, found.weight, marked(found)) == ("leaf-in-place", 2, True)


@pytest.mark.parametrize(("name", "end"), [(" as error", "True"), ("", "False")])
def test_an_error_that_the_program_expects_is_not(
    tmp_path: pathlib.Path, name: str, end: str
) -> None:
    fails = end == "False"
    assert findings(tmp_path, CAUGHT.format(name, end), Errors, fails=fails) == []


def test_a_write_under_no_grad_leaves_the_line_of_who_saved(tmp_path: pathlib.Path) -> None:
    text = """
    x = torch.ones(3, requires_grad=True)
    y = torch.tanh(x)
    with torch.no_grad():
        y += 1  # <-
    y.sum().backward()
    """
    (found,) = findings(tmp_path, text, Errors, fails=True)
    assert marked(found)
    assert "`y = torch.tanh(x)`" in found.evidence[0]


def note(run: Any) -> str:
    """The note of the error that a function raises."""
    with pytest.raises(RuntimeError) as caught:
        run()
    (found,) = caught.value.__notes__
    return str(found)


def test_notes_say_what_the_graph_knows() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    y = x.exp()
    y.mul_(2)
    y.mul_(2)
    text = note(y.sum().backward)
    assert text.startswith("ExpBackward0 had saved it as `result`")
    assert "written to in place 2 times" in text
    factor = torch.ones(2, 3)
    product = x * factor
    factor.add_(1)
    text = note(product.sum().backward)
    assert text.startswith("MulBackward0 had saved it as `other`")
    assert "in place once" in text
    loss = x.sin().sum()
    loss.backward()
    assert note(loss.backward).startswith("SinBackward0 was run by an earlier backward")
    assert "the shape [2, 3]" in note(lambda: x.add_(1))
    assert "the shape [2, 3]" in note(x.sin().backward)
    inputs = [x, x * 2]
    text = note(lambda: torch.autograd.grad(x.sin().sum(), inputs))
    assert text.startswith("Input 1 is the result of MulBackward0 of the shape [2, 3]")


def test_notes_of_a_custom_function() -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            x, y = ctx.saved_tensors
            return y * grad, x * grad

    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    out = Square.apply(x, y)
    y.add_(1)
    assert note(out.sum().backward).startswith("SquareBackward had saved it as `saved_tensors[1]`")


def test_under_watch_the_error_names_the_line_that_wrote() -> None:
    with explain.watch(), pytest.raises(RuntimeError) as caught:
        x = torch.ones(3, requires_grad=True)
        y = x.exp()
        y.mul_(2)  # the writer
        y.sum().backward()
    text = caught.value.__notes__[-1]
    assert text.startswith("test_failures.py:")
    assert "| y.mul_(2)  # the writer" in text
    assert "`y = x.exp()`" in text


def test_under_watch_the_error_names_the_tensor() -> None:
    with explain.watch(), pytest.raises(RuntimeError) as caught:
        weight = torch.ones(3, requires_grad=True)
        weight.add_(1)
    assert "weight is a leaf that requires a gradient" in caught.value.__notes__[-1]


def test_a_module_that_writes_inside_of_another_is_named_where_it_is_made(
    tmp_path: pathlib.Path,
) -> None:
    text = """
    net = torch.nn.Sequential(
        torch.nn.Sigmoid(),
        torch.nn.ReLU(inplace=True),  # <-
    )
    net(torch.ones(3, requires_grad=True)).sum().backward()
    """
    (found,) = findings(tmp_path, text, Errors, fails=True)
    assert marked(found), found


KEPT = """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.table = self.weight.exp(){}
        self.state = torch.ones(3)

    def forward(self):
        self.state = torch.tanh(self.weight * self.state){}
        return self.{}.sum()

net = Net()
for _ in range(2):
    net().backward()
"""


@pytest.mark.parametrize("kept", ["table", "state"])
def test_what_an_object_keeps_is_named(tmp_path: pathlib.Path, kept: str) -> None:
    marks = ["  # <-" if kept == name else "" for name in ("table", "state")]
    (found,) = findings(tmp_path, KEPT.format(*marks, kept), Errors, fails=True)
    assert marked(found), found
    assert found.says.startswith(f"net.{kept} ")
