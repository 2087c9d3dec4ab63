"""Writes that no version counter sees, and programs that only look as if they did."""

import pathlib
import sys

import pytest

from seegrad.explain.errors.hidden import HiddenWrites
from seegrad.explain.errors.lent import LentGradients
from seegrad.explain.functions.class_state import ClassState
from tests.explain.programs import findings, marked

DETECTIVES = (HiddenWrites, LentGradients, ClassState)

# kind, program; the line to be named is marked.
FAULTS = [
    (
        "hidden-write-data",
        """
        w = torch.ones(3, requires_grad=True)
        loss = (w * w).sum()
        w.data[0] = 5  # <-
        loss.backward()
        """,
    ),
    (
        "hidden-write-data",
        """
        w = torch.ones(3, requires_grad=True)
        loss = (w * w).sum()
        w.data = torch.zeros(3)  # <-
        loss.backward()
        """,
    ),
    (
        "hidden-write-data",
        """
        w = torch.ones(3, requires_grad=True)
        y = torch.sigmoid(w)
        torch.nn.functional.relu(y.data.sub_(1), inplace=True)  # <-
        y.sum().backward()
        """,
    ),
    (
        "hidden-write-numpy",
        """
        import numpy as np
        def fill(array):
            np.copyto(array, 2.0)  # <-
        buffer = np.ones(3)
        w = torch.ones(3, requires_grad=True, dtype=torch.float64)
        loss = (torch.from_numpy(buffer) * w).sum()
        fill(buffer)
        loss.backward()
        """,
    ),
    (
        "hidden-write-numpy",
        """
        w = torch.ones(3, requires_grad=True)
        y = w.exp()
        view = y.detach().numpy()
        def spoil():
            view.sort()
            view[0] = 7  # <-
        spoil()
        y.sum().backward()
        """,
    ),
    (
        "hidden-write-hook",
        """
        x = torch.ones(3, requires_grad=True)
        first, second = x * 2, x * 3
        second.register_hook(lambda grad: grad.mul_(2))  # <-
        ((first + second) ** 2).sum().backward()
        """,
    ),
    (
        "hidden-write-hook",
        """
        x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
        def halve(grad):
            grad[0] /= 2  # <-
        x.register_hook(halve)
        ((x + y) ** 2).sum().backward()
        """,
    ),
    (
        "hidden-write-backward",
        """
        class Half(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x / 2

            @staticmethod
            def backward(ctx, grad):
                grad *= 0.5  # <-
                return grad

        x = torch.ones(3, requires_grad=True)
        straight = x * 3
        ((straight + Half.apply(x)) ** 2).sum().backward()
        """,
    ),
    (
        "state-on-class",
        """
        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                Scale.factor = factor  # <-
                return x * factor

            @staticmethod
            def backward(ctx, grad):
                return grad * Scale.factor, None

        x = torch.ones(3, requires_grad=True)
        (Scale.apply(x, 2.0) + Scale.apply(x, 3.0)).sum().backward()
        """,
    ),
    (
        "state-on-class",
        """
        class Square(torch.autograd.Function):
            kept = {}

            @staticmethod
            def forward(ctx, x):
                Square.kept["x"] = x  # <-
                return x * x

            @staticmethod
            def backward(ctx, grad):
                return 2 * Square.kept["x"] * grad

        x = torch.full((3,), 2.0, requires_grad=True)
        Square.apply(Square.apply(x)).sum().backward()
        """,
    ),
    (
        "state-on-class",
        """
        class Rows(torch.autograd.Function):
            shape = None

            @classmethod
            def forward(cls, ctx, x):
                cls.shape = x.shape  # <-
                return x.reshape(6)

            @classmethod
            def backward(cls, ctx, grad):
                return grad.reshape(cls.shape)

        x = torch.ones(2, 3, requires_grad=True)
        rows, _ = Rows.apply(x), Rows.apply(x[None])
        rows.sum().backward()
        """,
    ),
    (
        "function-global-state",
        """
        last = {}

        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, by):
                last["by"] = by  # <-
                return x * by

            @staticmethod
            def backward(ctx, grad):
                return grad * last["by"], None

        x = torch.ones(3, requires_grad=True)
        (Scale.apply(x, 2.0) + Scale.apply(x, 3.0)).sum().backward()
        """,
    ),
]

