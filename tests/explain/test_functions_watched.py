"""What is found in programs that apply custom Functions, and what is not."""

import pathlib

import pytest

from seegrad.explain.functions.detective import FunctionDetective
from seegrad.explain.functions.gradcheck import GradcheckDetective
from tests.explain.programs import findings, marked

KINDS = (GradcheckDetective, FunctionDetective)

SIN = """
    class Sin(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            {forward}
            return x.sin()

        @staticmethod
        def backward(ctx, grad):
            {backward}

    x = torch.tensor([0.5, 1.5], requires_grad=True)
"""

KEPT = SIN.format(forward="ctx.x = x  # <-", backward="return grad * ctx.x.cos()")
SLOPE = SIN.format(
    forward="ctx.save_for_backward(x.cos())  # <-",
    backward="return grad * ctx.saved_tensors[0]",
)
CYCLE = SIN.format(
    forward="ctx.out = out = x.exp()  # <-\n            return out",
    backward="return grad * ctx.out",
)
WRONG = SIN.format(
    forward="ctx.save_for_backward(x)",
    backward="return grad * ctx.saved_tensors[0].sin()  # <-",
)
SHAPE = SIN.format(
    forward="ctx.x = x; return x.sum().expand(2) * 1",
    backward="return grad.sum().expand(ctx.x.shape)",
)
COUNTS = """
    class Count(torch.autograd.Function):
        calls = 0

        @staticmethod
        def forward(ctx, x):
            Count.calls += 1
            assert Count.calls > 0
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            assert Count.calls > 0
            return grad * 2

    x = torch.ones(2, requires_grad=True)
"""
OUTSIDE = """
    rate = 1.0

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * rate

        @staticmethod
        def backward(ctx, grad):
            return grad * rate  # <-

    x = torch.ones(2, requires_grad=True)
    y = Scale.apply(x).sum()
"""
ALIAS = """
    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.detach()  # <-

        @staticmethod
        def backward(ctx, grad):
            return grad / 2

    x = torch.ones(2, requires_grad=True) * 1
    y = Half.apply(x)
"""
KEYED = """
    class Square(torch.autograd.Function):
        kept = {}

        @staticmethod
        def forward(ctx, x, key):
            Square.kept[key] = x.detach()
            ctx.key = key
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return 2 * Square.kept[ctx.key] * grad, None  # <-

    x = torch.tensor([0.5, 1.5], requires_grad=True)
"""
SCALED = """
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, by):
            ctx.save_for_backward(x, by)
            return x * by

        @staticmethod
        def backward(ctx, grad):
            x, by = ctx.saved_tensors
            return grad * by, grad * x  # <-

    x, by = torch.ones(2, requires_grad=True), torch.ones(2)
    Scaled.apply(x, by).sum().backward()
"""

PICKED = """
    class Picked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, rows):
            ctx.save_for_backward(rows)
            ctx.shape = x.shape
            return x[rows]

        @staticmethod
        def backward(ctx, grad):
            rows, = ctx.saved_tensors
            found = torch.zeros(ctx.shape).index_add_(0, rows, grad)
            return found, {}  # <-

    x = torch.ones(3, requires_grad=True)
"""
SIGNS = """
    class Signs(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(w)
            return x * w.sign()

        @staticmethod
        def backward(ctx, grad):
            w, = ctx.saved_tensors
            return grad * w.sign(), None  # <-

    x = torch.ones(3, requires_grad=True)
    w = torch.full((3,), 0.5, requires_grad=True)
    Signs.apply(x, w * 2).sum().backward()
"""

FILLS = """
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, store):
            y = x.exp()
            store.append(y)  # <-
            ctx.save_for_backward(y)
            return y.clone()

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0], None

    x, store = torch.ones(3, requires_grad=True), []
"""
ALIASED = """
    class Noise(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, sigma):
            if sigma == 0:
                return x.detach()  # <-
            return x + sigma

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    y = Noise.apply(torch.ones(2, requires_grad=True) * 2, 0)
"""
SWAPPED = """
    class Mul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return x @ w

        @staticmethod
        def backward(ctx, grad):
            x, w = ctx.saved_tensors
            return x.T @ grad, grad @ w.T  # <-

    x, w = torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.eye(2) + 0.5
    w.requires_grad_()
"""

