"""Cases after public bug reports against PyTorch and its peers, with the value that is right.

Where `pytorch` is False, PyTorch 2.13.0 gives something else; docs/differences.md says so.
"""

import copy
import gc
import importlib
import math
import pickle
import threading
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import seegrad
from tests.observe import attempt


class Case(NamedTuple):
    """What a function of the library gives when it is right, and whether PyTorch is."""

    run: Callable[[Any], Any]
    right: Any
    pytorch: bool


CASES: dict[str, Case] = {}


def case(right: Any, pytorch: bool = True) -> Callable[[Callable[[Any], Any]], None]:
    """Enters the function under it."""

    def enter(run: Callable[[Any], Any]) -> None:
        CASES[run.__name__] = Case(run, right, pytorch)

    return enter


def _leaf(torch: Any, values: Any, dtype: str = "float64") -> Any:
    return torch.tensor(values, dtype=getattr(torch, dtype), requires_grad=True)


def _slopes(torch: Any, y: Any, *xs: Any) -> Any:
    """The gradients as lists, alone or a list of them."""
    found = torch.autograd.grad(y, xs, allow_unused=True)
    lists = [None if g is None else g.tolist() for g in found]
    return lists[0] if len(lists) == 1 else lists


def _second(torch: Any, y: Any, x: Any) -> Any:
    """The gradient of the sum of the gradient."""
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    return second.tolist()


def _error(function: Callable[[], Any], length: int = 60) -> str:
    return attempt(function).splitlines()[0][:length]


# Values


@case(([0.0, 0.0], [[0.0, 0.0]] * 2, [0.0, 0.0], [0.0, 0.0]))
def norms_of_zero(torch: Any) -> Any:
    x, m = _leaf(torch, [0.0, 0.0]), _leaf(torch, [[0.0, 0.0], [0.0, 0.0]])
    return (
        _slopes(torch, x.norm(), x),
        _slopes(torch, m.norm(dim=(0, 1)), m),
        _slopes(torch, torch.linalg.vector_norm(x, ord=1), x),
        _slopes(torch, x.norm() ** 2, x),
    )


@case((pytest.approx(5e20), pytest.approx([0.6, 0.8])), pytorch=False)
def norm_of_large_numbers(torch: Any) -> Any:
    x = _leaf(torch, [3e20, 4e20], "float32")
    y = torch.linalg.norm(x)
    return y.item(), _slopes(torch, y, x)


@case(["nan", "0.25"])
def slope_of_the_branch_not_taken(torch: Any) -> Any:
    x = _leaf(torch, [-1.0, 4.0])
    return [str(g) for g in _slopes(torch, torch.where(x > 0, x.sqrt(), x).sum(), x)]


@case((1.430511474609375e-05, "torch.float16", 1.001))
def ties_in_half_precision(torch: Any) -> Any:
    x = torch.ones(70000, dtype=torch.float16, requires_grad=True)
    x.max().backward()
    return x.grad[0].item(), str(x.grad.dtype), round(x.grad.double().sum().item(), 3)


@case(([0.0, 0.0, 6.0], [1.0]))
def products_with_zeros(torch: Any) -> Any:
    x, one = _leaf(torch, [2.0, 3.0, 0.0]), _leaf(torch, [0.0])
    return _slopes(torch, x.prod(), x), _slopes(torch, one.prod(0), one)


@case(([1.0, 38.0, 0.0, 0.0], 10.0))
def cumulative_products_with_zeros(torch: Any) -> Any:
    x, t = _leaf(torch, [2.0, 0.0, 3.0, 5.0]), _leaf(torch, 1.0)
    polynomial = torch.stack((t, t - 1, t + 2)).cumprod(0).sum()
    return _slopes(torch, x.cumprod(0).sum(), x), _second(torch, polynomial, t)


