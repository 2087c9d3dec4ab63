"""`compare` runs one function in both libraries and names the first operator where they part."""

import pathlib
import subprocess
import sys
from typing import Any

import pytest

import seegrad as torch
from seegrad import explain, nn
from seegrad.nn import functional as F
from tests.explain.corpus_run import ENVIRONMENT

pytestmark = pytest.mark.oracle
pytest.importorskip("torch")

SCALE = torch.tensor([3.0, 1.0])


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.rest = nn.Sequential(nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 3))
        self.register_buffer("mean", torch.ones(4))

    def forward(self, x: Any) -> Any:
        hidden = F.relu(self.first(x - self.mean))
        return F.cross_entropy(self.rest(hidden), torch.tensor([0, 1]))


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def scaled(x: Any, by: Any = SCALE) -> Any:
    return Square.apply(x) * by


def program(x: Any) -> Any:
    factor = torch.full((), 2.0, dtype=torch.float32)
    return sum(scaled(x).exp().mul(factor)) + torch.rand(2).sum()


def test_modules_and_functions_are_the_same() -> None:
    for fn, x in ((Net(), torch.randn(2, 4)), (program, torch.ones(2, requires_grad=True))):
        report = explain.compare(fn, x)
        assert not report
        assert str(report).endswith("calls, their values and gradients")


def test_forward_difference_is_named() -> None:
    def fn(x: Any) -> Any:
        length = torch.linalg.vector_norm(x * 2)  # PyTorch's squares overflow
        return length / 2

    (found,) = explain.compare(fn, torch.full((2,), 1e200, dtype=torch.float64))
    assert found.kind == "compare-forward"
    assert "vector_norm gives 2.82842712474619" in found.says
    assert "inf in PyTorch" in found.says
    assert found.place.text.startswith("length =")


def test_backward_difference_is_named() -> None:
    def fn(x: Any) -> Any:
        left, right = x * 2, x * 3
        total = left + right
        right.register_hook(lambda grad: grad.mul_(10))  # reaches `left` in PyTorch
        return (total * 2).sum()

    (found,) = explain.compare(fn, torch.ones(2, requires_grad=True))
    assert found.kind == "compare-backward"
    assert found.place.text == "left, right = x * 2, x * 3"


def test_gradient_of_an_input_is_compared_too() -> None:
    def fn(x: Any) -> Any:
        if "seegrad" in torch.nn.__name__:
            x.register_hook(lambda grad: grad * 2)
        return x * 3

    (found,) = explain.compare(fn, torch.ones(2, requires_grad=True))
    assert found.kind == "compare-backward"
    assert "the gradient at input 0 has 6.0 here and 3.0 in PyTorch" in found.says


def test_another_way_through_the_program_is_named() -> None:
    def fn(x: Any) -> Any:
        if "seegrad" in torch.nn.__name__:
            x = x * 1.0
        return x.sum()

    (found,) = explain.compare(fn, torch.ones(2))
    assert found.kind == "compare-calls"
    assert found.place.text == "x = x * 1.0"


def test_what_a_module_calls_for_itself_is_aligned_and_nothing_of_it_is_changed() -> None:
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.GELU(), nn.Dropout(0.5))
    x = torch.randn(5, 3, requires_grad=True)
    assert not explain.compare(net, x)
    assert (x.grad, net[0].weight.grad, net[1].num_batches_tracked.item()) == (None, None, 0)


def test_what_only_one_raises_is_named() -> None:
    def fn(x: Any) -> Any:
        return x.add(1, alpha="a" if "seegrad" in torch.nn.__name__ else 1)

    (found,) = explain.compare(fn, torch.ones(2))
    assert found.kind == "compare-error"
    assert "only seegrad raises" in found.says


def test_what_both_raise_is_raised() -> None:
    with pytest.raises(RuntimeError, match="size of tensor a"):
        explain.compare(lambda x: x + torch.ones(3), torch.ones(2))


def test_under_the_alias(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\nfrom seegrad import explain\n"
        "print(explain.compare(lambda x: torch.exp(x).sum(), torch.ones(2)))\n"
        "import torch.nn.functional as F\n"
        "print(torch.__name__, F.relu(torch.ones(1)), type(torch.ones(1)).__module__)\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "seegrad", "run", str(script)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "PyTorch 2.13.0 gives the same: 2 calls, their values and gradients",
        "seegrad tensor([1.]) torch",
    ], done.stderr
