"""What nodes save: whose memory it is, when it is freed, what a later write says."""

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from tests.observe import rounded

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
    "through the graph a second time or if you need to access saved tensors after calling "
    "backward."
)
WRITTEN = (
    "one of the variables needed for gradient computation has been modified by an inplace "
    "operation: [torch.FloatTensor [{shape}]]{which} is at version {now}; expected version {then} "
    "instead. Hint: enable anomaly detection to find the operation that failed to compute its "
    "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)


def leaf(*values: float) -> Any:
    return torch.tensor(values, dtype=torch.float32, requires_grad=True)


def error_of(function: Callable[[], Any]) -> str:
    with pytest.raises(RuntimeError) as caught:
        function()
    return str(caught.value)


def test_saved_input_is_the_tensor_itself() -> None:
    x, w = leaf(1, 2), torch.tensor([3.0, 4.0])
    node: Any = (x * w).grad_fn
    assert node._saved_self is None  # the gradient of w is not wanted
    assert node._saved_other is w
    node = (x * x).grad_fn
    assert node._saved_self is x
    assert node._saved_other is x
    assert node._raw_saved_self.unpack() is x


def test_saved_output_is_the_memory_but_not_the_tensor() -> None:
    x = leaf(1, 2)
    y = x.exp()
    node: Any = y.grad_fn
    found = node._saved_result
    assert found is not y
    assert found.data_ptr() == y.data_ptr()
    assert found.grad_fn is node
    assert found.requires_grad
    assert node._saved_result is not found


def test_saved_output_makes_no_cycle() -> None:
    y = leaf(1).exp()
    tensor, node, array = weakref.ref(y), weakref.ref(y.grad_fn), weakref.ref(y._array)
    del y
    assert tensor() is None
    assert node() is None
    assert array() is None


def test_what_is_not_needed_is_not_saved() -> None:
    x, w = leaf(1, 2), torch.ones(2)
    for made in (x + w, x - 2, -x, x.sum(), x[0], x.view(2), x.expand(3, 2)):
        node: Any = made.grad_fn
        assert not any(isinstance(part, torch.Tensor) for part in node._saved or ())


def test_freed_after_backward() -> None:
    x = leaf(1, 2)
    y = (x * x).sum()
    node: Any = y.grad_fn.next_functions[0][0]
    y.backward(retain_graph=True)
    assert node._saved_self is x
    y.backward()
    assert x.grad.tolist() == [4.0, 8.0]
    assert error_of(lambda: node._saved_self) == FREED
    assert error_of(lambda: y.backward()) == FREED
    assert x.grad.tolist() == [4.0, 8.0]


def test_freed_values_stay_where_they_are_named() -> None:
    x = leaf(1, 2)
    y = x.clone().sin()
    node: Any = y.grad_fn
    kept = node._saved_self
    y.sum().backward()
    assert kept.tolist() == [1.0, 2.0]


def test_nothing_saved_may_run_twice() -> None:
    x = leaf(1, 2)
    y = (x + 1).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_only_what_ran_is_freed() -> None:
    x = leaf(1, 2)
    inner = x * x
    left, right = inner.sin().sum(), inner.exp().sum()
    torch.autograd.grad(left, inner)
    assert torch.autograd.grad(right, x)[0].shape == (2,)
    assert error_of(lambda: torch.autograd.grad(left, x)) == FREED


@pytest.mark.parametrize("name", ["sin", "log", "square", "abs"])
def test_write_to_a_saved_input(name: str) -> None:
    x = leaf(1, 2) * 1
    y = getattr(x, name)().sum()
    x.add_(1)
    which = ", which is output 0 of Add,"
    assert error_of(y.backward) == WRITTEN.format(shape=2, which=which, now=1, then=0)


@pytest.mark.parametrize("name", ["exp", "tanh", "sigmoid", "sqrt", "reciprocal"])
def test_write_to_a_saved_output(name: str) -> None:
    y = getattr(leaf(1, 2), name)()
    total = y.sum()
    y.mul_(2).add_(1)
    which = f", which is output 0 of {name.capitalize()},"
    assert error_of(total.backward) == WRITTEN.format(shape=2, which=which, now=2, then=0)


def test_write_to_a_saved_constant_through_its_view() -> None:
    x, w = leaf(1, 2), torch.ones(2)
    y = (x * w).sum()
    w[1:].zero_()
    assert error_of(y.backward) == WRITTEN.format(shape=2, which="", now=1, then=0)


def test_write_before_saving_does_not_count() -> None:
    x, w = leaf(1, 2), torch.ones(2)
    w.add_(1)
    (x * w).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_write_to_data_is_not_seen() -> None:
    x = leaf(1, 2)
    y = (x * x).sum()
    x.data.mul_(10)
    y.backward()
    assert x.grad.tolist() == [20.0, 40.0]


def test_write_to_a_detached_alias_is_seen() -> None:
    x = leaf(1, 2)
    y = (x * x).sum()
    x.detach().mul_(10)
    assert error_of(y.backward) == WRITTEN.format(shape=2, which="", now=1, then=0)


def test_write_after_backward_is_free() -> None:
    x = leaf(1, 2)
    y = x.exp()
    y.sum().backward()
    y.zero_()
    assert x.grad.tolist() == pytest.approx(np.exp([1.0, 2.0]).tolist())


def test_saved_output_of_a_write_is_the_memory_after_it() -> None:
    y = leaf(1, 2) * 1
    y.exp_()
    node: Any = y.grad_fn
    assert node._saved_result.tolist() == pytest.approx(np.exp([1.0, 2.0]).tolist())
    assert node._saved_result.data_ptr() == y.data_ptr()
    total = y.sum()
    y.add_(1)
    which = ", which is output 0 of Exp,"
    assert error_of(total.backward) == WRITTEN.format(shape=2, which=which, now=2, then=1)


def test_saved_input_of_a_write_is_the_value_before_it() -> None:
    x = leaf(1, 2)
    y = x * 1
    y.sin_()
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx(np.cos([1.0, 2.0]).tolist())


def test_error_may_be_repaired_by_another_graph() -> None:
    x = leaf(1, 2)
    y = x.exp()
    total = y.sum()
    y.add_(1)
    error_of(total.backward)
    assert x.grad is None
    x.exp().sum().backward()
    assert x.grad is not None


def test_saved_names() -> None:
    x = leaf(*range(6)).view(2, 3) * 1
    node: Any = x.sum(1, keepdim=True).grad_fn
    assert node._saved_self_sym_sizes == (2, 3)
    assert node._saved_dim == (1,)
    assert node._saved_keepdim is True
    assert {n for n in dir(node) if "_saved_" in n} >= {"_saved_dim", "_saved_self_sym_sizes"}
    with pytest.raises(AttributeError):
        node._saved_other


@pytest.mark.oracle
def test_shown_as_pytorch_shows_it() -> None:
    oracle = pytest.importorskip("torch")

    def shown(library: Any) -> list[Any]:
        x = library.arange(6.0).view(2, 3).requires_grad_()
        i = library.tensor([0, 2])
        made = [
            x * x, x * 2, x / x, x.exp(), x.sum(), x.sum(1), x[0], x[:, 1:], x[:, i],
            x.t(), x.view(6), x.permute(1, 0), x.unsqueeze(0), x.squeeze(0), x.expand(2, 2, 3),
            x @ x.t(), x.pow(3), x**x, x.clamp(0, 1), x.softmax(1),
            x.max(), x.max(1)[0], x.cumsum(1), x.index_select(1, i), x.relu(), x.norm(), x.var(),
            x.narrow(1, 1, 2), x.split(2, 1)[0], x.repeat(2, 1),
            x.flip(0), x.clone(),
        ]  # fmt: skip
        return [saved_of(one.grad_fn) for one in made]

    def saved_of(node: Any) -> list[Any]:
        return [value_of(node, name) for name in sorted(dir(node)) if name.startswith("_saved_")]

    def value_of(node: Any, name: str) -> Any:
        value = getattr(node, name)
        if isinstance(value, tuple):
            return [name, *(v.tolist() if hasattr(v, "tolist") else v for v in value)]
        return [name, rounded(value) if hasattr(value, "tolist") else value]

    assert shown(torch) == shown(oracle)
