"""What a run is told of gradients that are missing; programs that mean it are told nothing."""

import linecache
import textwrap
from types import CodeType

import pytest

from seegrad.explain.gradients.gradientless import Gradientless
from seegrad.explain.places import Place
from seegrad.explain.session import Session
from seegrad.explain.source.statements import leads_to, lines_behind, use_of


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


def test_zeros_that_grad_returned_are_told_where_somebody_looks() -> None:
    program = """
        import torch
        w = torch.tensor([0.3, 1.8], requires_grad=True)
        level = torch.floor(w * 4)
        (g,) = torch.autograd.grad(level.sum(), w)
        LOOK
    """
    assert found(program.replace("LOOK", "assert g.any()")) == [("cut-rounding", 3, 3)]
    assert found(program.replace("LOOK", "print(g)")) == [("cut-rounding", 3, 2)]
    assert found(program.replace("LOOK", "w.grad = g")) == []


def test_zeros_beside_a_gradient_are_shown_on_purpose() -> None:
    program = """
        import torch
        w = torch.tensor([0.3, 1.8], requires_grad=True)
        (plain,) = torch.autograd.grad(torch.round(w).sum(), w)
        (through,) = torch.autograd.grad((w + (torch.round(w) - w).detach()).sum(), w)
        print(plain, through)
    """
    assert found(program) == []


ADVERSARIES = """
    import torch
    from seegrad import nn
    g, d = nn.Linear(2, 2), nn.Linear(2, 1)
    for_g = torch.optim.SGD(g.parameters(), lr=0.1)
    for_d = torch.optim.SGD(PARAMETERS, lr=0.1)
    x = torch.ones(3, 2)
    d.requires_grad_(False)
    d(g(x)).sum().backward()
    for_g.step()
    d(g(x).detach()).sum().backward()
"""


def test_a_freeze_is_to_blame_where_another_optimizer_trains_what_was_cut_off() -> None:
    assert found(ADVERSARIES.replace("PARAMETERS", "d.parameters()")) == [("frozen", 7, 3)]
    both = "[*g.parameters(), *d.parameters()]"
    assert found(ADVERSARIES.replace("PARAMETERS", both)) == [("cut-detach", 10, 3)]


def test_a_loss_of_which_no_pass_ran() -> None:
    program = """
        import torch
        w, v = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        x = torch.arange(2.0)
        first = ((w * x) ** 2).sum() * (v * x).argmax()
        second = ((v * x).argmax() * v * x).sum()
        first.backward()
        print(second.item(), v.grad)
        assert v.grad is not None
    """
    assert found(program) == [("backward-never-ran", 5, 3)]
    unnamed = program.replace("second = (", "(").replace("second.", "(v * x).mean().")
    assert found(unnamed) == [("cut-argmax", 4, 3)]


@pytest.mark.filterwarnings("ignore:The .grad attribute")
def test_a_view_made_before_its_base_required_a_gradient() -> None:
    program = """
        import torch
        base = torch.zeros(4)
        row = base[1:3]
        w = torch.ones(4, requires_grad=True)
        base.add_(w)
        row.sum().backward()
        assert row.grad is not None
    """
    assert found(program) == [("view-regenerated", 5, 3)]


def test_an_optimizer_that_holds_the_old_leaf() -> None:
    program = """
        import torch
        w = torch.ones(2, requires_grad=True)
        held = [w]
        optimizer = torch.optim.SGD(held, lr=0.1)
        w = (w / 2).detach().requires_grad_()
        for _ in range(2):
            loss = (w * 2).sum()
            loss.backward()
            optimizer.step()
        assert loss < 1
    """
    assert found(program) == [("replaced-parameter", 5, 3)]


def test_a_hinge_that_is_satisfied_is_no_dead_relu() -> None:
    program = """
        import torch
        w = torch.ones(2, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        loss = torch.relu(MARGIN - w * 2).mean() + BASE
        loss.backward()
        optimizer.step()
    """
    satisfied = program.replace("MARGIN", "1.0")
    assert found(satisfied.replace("BASE", "0.0")) == []
    assert found(satisfied.replace("BASE", "1.0")) == [("zero-dead-relu", 4, 2)]