@case(([0.0, 2 * math.log(2)], [0.0, 0.0], [0.0, 0.0], 2.0))
def powers_at_zero(torch: Any) -> Any:
    base, exponent = torch.tensor([0.0, 2.0], dtype=torch.float64), _leaf(torch, [1.0, 1.0])
    x, u, v, w = _leaf(torch, [0.0, 3.0]), *(_leaf(torch, 0.0) for _ in range(3))
    return (
        _slopes(torch, (base**exponent).sum(), exponent),
        _slopes(torch, (x**0).sum(), x),
        _slopes(torch, u**v, u, v),
        _second(torch, w**2, w),
    )


@case(0.0, pytorch=False)
def logaddexp_of_distant_numbers(torch: Any) -> Any:
    a, b = _leaf(torch, -500.0), _leaf(torch, 1000.0)
    return _second(torch, torch.logaddexp(a, b), a)


@case((0.0, pytest.approx(-(math.pi**2) / 3)), pytorch=False)
def sinc_at_zero(torch: Any) -> Any:
    x = _leaf(torch, 0.0)
    (first,) = torch.autograd.grad(torch.sinc(x), x, create_graph=True)
    return first.item(), _slopes(torch, first, x)


@case([0j, -1 + 0j])
def size_of_a_tiny_complex_number(torch: Any) -> Any:
    z = _leaf(torch, [0j, -2e-23 + 0j], "complex64")
    return _slopes(torch, z.abs().sum(), z)


@case([math.log(3), math.log(3)])
def xlogy_at_zero(torch: Any) -> Any:
    x = _leaf(torch, [0.0, 2.0])
    return _slopes(torch, torch.xlogy(x, 3.0).sum(), x)


@case(([3.0], [0.0]), pytorch=False)
def layer_norm_of_one_element(torch: Any) -> Any:
    x, w, b = (_leaf(torch, [value], "float32") for value in (1e6, 2.0, 3.0))
    y = torch.nn.functional.layer_norm(x, (1,), w, b)
    return y.tolist(), _slopes(torch, y.sum(), w)


@case([["1.0"]] * 4)
def nan_at_every_position(torch: Any) -> Any:
    shown = []
    for name in ("hardtanh", "elu", "hardswish", "hardshrink"):
        x = torch.full((9,), math.nan, requires_grad=True)
        getattr(torch.nn.functional, name)(x).sum().backward()
        shown.append(sorted(set(map(str, x.grad.tolist()))))
    return shown


IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


@case(([[1.0] * 3] * 3, IDENTITY, IDENTITY), pytorch=False)
def repeated_singular_values(torch: Any) -> Any:
    a = torch.diag(torch.tensor([2.0, 2.0, 5.0], dtype=torch.float64)).requires_grad_()
    u, s, vh = torch.linalg.svd(a)
    return (
        [[round(v, 12) for v in row] for row in _slopes(torch, ((u * s) @ vh).sum(), a)],
        _slopes(torch, torch.linalg.svdvals(a).sum(), a),
        _slopes(torch, torch.linalg.eigvalsh(a).sum(), a),
    )


@case(([[0.0] * 3, [0.0] * 3, [0.0, 0.0, 2.0]], [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0] * 3]))
def determinant_of_a_singular_matrix(torch: Any) -> Any:
    a = torch.diag(torch.tensor([1.0, 2.0, 0.0], dtype=torch.float64)).requires_grad_()
    (first,) = torch.autograd.grad(torch.linalg.det(a), a, create_graph=True)
    return first.tolist(), _slopes(torch, first[2, 2], a)


@case(
    (
        [[0.0, 1.0], [6.0, 7.0]],
        [[[1.0, 2.0], [0.0, 0.0]], [[0.0, 0.0], [3.0, 4.0]]],
        [[1.0, 0.0], [0.0, 1.0]],
    )
)
def einsum_of_a_diagonal(torch: Any) -> Any:
    x = torch.arange(8.0, dtype=torch.float64).reshape(2, 2, 2).requires_grad_()
    weights, m = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), _leaf(torch, [[1.0, 2.0], [3.0, 4.0]])
    y = torch.einsum("iij->ij", x)
    return (
        y.tolist(),
        _slopes(torch, (y * weights).sum(), x),
        _slopes(torch, torch.einsum("ii", m), m),
    )


