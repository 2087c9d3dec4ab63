"""When functions begin to ask, and what plain tensors pay for it before: nothing."""

import pickle
import threading
from typing import Any

import pytest

import seegrad as torch
from tests import fresh

DUCK = """
import json
import seegrad as torch
F = torch.nn.functional
class Duck:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return torch.overrides.resolve_name(func)
d, t = Duck(), torch.ones(2)
print(json.dumps({call}))
"""


@pytest.mark.parametrize(
    ("call", "asked_of"),
    [
        ("torch.mean(d)", "torch.mean"),
        ("torch.exp(d)", "torch.exp"),
        ("torch.where(d, t, t)", "torch.where"),
        ("torch.cat([t, d])", "torch.cat"),
        ("F.mse_loss(d, t)", "torch.nn.functional.mse_loss"),
        ("t + d", "torch.Tensor.add"),
        ("t.add(d)", "torch.Tensor.add"),
        ("t.mul_(d)", "torch.Tensor.mul_"),
        ("torch.autograd.grad(d, [t])", "torch.autograd.grad"),
    ],
)
def test_the_first_call_asks_already(call: str, asked_of: str) -> None:
    assert fresh.answer(DUCK.replace("{call}", call)) == asked_of


def test_nothing_looks_at_types_before_a_class_wants_to_be_asked() -> None:
    lines = fresh.answer(
        """
import json
import seegrad as torch
functions = [torch.add, torch.Tensor.add, torch.Tensor.__getitem__, torch.nn.functional.relu]
class Weight(torch.nn.Parameter): pass
before = [f.__code__.co_filename == "<seegrad asking>" for f in functions]
class Length(torch.Tensor): pass
after = [f.__code__.co_filename == "<seegrad asking>" for f in functions]
symbol = torch.Tensor.__add__.__code__.co_filename == "<seegrad asking>"
print(json.dumps([before, after, symbol]))
"""
    )
    # `add` of torch is `public`, whose text stands elsewhere; `+` is armed by modes only.
    assert lines == [[False] * 4, [True] * 4, False]


def test_a_mode_is_of_its_thread() -> None:
    class Names(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            seen.append(threading.current_thread().name)
            return func(*args, **(kwargs or {}))

    seen: list[str] = []
    with Names():
        other = threading.Thread(target=lambda: torch.ones(1) + 1)
        other.start()
        other.join()
        torch.ones(1)
    torch.ones(1)
    assert seen == [threading.current_thread().name]


def test_armed_functions_keep_their_signature_and_text() -> None:
    import inspect

    class Length(torch.Tensor):
        pass

    assert list(inspect.signature(torch.add).parameters) == ["input", "other", "alpha", "out"]
    assert "Return `input + alpha * other`" in (torch.add.__doc__ or "")
    assert list(inspect.signature(torch.Tensor.dim).parameters) == ["self"]


def test_gradients_do_not_ask_in_the_backward_pass() -> None:
    seen: list[str] = []

    class Length(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    x = torch.ones(2, requires_grad=True)
    y = (x * torch.full((2,), 3.0).as_subclass(Length)).as_subclass(torch.Tensor).sum()
    seen.clear()
    torch.autograd.grad(y, x, create_graph=True)
    assert seen == []


@pytest.mark.parametrize(
    "function",
    [torch.add, torch.exp, torch.where, torch.nn.functional.relu, torch.Tensor.add_, torch.zeros],
    ids=lambda function: function.__qualname__,
)
def test_functions_are_found_again_by_a_pickle(function: Any) -> None:
    assert pickle.loads(pickle.dumps(function)) is function
