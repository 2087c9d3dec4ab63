"""Outside of autocast nothing is looked at, and one thread's autocast is not another's."""

import threading
from typing import Any

import pytest

import seegrad as torch
from seegrad.amp import _casting
from seegrad.amp._lists import ALONE, LOW, LOW_OPERATORS, WIDE, WIDE_OPERATORS
from seegrad.graph.state import thread
from seegrad.operators.general import general
from seegrad.operators.register import SCOPES


def _exchanged() -> Any:
    names = LOW_OPERATORS | WIDE_OPERATORS
    scopes = [scope for name in names for scope in SCOPES[name]]
    changed = [s for s in scopes if s["general"] is not general or s["thread"] is not thread]
    return changed, [function.__code__ for function, _ in _casting._armed()]


def test_all_is_as_it_was_after_the_last_block() -> None:
    x = torch.ones(2, 2)
    with torch.autocast("cpu"):
        x @ x
    _, before = _exchanged()
    with torch.autocast("cpu"), torch.autocast("cpu"):
        changed, during = _exchanged()
        assert changed
        assert not set(map(id, before)) & set(map(id, during))
    changed, after = _exchanged()
    assert not changed
    assert all(a is b for a, b in zip(before, after, strict=True))


def test_every_name_of_the_lists_is_there() -> None:
    names = [function.__name__ for function, _ in _casting._armed()]
    armed = {name.removeprefix("fft_").removeprefix("linalg_") for name in names}
    operators = {name.removesuffix("_with_indices") for name in SCOPES}
    assert not {name for name in LOW | WIDE | ALONE if name not in armed | operators}
    assert SCOPES.keys() >= LOW_OPERATORS | WIDE_OPERATORS


def test_another_thread_is_not_cast() -> None:
    x, seen = torch.ones(2, 2), []
    with torch.autocast("cpu"):
        other = threading.Thread(target=lambda: seen.extend([(x @ x).dtype,
                                 torch.is_autocast_enabled("cpu")]))  # fmt: skip
        other.start()
        other.join()
        assert (x @ x).dtype is torch.bfloat16
    assert seen == [torch.float32, False]


def test_a_parameter_that_was_written_to_is_cast_anew() -> None:
    p, x = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2)
    with torch.autocast("cpu"):
        assert (p @ x).tolist() == [[2, 2], [2, 2]]
        with torch.no_grad():
            p.mul_(3)
        assert (p @ x).tolist() == [[6, 6], [6, 6]]
        with torch.no_grad():
            p @ x  # leaves no cast behind that a graph cannot use
    with torch.autocast("cpu"):
        with torch.no_grad():
            p @ x
        assert (p @ x).requires_grad


@pytest.mark.parametrize("recording", [True, False])
def test_functions_that_are_asked_are_cast_too(recording: bool) -> None:
    class Own(torch.Tensor):
        pass

    own = torch.ones(2, 2).as_subclass(Own)
    with torch.set_grad_enabled(recording), torch.autocast("cpu"):
        product = torch.matmul(own, torch.ones(2, 2))
    assert type(product) is Own
    assert product.dtype is torch.bfloat16