KEPT = [1.0, 0.0, 1.0]


@case(
    (
        ([0.0, 2.0, 0.0], [KEPT, [0.0, 1.0]]),
        ([0.0, 3.0, 0.0], [[1.0, 1.0, 1.0], [1.0, 1.0]]),
        ([0.0, 2.0, 0.0], [KEPT, [0.0, 1.0]]),
        [[1.0, 0.0], 1.0],
    ),
    pytorch=False,
)
def places_written_twice(torch: Any) -> Any:
    twice = torch.tensor([1, 1])
    writes: list[Callable[[Any, Any], Any]] = [
        lambda x, v: x.index_put((twice,), v),
        lambda x, v: x.index_put((twice,), v, accumulate=True),
        lambda x, v: x.index_copy(0, twice, v),
    ]
    shown: list[Any] = []
    for write in writes:
        x, v = _leaf(torch, [0.0, 0.0, 0.0]), _leaf(torch, [1.0, 2.0])
        y = write(x, v)
        shown.append((y.tolist(), _slopes(torch, y.sum(), x, v)))
    x, v = _leaf(torch, [0.0, 0.0]), _leaf(torch, 7.0)
    shown.append(_slopes(torch, x.index_fill(0, twice, v).sum(), x, v))
    return tuple(shown)


@case(("RuntimeError: max(): Expected reduction dim to be specified ", "nan", []))
def reductions_of_nothing(torch: Any) -> Any:
    x = torch.zeros(0, dtype=torch.float64, requires_grad=True)
    return _error(x.max), str(x.mean().item()), _slopes(torch, x.prod(), x)


@case(["[-4.0]", "[nan]"])
def exponent_of_a_negative_base(torch: Any) -> Any:
    a, b = _leaf(torch, [-2.0]), _leaf(torch, [2.0])
    return [str(g) for g in _slopes(torch, (a**b).sum(), a, b)]


# Writing in place

SAVED = "RuntimeError: one of the variables needed for gradient compu"


@case((SAVED, [0.1966, 0.0, 0.0452]))
def saved_output_written_to(torch: Any) -> Any:
    a = _leaf(torch, [1.0, 2.0, 3.0])
    b = a.sigmoid()
    b[1] = 2.0
    refused = _error(lambda: b.sum().backward())
    c = 1 / ((-a).exp() + 1)
    c[1] = 2.0
    c.sum().backward()
    return refused, [round(g, 4) for g in a.grad.tolist()]


@case(
    (
        "RuntimeError: Output 0 of Unbind is a view and is being modi",
        "RuntimeError: Output 0 of Slice is a view and is being modif",
        "RuntimeError: Output 0 of Split is a view and is being modif",
    )
)
def views_of_several_outputs_written_to(torch: Any) -> Any:
    x = _leaf(torch, [[1.0, 2.0], [3.0, 4.0]]).clone()
    first, piece = x.unbind()[0], x.chunk(2)[0]
    narrow = first.narrow(0, 0, 1)
    return tuple(_error(lambda t=t: t.mul_(2)) for t in (first, narrow, piece))


