"""Right and wrong functions under gradcheck and gradgradcheck; each shows what was said of it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any
from warnings import catch_warnings

from tests.observe import attempt


def _point(torch: Any, *shape: int, dtype: str = "float64") -> Any:
    """A fixed point whose numbers are no special ones."""
    size = 1
    for extent in shape:
        size *= extent
    numbers = torch.linspace(0.3, 1.7, size, dtype=torch.float64)
    if dtype.startswith("complex"):
        numbers = numbers + 1j * torch.linspace(0.9, -0.4, size, dtype=torch.float64)
    return numbers.reshape(shape).to(getattr(torch, dtype)).requires_grad_()


def _function(torch: Any, forward: Callable[..., Any], backward: Callable[..., Any]) -> Any:
    """A custom Function that saves its inputs; backward gets them, then the gradients."""

    class Made(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            ctx.save_for_backward(*inputs)
            return forward(*inputs)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return backward(ctx.saved_tensors, *grads)

    return Made.apply


def _check(torch: Any, forward: Any, backward: Any, inputs: Any, **options: Any) -> str:
    function = _function(torch, forward, backward)
    return attempt(lambda: torch.autograd.gradcheck(function, inputs, **options))


def right(torch: Any) -> list[str]:
    x, y, z = _point(torch, 2, 2), _point(torch, 2), _point(torch, 2, dtype="complex128")
    functions: list[tuple[Any, Any]] = [
        (lambda a: a * a, x),
        (lambda a, b: (a * b, a.sum()), (x, y)),
        (lambda a, k: a * k, (x, 3)),
        (lambda a, b: [a * 2, b * 3], [x, y]),
        (lambda a: a * a, z),
        (lambda a: (a.abs(), a * a, a.real), z),
        (lambda a: a * (2 + 1j), y),
        (lambda a: a, x),
        (lambda a: a.view(-1), x),
        (lambda a: a.sum(), x),
        (lambda a: a * a, x.detach().t().requires_grad_()),
        (lambda a: a * a, x.clone()),
        (lambda a: a * a, torch.zeros(0, dtype=torch.float64, requires_grad=True)),
        (lambda a: (a * 2, a.detach()), x),
        (lambda a: torch.zeros(2, dtype=torch.float64), x),
        (lambda a: a.max(0), x),
        (lambda a, b: a * 3, (x, y)),
    ]
    return [
        attempt(lambda f=f, i=i, mode=mode: torch.autograd.gradcheck(f, i, fast_mode=mode))
        for f, i in functions
        for mode in (False, True)
    ]


def right_twice(torch: Any) -> list[str]:
    x, y, z = _point(torch, 2, 2), _point(torch, 2), _point(torch, 2, dtype="complex128")
    check = torch.autograd.gradgradcheck
    ones = torch.ones(2, 2, dtype=torch.float64)
    return [
        attempt(lambda: check(lambda a: a * a * a, x)),
        attempt(lambda: check(lambda a: a * a * a, x, fast_mode=True)),
        attempt(lambda: check(lambda a, b: (a * b).exp(), (x, y))),
        attempt(lambda: check(lambda a: a * a * a, z)),
        attempt(lambda: check(lambda a: a * 2, x)),
        attempt(lambda: check(lambda a: (a * a, a.detach() * 2), x)),
        attempt(lambda: check(lambda a: a * a, x, ones)),
        attempt(lambda: check(lambda a: a * a, x, (ones,), gen_non_contig_grad_outputs=True)),
        attempt(lambda: check(lambda a: a * a, x, gen_non_contig_grad_outputs=True)),
    ]


def factor(torch: Any) -> str:
    return _check(torch, lambda a: a * 2, lambda s, g: g * 3, _point(torch, 2, 2))


def one_of_many_elements(torch: Any) -> str:
    def backward(saved: Any, grad: Any) -> Any:
        result = (grad * saved[0].cos()).clone()
        result[0, 3] *= 1.5
        return result

    return _check(torch, lambda a: a.sin(), backward, _point(torch, 4, 4))


def second_input(torch: Any) -> str:
    return _check(torch, lambda a, b: a * b, lambda s, g: (g * s[1], (g * 3).sum(0)),
                  (_point(torch, 2, 2), _point(torch, 2)))  # fmt: skip


def second_output(torch: Any) -> str:
    return _check(torch, lambda a: (a * 2, a * 3), lambda s, g, h: g * 2 + h * 5,
                  _point(torch, 2))  # fmt: skip


def order_of_reports(torch: Any) -> str:
    return _check(torch, lambda a, b: (a * 2 + b * 2, a * 3 + b * 3),
                  lambda s, g, h: (g * 2 + h * 7, g * 5 + h * 3),
                  (_point(torch, 2), _point(torch, 2)))  # fmt: skip


def only_differentiable_ones_count(torch: Any) -> str:
    wrong = _function(torch, lambda a: a * 2, lambda s, g: g * 3)
    x = _point(torch, 2)
    return attempt(lambda: torch.autograd.gradcheck(lambda k, a: (a.detach(), wrong(a)), (3, x)))


def no_gradient_at_all(torch: Any) -> str:
    return _check(torch, lambda a: a * 2, lambda s, g: None, _point(torch, 2))


def a_kink(torch: Any) -> str:
    x = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    return attempt(lambda: torch.autograd.gradcheck(torch.relu, x))


def not_a_number(torch: Any) -> str:
    return attempt(lambda: torch.autograd.gradcheck(lambda a: a * float("nan"), _point(torch, 2)))


def complex_without_conj(torch: Any) -> str:
    return _check(torch, lambda a: a * a, lambda s, g: g * 2 * s[0],
                  _point(torch, 2, dtype="complex128"))  # fmt: skip


def complex_to_real(torch: Any) -> str:
    return _check(torch, lambda a: a.real * 2, lambda s, g: g * 3 + 0j,
                  _point(torch, 2, dtype="complex128"))  # fmt: skip


def real_to_complex(torch: Any) -> list[str]:
    x = _point(torch, 2)
    return [
        _check(torch, lambda a: a * (2 + 5j), lambda s, g: (g * (3 - 5j)).real, x),
        _check(torch, lambda a: a * (2 + 5j), lambda s, g: (g * (2 - 4j)).real, x),
    ]


def single_precision(torch: Any) -> str:
    # Far from right, so that rounding decides no printed digit.
    return _check(torch, lambda a: a * 2, lambda s, g: g * 3, _point(torch, 2, dtype="float32"),
                  eps=0.25)  # fmt: skip


def mixed_precision(torch: Any) -> str:
    return _check(torch, lambda a: a.float() * 2, lambda s, g: g.double() * 3, _point(torch, 2),
                  eps=0.25)  # fmt: skip


def large(torch: Any) -> str:
    return _check(torch, lambda a: a * 2, lambda s, g: g * 3, _point(torch, 40))


def tolerance(torch: Any) -> list[str]:
    x = _point(torch, 2)
    return [
        _check(torch, lambda a: a * 2, lambda s, g: g * factor, x, **options)
        for factor, options in [
            (2.0019, {}), (2.003, {}), (2.003, {"rtol": 1e-2}), (2.1, {"atol": 0.2}),
            (1.99801, {"atol": 0, "rtol": 1e-3}), (2.0021, {"atol": 0, "rtol": 1e-3}),
        ]
    ]  # fmt: skip


def not_reentrant(torch: Any) -> str:
    runs = []

    def backward(saved: Any, grad: Any) -> Any:
        runs.append(grad)
        return grad * 2 * (1 + (1e-4 if len(runs) % 3 == 0 else 0))

    return _check(torch, lambda a: a * 2, backward, _point(torch, 2, 2))


def not_reentrant_within_tolerance(torch: Any) -> str:
    runs = []

    def backward(saved: Any, grad: Any) -> Any:
        runs.append(grad)
        return grad * 2 * (1 + (1e-4 if len(runs) % 3 == 0 else 0))

    return _check(torch, lambda a: a * 2, backward, _point(torch, 2, 2), nondet_tol=1e-2)


def not_multiplied_by_grad_output(torch: Any) -> list[str]:
    return [
        _check(torch, lambda a: a * 2, lambda s, g: torch.full_like(g, 2.0), _point(torch, 1)),
        _check(torch, lambda a: a * 2, lambda s, g: g * 2 + 1e-9, _point(torch, 2)),
        _check(torch, lambda a, b: (a + b) * 2, lambda s, g: (g * 2, g * 2 + 1e-9),
               (_point(torch, 2), _point(torch, 2))),
    ]  # fmt: skip


def _undefined(torch: Any, backward: Any, outputs: int) -> Any:
    class Picky(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.set_materialize_grads(False)
            return (a * 2, a * 3)[:outputs] if outputs > 1 else a * 2

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return backward(*grads)

    return Picky.apply


def undefined_gradients(torch: Any) -> list[str]:
    x = _point(torch, 2)
    ones = torch.ones(2, dtype=torch.float64)
    careless = _undefined(torch, lambda g: g * 2, 1)
    wrong = _undefined(torch, lambda g: ones if g is None else g * 2, 1)
    check = torch.autograd.gradcheck
    return [
        attempt(lambda: check(careless, x)),
        attempt(lambda: check(careless, x, check_undefined_grad=False)),
        attempt(lambda: check(wrong, x)),
        attempt(lambda: check(wrong, x, check_undefined_grad=False)),
        attempt(lambda: check(wrong, x, raise_exception=False)),
    ]


def undefined_gradient_of_one_output(torch: Any) -> str:
    def backward(first: Any, second: Any) -> Any:
        if first is None and second is None:
            return None
        return (0 if first is None else first * 2) + second * 3

    function = _undefined(torch, backward, 2)
    x = _point(torch, 2)
    return attempt(lambda: torch.autograd.gradcheck(function, x))


def returned_not_raised(torch: Any) -> list[str]:
    x = _point(torch, 2)
    return [
        _check(torch, lambda a: a * 2, lambda s, g: g * 3, x, raise_exception=False),
        _check(torch, lambda a: a * 2, lambda s, g: g * 3, x, raise_exception=False,
               fast_mode=True),
        _check(torch, lambda a: a * 2, lambda s, g: 1 / 0, x, raise_exception=False),
    ]  # fmt: skip


def refused(torch: Any) -> list[str]:
    x, y = _point(torch, 2, 2), _point(torch, 2)
    check = torch.autograd.gradcheck
    return [
        attempt(lambda: check(lambda a: a * 2, x.detach())),
        attempt(lambda: check(lambda a: a * 2, x.detach(), raise_exception=False)),
        attempt(lambda: check(lambda a: a * 2, 3.0)),
        attempt(lambda: check(lambda a: a * 2, {"a": x})),
        attempt(lambda: check(lambda a: a * 2, y.expand(3, 2))),
        attempt(lambda: check(lambda a, b: a * b, (y, _point(torch, 1).expand(2)))),
        attempt(lambda: check(lambda a, b: a * b, (y, _point(torch, 1).detach().expand(2)))),
        attempt(lambda: check(lambda a: a * 2, x, check_backward_ad=False)),
        attempt(lambda: check(lambda a: a * 2, x, check_batched_forward_grad=True)),
        attempt(lambda: check(lambda a: 3.0, x)),
        attempt(lambda: check(lambda a: None, x)),
        attempt(lambda: check(lambda a: {"a": a}, x)),
        attempt(lambda: check(lambda a: a > 0, x)),
        attempt(lambda: torch.autograd.gradgradcheck(lambda a: a * a, x.detach())),
        attempt(lambda: torch.autograd.gradgradcheck(lambda a: a * a, x,
                                                     check_rev_over_rev=False)),
    ]  # fmt: skip


def constants(torch: Any) -> list[str]:
    x = _point(torch, 2)
    z = _point(torch, 2, dtype="complex128")
    check = torch.autograd.gradcheck
    return [
        attempt(lambda: check(lambda a: a.detach(), x)),
        attempt(lambda: check(lambda a: a.detach(), x, fast_mode=True)),
        attempt(lambda: check(lambda a: a.detach(), z)),
        attempt(lambda: check(lambda a: a.long(), x)),
        attempt(lambda: check(lambda a, b: b.detach() * 2, (x, _point(torch, 2)))),
    ]


def without_recording(torch: Any) -> str:
    with torch.no_grad():
        x = _point(torch, 2)
        return attempt(lambda: torch.autograd.gradcheck(lambda a: a * a, x))


def intermediate_value(torch: Any) -> str:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            twice = 2 * x
            ctx.save_for_backward(twice)
            return twice * twice

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return 4 * ctx.saved_tensors[0] * grad

    x = _point(torch, 3)
    return attempt(lambda: torch.autograd.gradgradcheck(Square.apply, x))


def second_derivative_of_second_input(torch: Any) -> str:
    function = _function(
        torch,
        lambda a, b: a * a * b,
        lambda s, g: (g * 2 * s[0].detach() * s[1], g * s[0] * s[0]),
    )
    inputs = (_point(torch, 2), _point(torch, 2))
    return attempt(lambda: torch.autograd.gradgradcheck(function, inputs))


def drawn_grad_outputs(torch: Any) -> list[Any]:
    seen = []

    def backward(saved: Any, grad: Any) -> Any:
        seen.append([[round(n, 6) for n in torch.view_as_real(grad + 0j).flatten().tolist()]])
        return grad * 2

    results = []
    for dtype in ("float64", "complex128"):
        for spaced in (False, True):
            function = _function(torch, lambda a: a * 2, backward)
            x = _point(torch, 2, 3, dtype=dtype)
            torch.manual_seed(5)
            torch.autograd.gradgradcheck(function, x, gen_non_contig_grad_outputs=spaced)
            results.append(seen[0])
            seen.clear()
    return results


def nothing_of_the_callers_changes(torch: Any) -> list[Any]:
    x, y = _point(torch, 2, 2), _point(torch, 2)
    x.grad = torch.ones(2, 2, dtype=torch.float64)
    before = x.tolist(), y.tolist()
    calls = []

    def product(a: Any, b: Any) -> Any:
        calls.append(a)
        return a * b

    torch.autograd.gradcheck(product, (x, y))
    torch.autograd.gradcheck(product, (x, y), fast_mode=True)
    torch.autograd.gradgradcheck(product, (x, y))
    return [before == (x.tolist(), y.tolist()), x.grad.tolist(), y.grad, x._version,
            all(a is x for a in calls)]  # fmt: skip


def outputs_that_depend_on_the_values(torch: Any) -> list[str]:
    """A shape or dtype that changes under the step of the differences, and whole numbers."""
    x = torch.tensor([[0.5, 1.0], [0.2, 0.5]], dtype=torch.float64, requires_grad=True)
    z = torch.tensor([0.5 + 1j, 1.0], dtype=torch.complex128, requires_grad=True)
    functions: list[tuple[Any, Any]] = [
        (lambda a: a[a > 0.5], x),
        (lambda a: a[a < 0.5], x),
        (lambda a: a.float() * 1 if bool((a > 1).any()) else a, x),
        (lambda a: a.sum() if bool((a > 1).any()) else a, x),
        (lambda a: (a * a)[a.imag > 1], z),
    ]
    said = [
        attempt(lambda: torch.autograd.gradcheck(function, point, fast_mode=fast))
        for fast in (False, True)
        for function, point in functions
    ]
    return [*said, attempt(lambda: torch.autograd.gradcheck(lambda a: (a * 2).long(), x))]


def old_jacobians(torch: Any) -> list[str]:
    """The two functions that gradcheck once showed."""
    module: Any = import_module(torch.autograd.gradcheck.__module__)
    numerical, analytical = module.get_numerical_jacobian, module.get_analytical_jacobian
    a, b = _point(torch, 2, 2), _point(torch, 2, 3)
    noisy = _function(torch, lambda x: x * 1, lambda _, g: g * torch.rand(()).double())
    calls: list[Callable[[], Any]] = [
        lambda: numerical(lambda x: x[0] @ x[1], (a, b), eps=1e-6),
        lambda: numerical(lambda x: (x[0] @ x[1]).sum(), (a, b), target=b, eps=1e-6),
        lambda: numerical(lambda x: x[0] * 2, (a,), grad_out=2.0),
        lambda: analytical((a, b), a @ b),
        lambda: analytical((a,), (a * 2).sum(0)),
        lambda: analytical((a,), noisy(a))[1:],
        lambda: analytical((a,), a * 2, grad_out=2.0),
    ]
    said = []
    for call in calls:
        with catch_warnings(record=True) as caught:
            said.append(attempt(call))
        said += [f"{w.category.__name__}: {w.message}" for w in caught]
    return said