HEALTHY = {
    "writes through .data before the forward and after the backward": """
        w = torch.nn.Parameter(torch.ones(3))
        w.data.normal_()
        for _ in range(3):
            loss = (w * w).sum()
            w.grad = None
            loss.backward()
            w.grad.data.clamp_(-1, 1)
            w.data -= 0.1 * w.grad
            w.data = w.data.clamp(-2, 2)
        """,
    "another row of a buffer is written": """
        w = torch.ones(3, requires_grad=True)
        rows = torch.ones(2, 3)
        first = (w * rows[0]).sum()
        rows.data[1] = 2
        first.backward()
        """,
    "rows of NumPy's are filled after others were used": """
        import numpy as np
        rows = np.ones((3, 2))
        w = torch.ones(2, requires_grad=True, dtype=torch.float64)
        loss = 0
        for number in range(3):
            rows[number] = number
            loss = loss + (torch.from_numpy(rows)[number] * w).sum()
        loss.backward()
        """,
    "a buffer of NumPy's is filled again after the backward": """
        import numpy as np
        buffer = np.zeros(3)
        batch = torch.from_numpy(buffer)
        w = torch.ones(3, requires_grad=True, dtype=torch.float64)
        for step in range(3):
            buffer[:] = step
            loss = (batch * w).sum()
            loss.backward()
        """,
    "NumPy reads, and writes into a copy": """
        w = torch.ones(3, requires_grad=True)
        y = w.exp()
        seen = y.detach().numpy()
        largest, copied = seen.max(), seen.copy()
        copied -= largest
        y.sum().backward()
        """,
    "hooks write where nobody shares, or return new tensors": """
        layer = torch.nn.Linear(3, 2)
        for parameter in layer.parameters():
            parameter.register_hook(lambda grad: grad.clamp_(-0.1, 0.1))
        hidden = torch.relu(layer(torch.ones(4, 3)))
        hidden.register_hook(lambda grad: grad * 2)
        (hidden + hidden.exp()).sum().backward()
        """,
    "counters, constants and keyed state on a class": """
        class Double(torch.autograd.Function):
            calls, factor, kept, shape = 0, 2.0, {}, None

            @staticmethod
            def forward(ctx, x, key):
                Double.calls += 1
                Double.factor = 2.0
                Double.kept[key] = x
                ctx.key = key
                Double.shape = ctx.shape = x.shape
                return x * Double.factor

            @staticmethod
            def backward(ctx, grad):
                assert Double.calls
                assert Double.kept[ctx.key] is not None
                return (grad * Double.factor).reshape(ctx.shape), None

        x = torch.ones(3, requires_grad=True)
        Double.apply(Double.apply(x, 0)[:2], 1).sum().backward()
        """,
}


@pytest.mark.parametrize(
    ("kind", "text"), FAULTS, ids=[f"{kind}-{n}" for n, (kind, _) in enumerate(FAULTS)]
)
def test_the_line_that_writes_is_named(tmp_path: pathlib.Path, kind: str, text: str) -> None:
    found = findings(tmp_path, text, *DETECTIVES)
    assert {(one.kind, one.weight) for one in found} == {(kind, 2)}
    assert any(map(marked, found)), found


@pytest.mark.parametrize("name", HEALTHY)
def test_nothing_is_said_of_what_is_right(tmp_path: pathlib.Path, name: str) -> None:
    assert findings(tmp_path, HEALTHY[name], *DETECTIVES) == []


def test_nobody_traces_afterwards(tmp_path: pathlib.Path) -> None:
    before = sys.gettrace()
    findings(tmp_path, FAULTS[3][1], *DETECTIVES)
    assert sys.gettrace() is before
