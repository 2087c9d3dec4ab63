"""Anomaly mode: the errors, the warnings and the stacks in them."""

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import seegrad

ENABLED = (
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
    "enabled for debugging."
)
ABSENT = (
    "No forward pass information available. Enable detect anomaly during forward pass for more "
    "information."
)


@pytest.fixture(autouse=True)
def off_afterwards() -> Iterator[None]:
    yield
    assert not seegrad.is_anomaly_enabled()


def told(function: Callable[[], Any]) -> list[str]:
    """The error of a call, then its warnings, without where PyTorch was in C++."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            function()
            heard = [""]
        except Exception as error:
            heard = [f"{type(error).__name__}: {error}"]
    for warning in caught:
        assert warning.category is UserWarning
        text = re.sub(r"\s*\(Triggered internally.*", "", str(warning.message))
        heard.append(without_pytorch(text))
    return heard


def without_pytorch(text: str) -> str:
    """A text without the frames that show the insides of either library."""
    inside = r'  File "[^"]*/(torch|seegrad|src/seegrad)/[^"]*", line .*\n(    .*\n?)*'
    return re.sub(inside, "", text + "\n").rstrip("\n")


def leaf(torch: Any, *values: float) -> Any:
    return torch.tensor(values, requires_grad=True)


def root_of(torch: Any, x: Any) -> Any:
    return torch.sqrt(x) * 0


def nan(torch: Any) -> None:
    with torch.autograd.detect_anomaly():
        root_of(torch, leaf(torch, 0.0)).sum().backward()


def nan_unnoticed(torch: Any) -> None:
    x = leaf(torch, 0.0)
    with torch.autograd.detect_anomaly(check_nan=False):
        assert torch.is_anomaly_enabled()
        assert not torch.is_anomaly_check_nan_enabled()
        root_of(torch, x).sum().backward()
    assert x.grad.isnan().all()


def no_forward(torch: Any) -> None:
    y = root_of(torch, leaf(torch, 0.0)).sum()
    with torch.autograd.set_detect_anomaly(True):
        y.backward()


def second_output(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        torch.pow(leaf(torch, -1.0), leaf(torch, 0.0)).backward()


def given_nan(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        leaf(torch, 1.0).exp().sum().backward(torch.tensor(float("nan")))


def hook_makes_nan(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0).exp()
        y.register_hook(lambda grad: grad * float("nan"))
        y.backward()


def hook_fails(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0).exp()
        y.register_hook(lambda grad: 1 / 0)
        y.backward()


def leaf_hook_fails(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        x = leaf(torch, 1.0)
        x.register_hook(lambda grad: 1 / 0)
        (x * 2).backward()


def written(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0).exp()
        y.add_(1)
        y.backward()


def written_view(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0, 0.0).clone()
        y[1:].sqrt_()
        y.sum().backward()


def custom_fails(torch: Any) -> None:
    class Failing(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            raise ValueError("boom")

    with torch.autograd.set_detect_anomaly(True):
        Failing.apply(leaf(torch, 1.0)).backward()


def second_derivative_fails(torch: Any) -> None:
    class Inner(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, grad: Any, x: Any) -> Any:
            return grad * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            raise ValueError("boom")

    class Outer(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.exp()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return Inner.apply(grad, *ctx.saved_tensors)

    x = leaf(torch, 1.0)
    with torch.autograd.set_detect_anomaly(True):
        y = Outer.apply(x)
        (grad,) = torch.autograd.grad(y, x, create_graph=True)
        grad.backward()


def failing_with(torch: Any, backward: Callable[[Any], Any]) -> None:
    class Failing(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return backward(grad)

    with torch.autograd.set_detect_anomaly(True):
        Failing.apply(leaf(torch, 1.0)).backward()


def wrong_shape(torch: Any) -> None:
    failing_with(torch, lambda grad: torch.ones(5))


def too_many(torch: Any) -> None:
    failing_with(torch, lambda grad: (grad, grad))


def twice(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0).exp()
        y.backward()
        y.backward()


PROGRAMS = [
    nan, nan_unnoticed, no_forward, second_output, given_nan, hook_makes_nan, hook_fails,
    leaf_hook_fails, written, written_view, custom_fails, second_derivative_fails,
    wrong_shape, too_many, twice,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_pytorch(program: Callable[[Any], None]) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = told(lambda: program(seegrad)), told(lambda: program(torch))
    here = r'(?m)^  File ".*/test_anomaly.py", line \d+, in (told|<lambda>|test_as_pytorch)\n.*\n'
    strip = [[re.sub(here, "", text + "\n") for text in heard] for heard in (ours, theirs)]
    assert strip[0] == strip[1]


def test_nan_names_the_line() -> None:
    error, first, second = told(lambda: nan(seegrad))
    assert error == (
        "RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output."
    )
    assert first == ENABLED
    start, *stack = second.split("\n")
    assert start == (
        "Error detected in SqrtBackward0. Traceback of forward call that caused the error:"
    )
    assert stack[-2].endswith(", in root_of")
    assert stack[-1] == "    return torch.sqrt(x) * 0"


def test_without_forward_pass() -> None:
    assert told(lambda: no_forward(seegrad))[1:] == [f"Error detected in SqrtBackward0. {ABSENT}"]


def test_induced() -> None:
    error, first, second = told(lambda: second_derivative_fails(seegrad))
    assert error == "ValueError: boom"
    assert first.startswith("Error detected in InnerBackward. Traceback of forward call that")
    assert second.startswith(
        "\n\nPrevious calculation was induced by OuterBackward. Traceback of forward call that "
        "induced the previous calculation:\n"
    )
    assert second.endswith("    y = Outer.apply(x)")


def test_hint() -> None:
    assert told(lambda: written(seegrad))[0].endswith(
        "expected version 0 instead. Hint: the backtrace further above shows the operation that "
        "failed to compute its gradient. The variable in question was changed in there or "
        "anywhere later. Good luck!"
    )


def test_metadata() -> None:
    x = leaf(seegrad, 1.0)
    with seegrad.autograd.set_detect_anomaly(True):
        nodes = [(x * 1).grad_fn, x.view(1).grad_fn, x.exp().grad_fn, seegrad.cat([x, x]).grad_fn]
        nodes.append(seegrad.autograd.graph.get_gradient_edge(x).node)
        (grad,) = seegrad.autograd.grad(x**3, x, create_graph=True)
    assert all(list(node.metadata) == ["traceback_"] for node in nodes)
    assert list(grad.grad_fn.metadata) == ["traceback_", "parent_"]
    assert grad.grad_fn.metadata["parent_"].name() == "PowBackward0"
    stack = nodes[0].metadata["traceback_"]
    assert isinstance(stack, list)
    assert "in test_metadata" in stack[-1]
    assert (x * 1).grad_fn.metadata == {}


def test_modes() -> None:
    detect, switch = seegrad.autograd.detect_anomaly, seegrad.autograd.set_detect_anomaly
    with switch(True):
        with switch(False):
            assert not seegrad.is_anomaly_enabled()
        assert seegrad.is_anomaly_enabled()
        with seegrad.no_grad():
            assert not (leaf(seegrad, 1.0) * 2).requires_grad
        assert (leaf(seegrad, 1.0) * 2).grad_fn.metadata
        with pytest.warns(UserWarning, match="Anomaly Detection"), detect(check_nan=False):
            assert not seegrad.is_anomaly_check_nan_enabled()
        assert seegrad.is_anomaly_check_nan_enabled()
    switch(True, check_nan=False)
    assert seegrad.is_anomaly_enabled()
    assert not seegrad.is_anomaly_check_nan_enabled()
    switch(False)
    assert not seegrad.is_anomaly_enabled()
    assert seegrad.is_anomaly_check_nan_enabled()
    with pytest.raises(TypeError, match=r"'enabled' .position 1. must be bool, not int"):
        switch(1)  # type: ignore[arg-type]


def test_no_grad_ends_with_the_mode_of_now() -> None:
    x = leaf(seegrad, 1.0)
    with seegrad.no_grad():
        seegrad.autograd.set_detect_anomaly(True)
        assert not (x * 2).requires_grad
    assert (x * 2).grad_fn.metadata
    seegrad.autograd.set_detect_anomaly(False)
    assert not (x * 2).grad_fn.metadata


def test_threads_started_inside() -> None:
    x = leaf(seegrad, 1.0)
    nodes: list[Any] = []
    with seegrad.autograd.set_detect_anomaly(True):
        worker = threading.Thread(target=lambda: nodes.append((x * 2).grad_fn))
        worker.start()
        worker.join()
    assert list(nodes[0].metadata) == ["traceback_"]


def test_values_are_the_same() -> None:
    def run() -> list[Any]:
        x = leaf(seegrad, 1.0, 2.0)
        y = (x.exp() * x[:1]).sum()
        (grad,) = seegrad.autograd.grad(y, x, create_graph=True)
        (grad * x).sum().backward()
        return [y.tolist(), grad.tolist(), x.grad.tolist()]

    with seegrad.autograd.set_detect_anomaly(True):
        watched = run()
    assert watched == run()
