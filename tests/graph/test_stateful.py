"""Random sequences of views, writes, hooks and backward passes do what they do in PyTorch."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import seegrad
from seegrad.graph import views
from seegrad.graph.node import Node
from seegrad.operators import inplace, nodes
from tests.graph.stateful.machine import Difference, replay
from tests.graph.stateful.report import complaints, play_all

SEED, SEQUENCES = 1, 500


@pytest.mark.oracle
def test_sequences_do_what_they_do_in_pytorch() -> None:
    torch = pytest.importorskip("torch")
    assert complaints(play_all(SEED, range(SEQUENCES), torch, seegrad)) == []


# The sequences find what is wrong in the engine: errors planted one at a time.


def not_made_anew(tensor: Any, view: Any) -> None:
    """A stale view keeps the node that it had."""
    view.version = tensor._counter.value


def of_another_output(make: Any, array: Any, replay: Any, edge: Any, nr: int) -> Any:
    """The gradient of a view that is made anew goes to another output of the base's node."""
    return make(array, replay, edge, nr + 1)


def without_operands(run: Any, node: Any, grad: Any) -> Any:
    """What was written gets no gradient."""
    first, *rest = run(node, grad)
    return (first, *(None for _ in rest))


def forgotten(*_: Any) -> None:
    """Nothing happens."""


def saved_early(save: Any, value: Any, like: Any) -> Any:
    """An operand is saved with the version before its own."""
    kept, version = save(value, like)
    return kept, version - 1


PLANTED: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "view regeneration: not at all": (views, "regenerate", lambda _: not_made_anew),
    "view regeneration: retain_grad stays": (views, "move_retain", lambda _: forgotten),
    "view regeneration: another output": (
        views, "as_strided_node", lambda make: partial(of_another_output, make)
    ),
    "saved version: of an output, lost": (Node, "_adopt_counter", lambda _: forgotten),
    "saved version: of a write, lost": (inplace, "settle_result", lambda _: forgotten),
    "saved version: too early": (nodes, "save", lambda save: partial(saved_early, save)),
    "CopySlices: what was overwritten keeps its gradient": (views, "put", lambda _: forgotten),
    "CopySlices: another layout": (views, "layout", lambda _: lambda array: array.strides[::-1]),
    "CopySlices: operands get nothing": (
        views.CopySlices, "_run", lambda run: lambda node, grad: without_operands(run, node, grad)
    ),
}  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("error", PLANTED)
def test_planted_errors_are_found(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    owner, name, plant = PLANTED[error]
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, plant(getattr(owner, name)))
        with pytest.raises(Difference) as caught:
            play_all(SEED, range(2000), torch, seegrad)
        assert replay(caught.value.lines, torch, seegrad) is not None
    assert replay(caught.value.lines, torch, seegrad) is None


def test_script_of_a_difference_runs(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["t0 = torch.tensor([1.0], requires_grad=True)", "see(t0)"]
    script = Difference(lines, "log", 1, 2).script()
    exec(script.replace("import torch\n", "import seegrad as torch\n"), {})
    assert capsys.readouterr().out.splitlines()[0].startswith("[True, [], 0]")
