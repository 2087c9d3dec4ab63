"""Random programs of modes, views and writes show what PyTorch shows, errors included."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import seegrad
from seegrad.errors import INFERENCE_REQUIRES, INFERENCE_SAVED, INFERENCE_WRITTEN
from tests.observe import attempt

PROGRAMS, LONGEST = 600, 18
MODES = ("no_grad", "enable_grad", "inference_mode", "normal_mode", "replaying")

# What is done to a tensor `x` with a number `w`, a tensor of no dimensions.
NEW: dict[str, Callable[[Any, Any], Any]] = {
    "double": lambda x, w: x * 2,
    "square": lambda x, w: x * x,
    "times": lambda x, w: x * w,
    "plus": lambda x, w: w + x,
    "sum": lambda x, w: x.sum(),
    "flat": lambda x, w: x.view(-1),
    "row": lambda x, w: x[0],
    "turned": lambda x, w: x.t(),
    "same": lambda x, w: x.view_as(x),
    "unbound": lambda x, w: x.unbind()[0],
    "split": lambda x, w: x.split(1)[0],
    "detached": lambda x, w: x.detach(),
    "data": lambda x, w: x.data,
}
WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "add_": lambda x, w: x.add_(1),
    "neg_": lambda x, w: x.neg_(),
    "zero_": lambda x, w: x.zero_(),
    "mul_": lambda x, w: x.mul_(w),
    "copy_": lambda x, w: x.copy_(w),
    "set item": lambda x, w: x.__setitem__(0, w),
    "set number": lambda x, w: x.__setitem__(0, 3.0),
    "t_": lambda x, w: x.t_(),
    "unsqueeze_": lambda x, w: x.unsqueeze_(0),
    "requires_grad_": lambda x, w: x.requires_grad_(),
    "requires no grad": lambda x, w: x.requires_grad_(False),
    "detach_": lambda x, w: x.detach_(),
    "backward": lambda x, w: x.sum().backward(),
}
KINDS = [*NEW, *NEW, *WRITES, *WRITES, "new", "call", "call", "enter", "enter", "leave"]


def functions(torch: Any) -> list[Any]:
    """Custom Functions: one that computes, two that return a view, one that writes."""

    def function(forward: Any, backward: Any) -> Any:
        body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        return type("Made", (torch.autograd.Function,), body).apply

    def times(ctx: Any, x: Any, w: Any) -> Any:
        ctx.save_for_backward(x, w)
        return x * w

    def times_back(ctx: Any, grad: Any) -> Any:
        x, w = ctx.saved_tensors
        return grad * w, (grad * x).sum()

    def flat(ctx: Any, x: Any, w: Any) -> Any:
        ctx.shape = x.shape
        return x.view(-1)

    def write(ctx: Any, x: Any, w: Any) -> Any:
        ctx.mark_dirty(x)
        return x.add_(w)

    return [
        function(times, times_back),
        function(flat, lambda ctx, grad: (grad.view(ctx.shape), None)),
        function(lambda ctx, x, w: x, lambda ctx, grad: (grad, None)),
        function(write, lambda ctx, grad: (grad, grad.sum())),
    ]


def manager(torch: Any, name: str) -> Any:
    """The manager of a mode."""
    if name == "normal_mode":
        return torch.inference_mode(False)
    if name == "replaying":
        return torch.autograd._force_original_view_tracking(True)
    return getattr(torch, name)()


def shown(x: Any) -> list[Any]:
    """What a tensor shows, but for the version of copies, which PyTorch counts in its own way."""
    node = attempt(lambda: type(x.grad_fn).__name__)
    flags = [x.is_inference(), x.requires_grad, attempt(lambda: x.is_leaf), x._is_view()]
    return [list(x.shape), *flags, attempt(lambda: x._version), node, x.detach().tolist()]


class Program:
    """One random program, run by one library."""

    def __init__(self, torch: Any, seed: int) -> None:
        self.torch = torch
        self.random = random.Random(seed)
        with torch.inference_mode():
            self.numbers = [torch.tensor(2.0), torch.tensor(2.0, requires_grad=True)]
        self.numbers += [torch.tensor(3.0), torch.tensor(3.0, requires_grad=True)]
        self.calls = functions(torch)
        self.pool = [torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)]
        self.modes: list[Any] = []

    def run(self) -> list[Any]:
        """What every step shows."""
        try:
            return [self.step() for _ in range(self.random.randrange(5, LONGEST))]
        finally:
            while self.modes:
                self.modes.pop().__exit__(None, None, None)

    def step(self) -> list[Any]:
        """One action: its name, and the tensor or error that comes of it."""
        kind, x = self.random.choice(KINDS), self.random.choice(self.pool)
        w, name = self.random.choice(self.numbers), self.random.choice(MODES)
        if kind == "enter":
            self.modes.append(manager(self.torch, name))
            self.modes[-1].__enter__()
            return [kind, name]
        if kind == "leave":
            if self.modes:
                self.modes.pop().__exit__(None, None, None)
            return [kind, self.torch.is_grad_enabled(), self.torch.is_inference_mode_enabled()]
        try:
            made = self.act(kind, x, w, self.random.choice(self.calls))
        except Exception as error:
            return [kind, f"{type(error).__name__}: {error}"]
        if made is not x and made.dim():
            self.pool.append(made)
        return [kind, shown(made)]

    def act(self, kind: str, x: Any, w: Any, call: Any) -> Any:
        """The tensor that is made, or `x` itself, changed."""
        if kind == "new":
            return self.torch.full((2, 2), 2.0, requires_grad=bool(w.requires_grad))
        if kind == "call":
            return call(x, w)
        if kind in NEW:
            return NEW[kind](x, w)
        WRITES[kind](x, w)
        return x


@pytest.mark.oracle
def test_as_pytorch() -> None:
    torch = pytest.importorskip("torch")
    said = ""
    for seed in range(PROGRAMS):
        theirs = Program(torch, seed).run()
        assert Program(seegrad, seed).run() == theirs, seed
        said += str(theirs)
    for text in (
        INFERENCE_SAVED,
        INFERENCE_WRITTEN,
        INFERENCE_REQUIRES,
        "view was created in no_g",
    ):
        assert text in said, text
