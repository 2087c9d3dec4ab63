"""gradcheck says what PyTorch's says, and a note says which element is wrong and why."""

import contextlib
import math
import warnings
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad.autograd._jacobians import draw_directions
from seegrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from tests.autograd.gradcheck_cases import _function, _point


def _note(forward: Any, backward: Any, inputs: Any, check: Any = gradcheck, **options: Any) -> str:
    with pytest.raises(GradcheckError) as caught:
        check(_function(seegrad, forward, backward), inputs, **options)
    (note,) = caught.value.__notes__
    return str(note)


def _wrong_at_0_3(saved: Any, grad: Any) -> Any:
    result = (grad * saved[0].cos()).clone()
    result[0, 3] *= 1.5
    return result


@pytest.mark.parametrize("fast", [False, True])
def test_note_names_the_worst_element(fast: bool) -> None:
    point = _point(seegrad, 4, 4)
    note = _note(lambda a: a.sin(), _wrong_at_0_3, point, fast_mode=fast)
    right = math.cos(point[0, 3].item())
    assert note.startswith("1 of 256 elements of the Jacobian differ. The worst: ")
    assert "output 0[0, 3] with respect to input 0[0, 3]" in note
    assert f"analytical {1.5 * right:.6g}, numerical {right:.6g}, ratio 1.5." in note


def test_note_counts_all_arguments_too() -> None:
    wrong = _function(seegrad, lambda a: a * 2, lambda s, g: g * 3)
    with pytest.raises(GradcheckError) as caught:
        gradcheck(lambda k, a: (a.detach(), wrong(a)), (3, _point(seegrad, 2)))
    assert "output 0[0] (returned value 1)" in caught.value.__notes__[0]
    assert "input 0[0] (argument 1)" in caught.value.__notes__[0]


def test_note_of_tensors_without_dimensions() -> None:
    note = _note(lambda a: a * 2, lambda s, g: g * 3, _point(seegrad))
    assert "output 0 with respect to input 0: analytical 3, numerical 2" in note


MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


def _matrix() -> Any:
    return seegrad.tensor(MATRIX)


HINTS = [
    ("counted twice", lambda a: a * 2, lambda s, g: g * 4, (3,)),
    ("a factor 2, is missing", lambda a: a * 2, lambda s, g: g, (3,)),
    ("the sign is wrong", lambda a: a * 2, lambda s, g: -g * 2, (3,)),
    ("1.5 times numerical everywhere: a constant", lambda a: a * 2, lambda s, g: g * 3, (3,)),
    ("a mean over them divides", lambda a: a.mean(), lambda s, g: g.expand(5).clone(), (5,)),
    ("a sum over them divides by nothing", lambda a: a.sum(), lambda s, g: g.expand(5) / 5, (5,)),
    ("its transpose is due", lambda a: _matrix() @ a, lambda s, g: _matrix() @ g, (2,)),
    ("the gradient comes transposed", lambda a: a * _matrix(),
     lambda s, g: (g * _matrix()).t().clone(), (2, 2)),
    ("a reduction (sum) over the other elements is missing", lambda a: a.softmax(0),
     lambda s, g: g * s[0].softmax(0) * (1 - s[0].softmax(0)), (3,)),
    ("multiply grad_output element by element", lambda a: a * 2,
     lambda s, g: g.sum().expand(3) * 2, (3,)),
    ("the graph is cut", lambda a: a * 2, lambda s, g: None, (3,)),
    ("infinities or nans", lambda a: a * math.nan, lambda s, g: g * 2, (3,)),
]  # fmt: skip


@pytest.mark.parametrize("hint, forward, backward, shape", HINTS, ids=[h[0] for h in HINTS])
def test_hint(hint: str, forward: Any, backward: Any, shape: tuple[int, ...]) -> None:
    note = _note(forward, backward, _point(seegrad, *shape))
    assert hint in note.partition("Hint: ")[2]


def test_hint_at_a_missing_conj() -> None:
    note = _note(
        lambda a: a * a, lambda s, g: g * 2 * s[0], _point(seegrad, 2, dtype="complex128")
    )
    assert "a conj() is missing" in note


