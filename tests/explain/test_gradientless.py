"""What a run is told of gradients that are missing; programs that mean it are told nothing."""

import linecache
import textwrap
from types import CodeType

import pytest

from seegrad.explain.gradientless import Gradientless
from seegrad.explain.places import Place
from seegrad.explain.session import Session
from seegrad.explain.statements import leads_to, lines_behind, use_of


def compiled(source: str) -> CodeType:
    """A program whose lines can be read again; its first line is line 1."""
    text = textwrap.dedent(source).lstrip("\n").replace("import torch", "import seegrad as torch")
    file = f"<program {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return compile(text, file, "exec")


def found(source: str) -> list[tuple[str, int | None, int]]:
    """Kind, line and weight of what the detective says of a program."""
    session = Session([Gradientless], {})
    code = compiled(source)
    try:
        with session:
            exec(code, session.names)
    except (AssertionError, AttributeError, RuntimeError, TypeError):
        assert session.error is not None
    return [(f.kind, f.place.line if f.place else None, f.weight) for f in session.report()]


def test_a_loss_without_history() -> None:
    program = """
        import torch
        w = torch.ones(2, requires_grad=True)
        hit = w > 0
        loss = hit.float().sum()
        loss.backward()
    """
    assert found(program) == [("cut-comparison", 3, 3)]


def test_the_tensor_whose_gradient_is_read_should_have_required_one() -> None:
    program = """
        import torch
        data = torch.ones(2)
        w = torch.ones(2)
        (data * w).sum().backward()
        print(w.grad)
    """
    assert found(program) == [("requires-grad-never-set", 3, 3)]


def test_a_failed_assertion_leads_to_the_parameter() -> None:
    program = """
        import torch
        used, spare = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)
        used(torch.ones(1)).sum().backward()
        without = [p for p in spare.parameters() if p.grad is None]
        assert not without
    """
    assert found(program) == [("never-used", 2, 3)]


@pytest.mark.parametrize("value", ["h.tolist()", "[h[0].item(), h[1].item()]"])
def test_numbers_that_come_back_as_a_tensor(value: str) -> None:
    program = f"""
        import torch
        w = torch.nn.Parameter(torch.ones(2))
        v = torch.nn.Parameter(torch.ones(2))
        optimizer = torch.optim.SGD([w, v], lr=0.1)
        for _ in range(2):
            h = w * 2
            again = torch.tensor({value})
            (again * v).sum().backward()
            optimizer.step()
    """
    ((kind, line, _),) = found(program)
    assert kind in ("recreated-tensor", "recreated-item")
    assert line == 7


def test_a_guard_against_none_asks_for_no_explanation() -> None:
    program = """
        import torch
        used, spare = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)
        parameters = [*used.parameters(), *spare.parameters()]
        optimizer = torch.optim.SGD(parameters, lr=0.1)
        used(torch.ones(1)).sum().backward()
        total = sum(p.grad.norm() for p in parameters if p.grad is not None)
        for p in parameters:
            if p.grad is None:
                continue
        optimizer.step()
    """
    assert found(program) == []


def test_gradients_seen_before_they_are_reset_are_no_fault() -> None:
    program = """
        import torch
        w = torch.ones(1, requires_grad=True)
        print(w.grad)
        (w * 2).sum().backward()
        print(w.grad)
        w.grad = None
        print(w.grad)
    """
    assert found(program) == []


def test_a_result_made_once_does_not_follow_the_steps() -> None:
    program = """
        import torch
        w = torch.nn.Parameter(torch.ones(2))
        optimizer = torch.optim.SGD([w], lr=0.1)
        wide = w.to(torch.float64)
        for _ in range(3):
            loss = (wide * 2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """
    assert found(program) == [("replaced-parameter", 4, 2)]


def test_a_zero_of_every_pass_is_told_one_of_the_first_is_not() -> None:
    program = """
        import torch
        w = torch.nn.Parameter(torch.ones(2))
        v = torch.nn.Parameter(torch.ones(2))
        optimizer = torch.optim.SGD([w, v], lr=0.1)
        for step in range(5):
            factor = FACTOR
            loss = (w * 2).sum() + factor * (v * 3).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """
    assert found(program.replace("FACTOR", "step // 10")) == [("zero-multiplied", 7, 2)]
    assert found(program.replace("FACTOR", "step / 10")) == []


SOURCE = """
    value = x.grad
    print("gradient", x.grad)
    assert x.grad is not None
    if x.grad is not None: pass
    names = [n for n, p in pairs if p.grad is None]
    print([p.grad is None for p in parameters])
"""


def test_uses_of_a_gradient() -> None:
    code = compiled(SOURCE)
    uses = [use_of(Place(code, line), "grad") for line in range(1, 7)]
    assert uses == ["kept", "shown", "asserted", "tested", "tested", "shown"]


def test_values_are_followed_through_names() -> None:
    source = """
        def numbers(t):
            return t.tolist()
        a = numbers(x)
        b = [v * 2 for v in a]
        y = make(b)
        z = make(c)
        assert y
    """
    code = compiled(source)
    file = code.co_filename
    assert leads_to(file, 2, {5})
    assert not leads_to(file, 2, {6})
    assert lines_behind(Place(code, 7)) == {1, 2, 3, 4, 5, 7}