def test_a_gradient_read_once_after_training() -> None:
    program = """
        import torch
        w = torch.ones(2, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for _ in range(TIMES):
            (w * 2).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            IN_LOOP
        print(w.grad)
    """
    assert found(program.replace("IN_LOOP", "").replace("TIMES", "3")) == []
    looped = program.replace("IN_LOOP", "print(w.grad)").replace("TIMES", "3")
    assert found(looped) == [("reset-by-zero-grad", 7, 2)]


def test_a_loss_that_is_a_view_is_known() -> None:
    program = """
        import torch
        image = torch.ones(1, 2)
        w = torch.ones(2, 3, requires_grad=True)
        score = image @ w
        score[0, 1].backward()
        assert image.grad is not None
    """
    assert found(program) == [("requires-grad-never-set", 2, 3)]


def test_findings_speak_of_the_tensor_in_question() -> None:
    program = """
        import torch
        from seegrad import nn
        net = nn.Linear(2, 1)
        for p in net.parameters():
            p.requires_grad_(False)
        loss = net(torch.ones(3, 2)).sum()
        loss.backward()
    """
    session = Session([Gradientless], {})
    with pytest.raises(RuntimeError), session:
        exec(compiled(program), session.names)
    (finding,) = session.report()
    assert finding.says.startswith("net.weight and net.bias are frozen here")


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


@pytest.mark.parametrize(("made", "kind"), [
    ("data = torch.ones(3, 1)", "requires-grad-never-set"),
    ("data = layer(torch.ones(3, 1)).detach()", "cut-detach"),
])  # fmt: skip
def test_an_input_of_grad_that_requires_nothing(made: str, kind: str) -> None:
    program = f"""
        import torch
        layer = torch.nn.Linear(1, 1)
        {made}
        out = layer(data).sum()
        torch.autograd.grad(outputs=out, inputs=data)
    """
    assert found(program) == [(kind, 3, 3)]


def test_what_the_optimizer_got_is_named_before_what_was_frozen() -> None:
    program = """
        import torch
        layer = torch.nn.Linear(2, 1).requires_grad_(False)
        image = torch.zeros(2)
        optimizer = torch.optim.SGD([image], lr=0.1)
        layer(image).sum().backward()
    """
    assert found(program) == [("requires-grad-never-set", 3, 3)]


def test_an_optimizer_steps_what_requires_nothing() -> None:
    program = """
        import torch
        w, b = torch.ones(1, requires_grad=True), torch.zeros(1)
        optimizer = torch.optim.SGD([w, b], lr=0.1)
        for _ in range(3):
            (w * 2 + b).sum().backward()
            {given}
            optimizer.step()
    """
    assert found(program.format(given="pass")) == [("requires-grad-never-set", 2, 2)]
    assert found(program.format(given="b.grad = torch.ones(1)")) == []


@pytest.mark.parametrize("step", ["w = w - 0.1 * w.grad", "w = moved(w)"])
def test_a_step_that_makes_a_new_tensor(step: str) -> None:
    program = f"""
        import torch
        def moved(w):
            return w - 0.1 * w.grad
        w = torch.ones(1, requires_grad=True)
        for _ in range(2):
            (w * 2).sum().backward()
            with torch.no_grad():
                {step}
    """
    line = 3 if "moved" in step else 8
    assert found(program) == [("replaced-parameter", line, 3)]


@pytest.mark.parametrize(("value", "kind"), [
    ("w.sum().item()", "recreated-item"), ("math.exp(w.sum().item())", "recreated-math"),
    ("w.detach().numpy().sum()", "recreated-numpy"),
])  # fmt: skip
def test_a_number_has_no_backward(value: str, kind: str) -> None:
    program = f"""
        import torch; import math
        w = torch.ones(1, requires_grad=True)
        total = {value}
        total = total + 1
        total.backward()
    """
    assert found(program) == [(kind, 3, 3)]


