"""torch.autograd.functional: closed forms, and PyTorch's answers and refusals."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import seegrad

NAMES = ["vjp", "jvp", "vhp", "hvp", "jacobian", "hessian"]
OPTIONS = list(itertools.product([False, True], repeat=2))


def _call(torch: Any, name: str, func: Any, inputs: Any, v: Any, **options: Any) -> Any:
    function = getattr(torch.autograd.functional, name)
    given = () if name in ("jacobian", "hessian") else (v,)
    return function(func, inputs, *given, **options)


def _plain(value: Any) -> Any:
    """Values, shapes, dtypes and whether they can be differentiated; containers stay."""
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    array = value.detach().numpy()
    return str(value.dtype), array.shape, value.requires_grad, array.round(4).tolist()


def _outcome(run: Callable[[], Any]) -> Any:
    try:
        return _plain(run())
    except Exception as error:
        return type(error).__name__, str(error)


# Values that everyone can check: f(x, y) = sum(x^3) + sum(x) * y[0] * y[1].


def _f(x: Any, y: Any) -> Any:
    return (x * x * x).sum() + x.sum() * y[0] * y[1]


def _point() -> tuple[Any, Any]:
    kind = seegrad.float64
    return seegrad.tensor([1.0, 2.0, 3.0], dtype=kind), seegrad.tensor([4.0, 5.0], dtype=kind)


HESSIAN = [
    [np.diag([6.0, 12.0, 18.0]), np.array([[5.0, 4.0]] * 3)],
    [np.array([[5.0, 5.0, 5.0], [4.0, 4.0, 4.0]]), np.array([[0.0, 6.0], [6.0, 0.0]])],
]


@pytest.mark.parametrize("vectorize", [False, True])
def test_hessian_by_hand(vectorize: bool) -> None:
    found = seegrad.autograd.functional.hessian(_f, _point(), vectorize=vectorize)
    for row, expected in zip(found, HESSIAN, strict=True):
        for part, wanted in zip(row, expected, strict=True):
            np.testing.assert_allclose(part.numpy(), wanted)


@pytest.mark.parametrize("name", ["hvp", "vhp"])
def test_products_with_the_hessian_by_hand(name: str) -> None:
    v = seegrad.tensor([1.0, 0.0, -1.0]).double(), seegrad.tensor([2.0, 1.0]).double()
    value, product = getattr(seegrad.autograd.functional, name)(_f, _point(), v)
    arrays = [v[0].numpy(), v[1].numpy()]
    assert value.item() == 36 + 6 * 20
    for part, row in zip(product, HESSIAN, strict=True):
        np.testing.assert_allclose(part.numpy(), row[0] @ arrays[0] + row[1] @ arrays[1])


@pytest.mark.parametrize("vectorize", [False, True])
def test_jacobian_of_a_linear_map_is_its_matrix(vectorize: bool) -> None:
    matrix = seegrad.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    run = seegrad.autograd.functional
    found = run.jacobian(lambda x: matrix @ x, seegrad.ones(3), vectorize=vectorize)
    assert found.tolist() == matrix.tolist()
    v, w = seegrad.tensor([1.0, -1.0, 2.0]), seegrad.tensor([1.0, 10.0])
    assert run.jvp(lambda x: matrix @ x, seegrad.ones(3), v)[1].tolist() == (matrix @ v).tolist()
    assert run.vjp(lambda x: matrix @ x, seegrad.ones(3), w)[1].tolist() == (w @ matrix).tolist()


@pytest.mark.parametrize("vectorize", [False, True])
def test_empty_tensors_have_empty_jacobians(vectorize: bool) -> None:
    run = seegrad.autograd.functional
    found = run.jacobian(lambda x: (x * 2, x.sum()), seegrad.ones(0, 3), vectorize=vectorize)
    assert [tuple(part.shape) for part in found] == [(0, 3, 0, 3), (0, 3)]
    found = run.jacobian(lambda x: x[:0], seegrad.ones(2), vectorize=vectorize)
    assert tuple(found.shape) == (0, 2)
    found = run.hessian(lambda x: (x * x).sum(), seegrad.ones(0), vectorize=vectorize)
    assert tuple(found.shape) == (0, 0)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_of_leaves_stay_as_they_are(name: str) -> None:
    x = seegrad.tensor([1.0, 2.0], requires_grad=True)
    v = None if name == "vjp" else seegrad.ones(2)
    with seegrad.no_grad():
        _call(seegrad, name, lambda t: (t * t).sum(), x, v)
        assert not seegrad.is_grad_enabled()
    assert x.grad is None


def test_third_derivative_through_hvp() -> None:
    x = seegrad.tensor([1.0, 2.0], requires_grad=True)
    v = seegrad.tensor([1.0, 3.0], requires_grad=True)
    _, product = seegrad.autograd.functional.hvp(lambda t: (t**3).sum(), x, v, create_graph=True)
    by_x, by_v = seegrad.autograd.grad(product.sum(), (x, v))
    assert by_x.tolist() == [6.0, 18.0]
    assert by_v.tolist() == [6.0, 12.0]


# Forward mode: the same Jacobians, and a complex one that is not conjugated.

FORWARD_CASES: list[Callable[[Any], Any]] = [
    lambda torch: (lambda a, b: a * b, (torch.tensor([1.0, 2.0]), torch.tensor(3.0))),
    lambda torch: (lambda a, b: (a.exp(), b), (torch.ones(2, 2), torch.tensor([4.0]))),
    lambda torch: (lambda a: a.sum(1), torch.ones(2, 3)),
    lambda torch: (lambda a: torch.ones(3), torch.ones(2)),
    lambda torch: (lambda a: a.double() * 2, torch.tensor(2.0)),
    lambda torch: (lambda a: a * a, torch.tensor([1 + 2j, 3 - 1j])),
    lambda torch: (lambda a: (a * a).abs(), torch.tensor([1 + 2j, 3 - 1j])),
]


def _forward(torch: Any, case: Any) -> Any:
    function, inputs = case(torch)
    return torch.autograd.functional.jacobian(
        function, inputs, vectorize=True, strategy="forward-mode"
    )


def _as_tuples(value: Any) -> Any:
    """PyTorch returns lists in forward mode."""
    if isinstance(value, (tuple, list)):
        return tuple(_as_tuples(v) for v in value)
    return str(value.dtype), tuple(value.shape), (value.detach().numpy() + 0.0).round(4).tolist()


def test_forward_mode_by_hand() -> None:
    jacobian = seegrad.autograd.functional.jacobian
    by_a, by_b = jacobian(
        lambda a, b: a * b,
        (seegrad.tensor([1.0, 2.0]), seegrad.tensor(3.0)),
        vectorize=True,
        strategy="forward-mode",
    )
    assert by_a.tolist() == [[3.0, 0.0], [0.0, 3.0]]
    assert by_b.tolist() == [1.0, 2.0]


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # PyTorch of itself
@pytest.mark.parametrize("case", FORWARD_CASES)
def test_forward_mode_is_pytorchs(case: Any) -> None:
    torch = pytest.importorskip("torch")
    assert _as_tuples(_forward(seegrad, case)) == _as_tuples(_forward(torch, case))


def test_forward_mode_hessian_by_hand() -> None:
    hessian = seegrad.autograd.functional.hessian
    found = hessian(_f, _point(), vectorize=True, outer_jacobian_strategy="forward-mode")
    for row, expected in zip(found, HESSIAN, strict=True):
        for part, wanted in zip(row, expected, strict=True):
            np.testing.assert_allclose(part.numpy(), wanted)


# PyTorch's answers.


def _w(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0], requires_grad=True)


FUNCTIONS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "cubes": lambda torch: lambda a: (a**3).sum(),
    "squares": lambda torch: lambda a: (a * a).sum(),
    "vector": lambda torch: lambda a: a**3,
    "linear": lambda torch: lambda a: a.sum() * 3,
    "identity": lambda torch: lambda a: a,
    "one element": lambda torch: lambda a: (a**3)[:1].reshape(1, 1),
    "two": lambda torch: lambda a: (a.sum(), a * a),
    "two constants": lambda torch: lambda a: (a.sum(), a * 2),
    "tuple of one": lambda torch: lambda a: (a.prod(),),
    "constant": lambda torch: lambda a: torch.tensor(2.0),
    "detached": lambda torch: lambda a: a.detach(),
    "of others": lambda torch: lambda a: (_w(torch) ** 3).sum(),
    "of others too": lambda torch: lambda a: (_w(torch) ** 2, a * _w(torch)),
    "constant second": lambda torch: lambda a: (a * _w(torch)).sum(),
    "integers": lambda torch: lambda a: a.long(),
    "list": lambda torch: lambda a: [a],
    "nothing": lambda torch: lambda a: None,
    "number": lambda torch: lambda a: (a, 3),
    "in place": lambda torch: lambda a: a.mul_(2),
    "other dtype": lambda torch: lambda a: (a.double() ** 3).sum(),
}
OF_TWO: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "product": lambda torch: lambda a, b: (a * b).sum(),
    "both": lambda torch: lambda a, b: (a**3).sum() * (b**3).sum(),
    "first only": lambda torch: lambda a, b: (a**3).sum(),
    "vectors": lambda torch: lambda a, b: (a * b, b**3),
    "one detached": lambda torch: lambda a, b: (a * a, b.detach()),
    "linear in one": lambda torch: lambda a, b: (a**3).sum() + (b * _w(torch)).sum(),
    "one each": lambda torch: lambda a, b: (a**3, b**3),
}
ONE_INPUT: dict[str, Callable[[Any], Any]] = {
    "plain": lambda torch: torch.tensor([1.0, 2.0]),
    "requiring": lambda torch: torch.tensor([1.0, 2.0], requires_grad=True) * 1,
    "tuple": lambda torch: (torch.tensor([1.0, 2.0]),),
}
VECTORS: dict[str, Callable[[Any], Any]] = {
    "none": lambda torch: None,
    "two": lambda torch: torch.tensor([1.0, 3.0]),
    "scalar": lambda torch: torch.tensor(2.0),
    "tuple": lambda torch: (torch.tensor([1.0, 3.0]),),
    "pair": lambda torch: (torch.tensor([1.0, 3.0]), torch.tensor([2.0, 5.0])),
    "scalar and two": lambda torch: (torch.tensor(2.0), torch.tensor([1.0, 3.0])),
    "list": lambda torch: [torch.tensor([1.0, 3.0])],
    "number": lambda torch: 3,
    "requiring": lambda torch: torch.tensor([1.0, 3.0], requires_grad=True),
}


def _same(run: Callable[[Any], Any]) -> None:
    torch = pytest.importorskip("torch")
    assert _outcome(lambda: run(seegrad)) == _outcome(lambda: run(torch))


def _options(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"create_graph": c, "strict": s} for c, s in OPTIONS]
    if name in ("jacobian", "hessian"):
        found += [{**options, "vectorize": True} for options in found]
    return found


@pytest.mark.oracle
@pytest.mark.parametrize("func", FUNCTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_functions_of_one_tensor(name: str, func: str) -> None:
    vectors = ["none"] if name in ("jacobian", "hessian") else VECTORS
    for inputs, v, options in itertools.product(ONE_INPUT, vectors, _options(name)):
        _same(
            lambda torch: _call(
                torch, name, FUNCTIONS[func](torch), ONE_INPUT[inputs](torch),
                VECTORS[v](torch), **options,
            )
        )  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("func", OF_TWO)
@pytest.mark.parametrize("name", NAMES)
def test_functions_of_two_tensors(name: str, func: str) -> None:
    vectors = ["none"] if name in ("jacobian", "hessian") else ["none", "two", "pair"]
    for v, options in itertools.product(vectors, _options(name)):
        _same(
            lambda torch: _call(
                torch, name, OF_TWO[func](torch), (torch.tensor([3.0, 4.0]), _w(torch)),
                VECTORS[v](torch), **options,
            )
        )  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
def test_refused_inputs(name: str) -> None:
    for inputs in (None, 3, "ab", [], (1.5,), ()):
        _same(lambda torch: _call(torch, name, lambda a: a.sum(), inputs, None))
    _same(lambda torch: _call(torch, name, lambda a: a.sum(), torch.tensor([1, 2]), None))
    _same(lambda torch: _call(torch, name, lambda a: 1 // 0, torch.tensor(1.0), None))


@pytest.mark.oracle
@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode", "backward", None])
def test_strategies(strategy: Any) -> None:
    for create_graph, strict in OPTIONS:
        options = {"create_graph": create_graph, "strict": strict}
        for name, option in (("jacobian", "strategy"), ("hessian", "outer_jacobian_strategy")):
            _same(
                lambda torch: _call(
                    torch, name, lambda a: (a**3).sum(), _w(torch), None,
                    **options, **{option: strategy},
                )
            )  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
def test_complex_numbers(name: str) -> None:
    def run(torch: Any, func: Any) -> Any:
        z, v = torch.tensor([1 + 2j, 2 - 1j]), torch.tensor([1j, 2 + 1j])
        return _call(torch, name, func, z, v)

    _same(lambda torch: run(torch, lambda z: z * z))
    _same(lambda torch: run(torch, lambda z: (z * z.conj()).real.sum()))


@pytest.mark.oracle
def test_a_scalar_and_a_matrix() -> None:
    for name in NAMES:
        _same(lambda torch: _call(torch, name, lambda a: a**3, torch.tensor(2.0), None))
    matrix = [[1.0, 2.0], [3.0, 4.0]]
    for name in ("vjp", "jvp", "jacobian"):
        _same(
            lambda torch: _call(
                torch, name, lambda a: a @ a, torch.tensor(matrix), torch.tensor(matrix)
            )
        )