def test_hint_at_single_precision() -> None:
    with pytest.warns(UserWarning, match="Input #0 requires gradient"):
        with pytest.raises(GradcheckError) as caught:
            gradcheck(seegrad.sin, _point(seegrad, 2, dtype="float32"))
    assert "taken in float32" in caught.value.__notes__[0]


def test_no_hint_where_the_numbers_tell_nothing() -> None:
    point = _point(seegrad, 4, 4)
    assert "Hint" not in _note(lambda a: a.sin(), _wrong_at_0_3, point)


def test_second_derivative_says_that_the_graph_is_cut() -> None:
    note = _note(
        lambda a: a * a, lambda s, g: g * 2 * s[0].detach(), _point(seegrad, 2), gradgradcheck
    )
    assert "neither input nor output" in note


def test_fast_mode_shows_both_jacobians() -> None:
    function = _function(seegrad, lambda a: a * 2, lambda s, g: g * 3)
    with pytest.raises(GradcheckError) as caught:
        gradcheck(function, _point(seegrad, 2), fast_mode=True)
    lines = str(caught.value).splitlines()
    assert lines[0] == "Jacobian mismatch for output 0 with respect to input 0,"
    # The directions are PyTorch's: it prints 1.8447186262774375 and 5.534155878845937 - a third.
    assert float(lines[1].removeprefix("numerical:")) == pytest.approx(1.8447186, rel=1e-7)
    assert float(lines[2].removeprefix("analytical:")) == pytest.approx(2.7670779, rel=1e-7)
    assert lines[4] == (
        "The above quantities relating the numerical and analytical jacobians are computed "
    )
    assert lines[8:15] == [
        "Numerical:",
        " tensor([[2.0000, 0.0000],",
        "        [0.0000, 2.0000]], dtype=torch.float64)",
        "Analytical:",
        "tensor([[3., 0.],",
        "        [0., 3.]], dtype=torch.float64)",
        "",
    ]


def test_fast_mode_that_only_adds_up() -> None:
    signs = seegrad.tensor([1.0, -1.0] * 5, dtype=seegrad.float64)
    matrix = seegrad.ones(10, 1, dtype=seegrad.float64) * signs
    function = _function(seegrad, lambda a: matrix @ a, lambda s, g: (matrix + 0.9e-3).t() @ g)
    point = _point(seegrad, 10)
    with pytest.raises(GradcheckError, match="element-wise differences are small") as caught:
        gradcheck(function, point, fast_mode=True)
    assert str(caught.value).endswith("to have `gradcheck_fast_mode=False`\n")
    assert gradcheck(function, point)


def test_directions_are_pytorchs() -> None:
    one = seegrad.zeros(2, dtype=seegrad.float64)
    drawn = draw_directions([one], [one])
    np.testing.assert_allclose(drawn.inputs[0][0], [0.2929093796797218, 0.9561402069234619])


def test_directions_leave_the_seed_alone() -> None:
    seegrad.manual_seed(3)
    expected = seegrad.rand(2).tolist()
    seegrad.manual_seed(3)
    gradcheck(lambda a: a * a, _point(seegrad, 2), fast_mode=True)
    assert seegrad.rand(2).tolist() == expected


def test_two_gradients_at_once() -> None:
    point = _point(seegrad, 2)
    assert gradcheck(lambda x: (x.sin(), x.sum()), point, check_batched_grad=True)
    assert gradgradcheck(lambda x: x.prod(), point, check_batched_grad=True)


def test_two_gradients_at_once_that_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def exchanged(*args: Any, **options: Any) -> Any:
        return tuple(found.flip(0) for found in seegrad.autograd.grad(*args, **options))

    monkeypatch.setattr("seegrad.autograd._gradcheck_after.grad", exchanged)
    with pytest.raises(GradcheckError, match=r"For output 0 and input 0:\s*gradcheck or gradgrad"):
        gradcheck(seegrad.sin, _point(seegrad, 2), check_batched_grad=True)


def test_nothing_to_derive_twice() -> None:
    with pytest.raises(ValueError, match="at least one output of the function to require"):
        gradgradcheck(lambda a: a.detach(), _point(seegrad, 2))