@case(
    (
        "RuntimeError: a leaf Variable that requires grad i",
        "RuntimeError: a view of a leaf Variable that requi",
        [1.0, 1.0],
        0,
    )
)
def refused_writes_change_nothing(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    refused = _error(lambda: a.add_(1), 50), _error(lambda: a[0].mul_(5), 50)
    return *refused, a.tolist(), a._version


@case(([3.0], [1.0], [1.0, 1.0]))
def hooks_before_a_write(torch: Any) -> Any:
    seen: list[float] = []
    a = torch.tensor([1.0], requires_grad=True).clone()
    a.register_hook(lambda grad: seen.append(grad.item()))
    a.retain_grad()
    a.mul_(3)
    (a + 1).sum().backward()
    b = torch.tensor([1.0, 2.0], requires_grad=True).clone()
    b.retain_grad()
    b[:1].mul_(3)
    b.sum().backward()
    return seen, a.grad.tolist(), b.grad.tolist()


@case([True, True])
def inputs_that_were_written_to(torch: Any) -> Any:
    tensor, shown = _leaf(torch, [1.0, 2.0]).clone(), []
    for _ in range(2):
        tensor.grad = None
        tensor.clone().sum().backward(inputs=[tensor], retain_graph=True)
        shown.append(tensor.grad is not None)
        tensor.add_(0.1)
    return shown


@case(SAVED)
def multiplied_by_itself_in_place(torch: Any) -> Any:
    x = _leaf(torch, [1.0, 2.0])
    y = x.clone()
    y.mul_(y)
    return _error(lambda: _slopes(torch, y.sum(), x))


# The graph

NO_HISTORY = "RuntimeError: element 0 of tensors does not require grad and"


@case((*[NO_HISTORY] * 4, "RuntimeError: The differentiated Tensor at index 0 appears t", None))
def histories_that_end(torch: Any) -> Any:
    d, other = _leaf(torch, [1.0, 2.0]), _leaf(torch, [3.0])
    with torch.no_grad():
        unrecorded = d * 2
    ends = [d.detach(), unrecorded, (d > 0).double(), torch.tensor(d.tolist())]
    errors = [_error(lambda end=end: end.sum().backward()) for end in ends]
    unused = _error(lambda: torch.autograd.grad(d.sum(), other))
    return *errors, unused, other.grad


@case((False, NO_HISTORY, NO_HISTORY))
def second_derivative_of_a_linear_function(torch: Any) -> Any:
    x = _leaf(torch, 1.0)
    (first,) = torch.autograd.grad(3 * x, x, create_graph=True)
    options = {"allow_unused": True, "materialize_grads": True}
    return (
        first.requires_grad,
        _error(lambda: torch.autograd.grad(first, x)),
        _error(lambda: torch.autograd.grad(first, x, **options)),
    )


@case(((True, True), (False, True)))
def outputs_kept_by_their_node(torch: Any) -> Any:
    def kept(save: bool) -> tuple[bool, bool]:
        nodes: list[Any] = []

        class Copy(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                nodes.append(weakref.ref(ctx))
                y = x.clone()
                if save:
                    ctx.save_for_backward(y)
                else:
                    ctx.kept = y
                return y

            @staticmethod
            def backward(ctx: Any, grad: Any) -> Any:
                return grad

        gc.collect()
        gc.disable()
        try:
            y = Copy.apply(torch.ones(2, requires_grad=True))
            del y
            at_once = nodes[0]() is None
        finally:
            gc.enable()
        gc.collect()
        return at_once, nodes[0]() is None

    return kept(True), kept(False)


@case((None, None, [4.0], "RuntimeError: Only Tensors created explicitly by the user (g"))
def copies_and_their_gradients(torch: Any) -> Any:
    x = _leaf(torch, [2.0])
    (x * x).sum().backward()
    y = x * 2
    return (
        pickle.loads(pickle.dumps(x)).grad,
        copy.copy(x).grad,
        copy.deepcopy(x).grad.tolist(),
        _error(lambda: copy.deepcopy(y)),
    )


@case(((False, True, ("hi", False), True), (False, True), False, False, True))
def no_grad_everywhere(torch: Any) -> Any:
    @torch.no_grad()
    def generator() -> Any:
        got = yield torch.is_grad_enabled()
        yield got, torch.is_grad_enabled()

    @torch.no_grad
    def recursive(depth: int) -> Any:
        return recursive(depth - 1) if depth else torch.is_grad_enabled()

    def suspended() -> Any:
        with torch.no_grad():
            yield 1

    steps = generator()
    outside = (next(steps), torch.is_grad_enabled(), steps.send("hi"), torch.is_grad_enabled())
    called = recursive(3), torch.is_grad_enabled()
    with torch.no_grad():
        recursive(1)
        nested = torch.is_grad_enabled()
    waiting = suspended()
    next(waiting)
    leaked = torch.is_grad_enabled()
    waiting.close()
    return outside, called, nested, leaked, torch.is_grad_enabled()


@case(([True], [1600.0, 1600.0]))
def threads(torch: Any) -> Any:
    seen: list[bool] = []
    with torch.no_grad():
        other = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        other.start()
        other.join()
    weight = torch.ones(2, requires_grad=True)

    def work() -> None:
        for _ in range(200):
            (weight * 2).sum().backward()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return seen, weight.grad.tolist()


# Custom Functions


@case((True, "GradcheckError: Jacobian mismatch for output 0 with respect to input 0,"))
def intermediate_values_saved(torch: Any) -> Any:
    class Square(torch.autograd.Function):
        """`(2 x)^2`, whose second derivative is lost with what `forward` computed."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            twice = 2 * x
            ctx.save_for_backward(twice)
            return twice * twice

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (twice,) = ctx.saved_tensors
            return 4 * twice * grad

    x = _leaf(torch, [0.3])
    once = torch.autograd.gradcheck(Square.apply, x)
    return once, _error(lambda: torch.autograd.gradgradcheck(Square.apply, x), 71)


@case(([1.0], [0.0]))
def outputs_not_used(torch: Any) -> Any:
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a.clone(), b.clone()

        @staticmethod
        def backward(ctx: Any, grad_a: Any, grad_b: Any) -> Any:
            return grad_a, grad_b

    a, b = _leaf(torch, [1.0]), _leaf(torch, [1.0])
    Two.apply(a, b)[0].sum().backward()
    return a.grad.tolist(), b.grad.tolist()


@case(
    (
        "RuntimeError: Output 0 of V is a view and is ",
        "RuntimeError: Output 0 of V is a view and its",
    )
)
def views_returned_and_written_to(torch: Any) -> Any:
    class V(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return (x * 3).view(-1)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad.view(2, 2) * 3

    x = torch.ones(2, 2, requires_grad=True)
    first, second = V.apply(x), V.apply(x)
    refused = _error(lambda: first.mul_(2), 45)
    with torch.no_grad():
        second.fill_(1)
    return refused, _error(lambda: second.sum().backward(), 45)


@case([(2, 3), (2, 3)])
def nodes_called_by_hand(torch: Any) -> Any:
    x, y = torch.ones(2, 1, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    z = x * y
    return [tuple(t.shape) for t in z.grad_fn(z)]


@pytest.mark.parametrize("name", CASES)
def test_is_right(name: str) -> None:
    found = CASES[name].run(seegrad)
    assert found == CASES[name].right


@pytest.mark.oracle
@pytest.mark.parametrize("name", CASES)
def test_pytorch_is_right_or_not_as_said(name: str) -> None:
    torch = importlib.import_module("torch")
    try:
        found = CASES[name].run(torch)
    except Exception as error:
        found = error
    assert (found == CASES[name].right) is CASES[name].pytorch


def test_the_bad_element_is_named() -> None:
    class Wrong(seegrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            result = (grad * x.cos()).clone()
            result[0, 3] *= 1.5
            return result

    x = seegrad.linspace(0.1, 2, 16, dtype=seegrad.float64).reshape(4, 4).requires_grad_()
    with pytest.raises(RuntimeError, match="Jacobian mismatch") as caught:
        seegrad.autograd.gradcheck(Wrong.apply, (x,))
    assert "[0, 3]" in "".join(caught.value.__notes__)