@pytest.mark.parametrize("named", ["[one.backward for one in [loss]]", "run = loss.backward"])
def test_backward_is_named_among_other_things(named: str) -> None:
    program = f"""
        import torch
        w = torch.ones(1, requires_grad=True)
        loss = (w * 2).sum()
        {named}
        assert w.grad is not None
    """
    assert found(program) == [("backward-not-called", 4, 3)]


def test_new_tensor_of_numbers_that_only_silences_the_error() -> None:
    program = """
        import torch
        w = torch.nn.Parameter(torch.ones(1))
        optimizer = torch.optim.SGD([w], lr=0.1)
        for _ in range(2):
            value = (w * 2).sum().item()
            torch.tensor(value, requires_grad=True).backward()
            optimizer.step()
    """
    assert found(program) == [("recreated-item", 6, 2)]


def test_the_only_backward_stands_where_nobody_gets_to() -> None:
    program = """
        import torch
        w = torch.ones(1, requires_grad=True)
        for number in range(3):
            loss = (w * 2).sum()
            if number > 5:
                loss.backward()
        assert w.grad is not None
    """
    assert found(program) == [("backward-never-ran", 6, 3)]


def test_the_only_backward_raised_and_was_caught() -> None:
    program = """
        import torch
        w = torch.ones(1, requires_grad=True)
        loss = (w > 0).float().sum()
        try:
            loss.backward()
        except RuntimeError:
            pass
        assert w.grad is not None
    """
    assert found(program) == [("cut-comparison", 3, 3)]


def test_a_result_under_no_grad_that_is_a_view() -> None:
    program = """
        import torch
        w = torch.ones(2, 2, requires_grad=True)
        with torch.no_grad():
            out = torch.nn.functional.linear(torch.ones(2), w)
        out.sum().backward()
    """
    assert found(program) == [("cut-no-grad", 3, 3)]


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize(("shown", "kinds"), [
    ("print('gradient', g)", ["not-a-leaf"]), ("print('gradient', g is None)", []),
    ("if g is None: print('none is kept', g)", []),
])  # fmt: skip
def test_a_gradient_printed_by_another_name(shown: str, kinds: list[str]) -> None:
    program = f"""
        import torch
        h = torch.ones(2, requires_grad=True) * 2
        h.sum().backward()
        g = h.grad
        {shown}
    """
    assert [kind for kind, _, _ in found(program)] == kinds


@pytest.mark.parametrize(("shown", "kinds"), [("w", ["cut-argmax"]), ("b", [])])
def test_a_tensor_that_is_skipped_time_and_again_and_printed(shown: str, kinds: list[str]) -> None:
    program = f"""
        import torch
        w, b = torch.ones(3, requires_grad=True), torch.ones(1, requires_grad=True)
        for _ in range(3):
            (w.argmax() + b).sum().backward()
            for p in (w, b):
                if p.grad is not None:
                    p.data -= p.grad
        print({shown})
    """
    assert [kind for kind, _, _ in found(program)] == kinds


@pytest.mark.filterwarnings("ignore:Converting a tensor")
def test_a_tensor_made_of_nested_lists_of_tensors() -> None:
    program = """
        import torch
        w = torch.nn.Parameter(torch.ones(1))
        optimizer = torch.optim.SGD([w], lr=0.1)
        b = torch.zeros(2, requires_grad=True)
        for _ in range(2):
            made = torch.tensor([[w[0] * 2, 1.0], [w[0], 0.0]])
            (made + b).sum().backward()
            optimizer.step()
        print(w.grad)
    """
    assert ("recreated-tensor", 6, 2) in found(program)


@pytest.mark.parametrize(
    "kept", ["self.scale = w.max().item()", "v = w.max().item(); self.scale = v"]
)
def test_number_that_an_object_keeps(kept: str) -> None:
    program = f"""
        import torch
        class Scaler:
            def fit(self, w):
                {kept}
            def __call__(self, x):
                return x * self.scale
        w = torch.ones(2, requires_grad=True)
        v = torch.ones(2, requires_grad=True)
        scaler = Scaler()
        scaler.fit(w)
        scaler(v).sum().backward()
        assert w.grad is not None
    """
    assert found(program) == [("recreated-item", 4, 3)]
