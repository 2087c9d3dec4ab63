"""Note [Cut]: a tensor without history knows why, and the error of its backward says so."""

from collections.abc import Callable
from typing import Any

import pytest

import seegrad as torch

Cutting = Callable[[Any], Any]


def without_grad(function: Cutting) -> Cutting:
    def inside(x: Any) -> Any:
        with torch.no_grad():
            return function(x)

    return inside


CASES: list[tuple[str, Cutting]] = [
    ("detach", lambda x: x.detach()),
    ("data", lambda x: x.data),
    ("no_grad", without_grad(lambda x: x * 2)),
    ("no_grad", without_grad(lambda x: x * x)),
    ("no_grad", without_grad(lambda x: torch.cat([x, x]))),
    ("no_grad", without_grad(lambda x: x.softmax(0))),
    ("no_grad", without_grad(lambda x: torch.nn.functional.cosine_similarity(x, x, dim=0))),
    ("gt", lambda x: x > 0),
    ("eq", lambda x: x == x),
    ("argmax", lambda x: x.argmax()),
    ("to_copy", lambda x: x.long()),
    ("detach", lambda x: x.detach().clone()),
]
CARRYING: list[Cutting] = [
    lambda cut: cut.float() * 2.0,
    lambda cut: cut.sum().float(),
    lambda cut: torch.ones(2) + cut.double(),
    lambda cut: torch.stack([torch.zeros(()), cut.float().mean()]),
    lambda cut: cut.view(-1)[0].float() - 1,
    lambda cut: 1 / cut.float().exp().max(),
    lambda cut: torch.nn.functional.mse_loss(cut.float(), cut.float()),
]


@pytest.mark.parametrize("word, cutting", CASES)
@pytest.mark.parametrize("carrying", CARRYING)
def test_error_names_the_cause(word: str, cutting: Cutting, carrying: Cutting) -> None:
    x = torch.tensor([0.5, -1.5], requires_grad=True)
    made = cutting(x)
    loss = carrying(made[:2] if made.ndim else made).sum()
    assert loss._cut == word
    with pytest.raises(
        RuntimeError, match=r"^element 0 of tensors does not require grad"
    ) as found:
        loss.backward()
    (note,) = found.value.__notes__
    assert note.startswith("Why: ")


@pytest.mark.parametrize("word, words", [
    ("detach", "detach() cut it"), ("no_grad", "while no_grad() was on"),
    ("to_copy", "a dtype that has no gradients"), ("argmax", "it went through argmax"),
])  # fmt: skip
def test_notes_are_sentences(word: str, words: str) -> None:
    cutting = next(cutting for name, cutting in CASES if name == word)
    loss = cutting(torch.ones(2, requires_grad=True)).float().sum()
    with pytest.raises(RuntimeError) as found:
        loss.backward()
    assert words in found.value.__notes__[0]


def test_nothing_to_blame() -> None:
    with pytest.raises(RuntimeError) as found:
        torch.ones(2).sum().backward()
    assert "requires_grad=True was never set" in found.value.__notes__[0]


def test_what_records_has_no_cut() -> None:
    x = torch.ones(2, requires_grad=True)
    cut = x.detach()
    assert (x * cut)._cut is None
    assert (cut.exp() + x)._cut is None


def test_detach_in_place() -> None:
    y = torch.ones(2, requires_grad=True) * 2
    assert (y.detach_() * 3)._cut == "detach"