def test_shapes_that_change_from_run_to_run() -> None:
    runs: list[int] = []

    def function(a: Any) -> Any:
        runs.append(1)
        return a * 2 if len(runs) < 2 else (a * 2)[:1]

    with pytest.raises(RuntimeError, match="2 elements in one run and 1 in another"):
        gradcheck(function, _point(seegrad, 2))


@pytest.mark.parametrize("last", range(2, 10))
@pytest.mark.parametrize("fast", [False, True])
def test_inputs_are_put_back_when_the_function_raises(last: int, fast: bool) -> None:
    x = _point(seegrad, 2, dtype="complex128")
    before, runs = x.tolist(), []

    def function(a: Any) -> Any:
        runs.append(1)
        if len(runs) == last:
            raise ValueError("enough")
        return a * a

    with contextlib.suppress(ValueError):
        gradcheck(function, x, fast_mode=fast)
    assert x.tolist() == before
    assert x._version == 0


def test_read_only_memory_is_refused() -> None:
    numbers = np.ones(2)
    numbers.flags.writeable = False
    with warnings.catch_warnings(action="ignore"):
        x = seegrad.from_numpy(numbers).requires_grad_()
    with pytest.raises(RuntimeError, match="memory that must not be written to"):
        gradcheck(lambda a: a * a, x)


def test_integers_and_bools_beside_floats_are_left_out() -> None:
    x = _point(seegrad, 3)
    assert gradcheck(lambda a: (a.detach().long(), a > 1, a * 2), x)


def test_error_is_a_runtime_error_of_its_module() -> None:
    assert issubclass(GradcheckError, RuntimeError)
    assert seegrad.autograd.gradcheck is gradcheck
    assert seegrad.autograd.gradgradcheck is gradgradcheck


def _failed(func: Any, inputs: Any, **options: Any) -> str:
    with warnings.catch_warnings(), pytest.raises(GradcheckError) as caught:
        warnings.simplefilter("ignore")
        gradcheck(func, inputs, **options)
    return str(caught.value.__notes__[0])


def test_note_says_that_there_is_a_kink() -> None:
    x = seegrad.tensor([1.0, 0.0], dtype=seegrad.float64, requires_grad=True)
    note = _failed(lambda x: 3 * x.relu(), x)
    assert "its slope is 0 from below and 3 from above" in note


def test_note_says_that_the_function_is_random() -> None:
    seegrad.manual_seed(0)
    state = seegrad.get_rng_state().tolist()
    note = _failed(lambda x: x + seegrad.rand(2, dtype=seegrad.float64), _point(seegrad, 2))
    assert "at this very point it gives" in note
    assert state != seegrad.get_rng_state().tolist()  # gradcheck itself ran it


def test_note_says_which_step_would_do() -> None:
    x = seegrad.tensor([0.3, 0.7], requires_grad=True)
    note = _failed(lambda x: 100 * x.sin() + 1000, x)
    assert "The differences depend on the step: " in note
    assert note.count("eps=") == 8  # seven steps, and the one that is right


def test_note_says_nothing_more_of_a_wrong_factor() -> None:
    note = _note(lambda a: a.sin(), lambda s, g: 2 * g * s[0].cos(), _point(seegrad, 3))
    assert len(note.splitlines()) == 3  # the worst element, the hint, and who finds the part
    assert note.endswith(
        "seegrad.explain.locate(fn, inputs) looks for the part of fn whose derivative is wrong."
    )


def test_note_says_that_a_function_is_random_though_the_worst_element_was_twice_the_same() -> None:
    seegrad.manual_seed(0)
    x = seegrad.rand(6, dtype=seegrad.float64, requires_grad=True)
    note = _failed(lambda x: seegrad.nn.functional.dropout(x, 0.5), x)
    assert "The function is not the same twice" in note
    assert "Hint" not in note


def test_note_of_a_step_that_is_too_long_blames_no_factor() -> None:
    x = seegrad.tensor([1e-7], dtype=seegrad.float64, requires_grad=True)
    note = _failed(lambda x: seegrad.tanh(1e6 * x), x)
    assert "The analytical value is right with eps=1e-08" in note
    assert "Hint" not in note