ANNEALED = """
class Annealed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        settings["calls"] += 1
        ctx.save_for_backward(x)
        return torch.tanh(settings["calls"] * x)  # <-
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        k = settings["calls"]
        return g * k * (1 - torch.tanh(k * x) ** 2)
settings = {"calls": 0}
x = torch.tensor([0.5, 1.0], requires_grad=True)
if True:
"""
CROPPED = """
class Crop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.detach()[:2]  # <-
    @staticmethod
    def backward(ctx, g):
        return torch.cat([g, g * 0])
x = torch.ones(4, requires_grad=True)
part = Crop.apply(x * 2)
if True:
"""
CURVE = """
import numpy as np
class Sinc(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sinc(x)
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        a = x.detach().numpy()
        slope = (np.pi * a * np.cos(np.pi * a) - np.sin(np.pi * a)) / (np.pi * a**2)
        return g * torch.from_numpy(slope)  # <-
x = torch.tensor([0.3, 0.8], dtype=torch.double, requires_grad=True)
if True:
"""
CUMULATED = """
class Cumulated(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.cumsum(0)
    @staticmethod
    def backward(ctx, g):
        return torch.as_tensor(g.numpy()[::-1].cumsum()[::-1].copy())  # <-
x = torch.ones(3, requires_grad=True)
if True:
"""


FAULTS = [
    ("function-holds-memory", FILLS, "for _ in range(5): Exp.apply(x, store).sum().backward()"),
    ("function-aliased-output", ALIASED, "y.clamp_(0, 1)"),
    ("function-order", SWAPPED, "Mul.apply(x, w).square().sum().backward()"),
    (
        "function-global-state",
        KEYED,
        'Square.apply(Square.apply(x, "a"), "a").sum().backward()',
    ),
    ("function-needless-gradient", SCALED, "print(by.grad, x.grad)"),
    (
        "function-needless-gradient",
        PICKED.format("torch.zeros_like(rows)"),
        "Picked.apply(x, torch.tensor([0, 2, 2])).sum().backward()",
    ),
    ("function-missing-gradient", SIGNS, "print(x.grad, w.grad)"),
    (
        "function-kept-on-ctx",
        KEPT,
        "y = Sin.apply(x * 1); z = y.grad_fn.x.zero_(); y[0].backward()",
    ),
    ("function-global-state", OUTSIDE, "rate = 2.0; y.backward()"),
    ("function-aliased-output", ALIAS, "y += 1"),
    (
        "function-saved-intermediate",
        SLOPE,
        "torch.autograd.grad(Sin.apply(x).sum(), x, create_graph=True)",
    ),
    (
        "function-global-state",
        ANNEALED,
        "(Annealed.apply(x) + Annealed.apply(x)).sum().backward()",
    ),
    ("function-aliased-output", CROPPED, "with torch.no_grad(): part.zero_()"),
    (
        "function-left-graph",
        CURVE,
        "torch.autograd.grad(Sinc.apply(x).sum(), x, create_graph=True)",
    ),
    ("memory-on-ctx", CYCLE, "for _ in range(4): Sin.apply(x).sum().backward()"),
    ("function-first-derivative", WRONG, "Sin.apply(x).sum().backward()"),
    (
        "gradcheck-wrong-part",
        WRONG,
        "torch.autograd.gradcheck(lambda x: (Sin.apply(x * x).exp() + 1).log(), x.double(),"
        " raise_exception=False)",
    ),
]


def test_numpy_that_is_refused_in_backward(tmp_path: pathlib.Path) -> None:
    end = "torch.autograd.grad(Cumulated.apply(x).pow(2).sum(), x, create_graph=True)"
    (found,) = findings(tmp_path, f"{CUMULATED}\n    {end}\n", *KINDS, fails=True)
    assert found.kind == "function-left-graph"
    assert marked(found)


@pytest.mark.parametrize("kind, program, end", FAULTS, ids=[f[0] for f in FAULTS])
def test_fault(kind: str, program: str, end: str, tmp_path: pathlib.Path) -> None:
    (found,) = findings(tmp_path, f"{program}\n    {end}\n", *KINDS)
    assert found.kind == kind
    assert marked(found)


HEALTHY = [
    (FILLS, "for _ in range(5): Exp.apply(x, store).sum().backward(); store.clear()"),
    (FILLS, "Exp.apply(x, store).sum().backward()"),  # once
    (KEPT, "Sin.apply(x * 1).sum().backward()"),
    (SLOPE, "Sin.apply(x).sum().backward()"),  # nobody asks for the second derivative
    (OUTSIDE, "y.backward(); rate = 2.0"),
    (ALIAS, "y = y + 1"),
    (CYCLE, "Sin.apply(x).sum().backward()"),
    (SHAPE, "y = Sin.apply(x * 1); y.grad_fn.x.zero_(); y[0].backward()"),
    (KEYED, 'Square.apply(Square.apply(x, "a"), "b").sum().backward(); Square.kept.clear()'),
    (SCALED, "print(x.grad)"),  # nobody asks for the other
    (PICKED.format(None), "Picked.apply(x, torch.tensor([0, 2, 2])).sum().backward()"),
    (SIGNS, "print(x.grad)"),
    (ANNEALED, "Annealed.apply(x.detach())"),
    (CROPPED, "print(part)"),
    (COUNTS, "y, z = Count.apply(x), Count.apply(x); (y + z).sum().backward()"),
]


@pytest.mark.parametrize("program, end", HEALTHY)
def test_nothing_wrong_was_done(program: str, end: str, tmp_path: pathlib.Path) -> None:
    assert not findings(tmp_path, f"{program}\n    {end}\n", *KINDS)


WHY = [
    ("gradcheck-kink", "torch.relu(2 * x)  # <-", "[0.0, 1.0], dtype=torch.double"),
    ("gradcheck-noise", "x * torch.rand(2)  # <-", "[0.3, 1.0], dtype=torch.double"),
    ("gradcheck-float32", "(100 * x).sin()", "[0.3, 1.0]"),
    ("gradcheck-float32", "x.float().tanh().double()  # <-", "[0.3, 1.0], dtype=torch.double"),
]


@pytest.mark.parametrize("kind, value, point", WHY, ids=[f"{w[0]} of {w[1]}" for w in WHY])
def test_why_gradcheck_fails(kind: str, value: str, point: str, tmp_path: pathlib.Path) -> None:
    program = f"""
    import warnings
    warnings.simplefilter("ignore")
    def f(x):
        return {value}
    x = torch.tensor({point}, requires_grad=True)
    torch.autograd.gradcheck(f, x){"" if "<-" in value else "  # <-"}
    """
    (found,) = findings(tmp_path, program, *KINDS, fails=True)
    assert (found.kind, found.weight) == (kind, 3)
    assert marked(found)


def test_where_a_number_is_drawn(tmp_path: pathlib.Path) -> None:
    program = """
    import random
    def f(x):
        k = random.random()  # <-
        return (x * k).sum()
    x = torch.tensor([0.5, 0.7], dtype=torch.double, requires_grad=True)
    torch.autograd.gradcheck(f, x)
    """
    (found,) = findings(tmp_path, program, *KINDS, fails=True)
    assert found.kind == "gradcheck-noise"
    assert marked(found)


def test_steps_that_are_too_long_are_no_kink(tmp_path: pathlib.Path) -> None:
    program = """
    x = torch.tensor([0.5, 0.7], dtype=torch.double, requires_grad=True)
    torch.autograd.gradcheck(lambda x: (8 * x).exp(), x, eps=0.1)  # <-
    """
    (found,) = findings(tmp_path, program, *KINDS, fails=True)
    assert found.kind == "gradcheck-noise"
    assert marked(found)


def test_a_gradcheck_that_passes_is_quiet(tmp_path: pathlib.Path) -> None:
    program = """
    x = torch.rand(3, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(torch.tanh, x)
    assert torch.autograd.gradgradcheck(torch.tanh, x)
    """
    assert not findings(tmp_path, program, *KINDS)


STATES = {
    "calls": "global calls; calls += 1",
    "Warm.calls": "Warm.calls += 1",
    "Warm.all[0]": "Warm.all[0] += 1",
    "Warm.running": "torch.add(Warm.running, x.mean(), out=Warm.running)",
}


@pytest.mark.parametrize("state", STATES)
def test_gradcheck_of_a_function_with_a_state(state: str, tmp_path: pathlib.Path) -> None:
    program = f"""
    calls = 0
    class Warm(torch.autograd.Function):
        calls, all, running = 0, [0], torch.zeros((), dtype=torch.double)

        @staticmethod
        def forward(ctx, x):
            {STATES[state]}
            ctx.scale = 1 + {state}  # <-
            return x * ctx.scale

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.scale

    x = torch.rand(3, dtype=torch.double, requires_grad=True)
    torch.autograd.gradcheck(Warm.apply, x)
    """
    (found,) = findings(tmp_path, program, *KINDS, fails=True)
    assert (found.kind, found.weight) == ("function-global-state", 3)
    assert state in found.says
    assert marked(found) or state == "Warm.running"  # the line before reads it too
