"""Complex numbers: the convention of gradients, views of the parts, and what is refused."""

from collections.abc import Callable
from typing import Any

from tests.observe import attempt, rounded


def _z(torch: Any, *values: complex) -> Any:
    return torch.tensor(values, dtype=torch.complex128, requires_grad=True)


def _x(torch: Any, *values: float) -> Any:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def _try(*functions: Callable[[], Any]) -> None:
    for function in functions:
        print(attempt(function))


def names_of_nodes(torch: Any) -> Any:
    functions: list[Callable[[Any], Any]] = [
        torch.abs, torch.angle, torch.real, torch.imag, torch.conj, torch.conj_physical,
        torch.sgn, torch.view_as_real, lambda z: torch.view_as_complex(torch.view_as_real(z)),
        lambda z: torch.complex(z.real, z.imag), lambda z: torch.polar(z.real, z.imag),
        lambda z: z.norm(),
    ]  # fmt: skip
    return [type(function(_z(torch, 1 + 2j)).grad_fn).__name__ for function in functions]


def real_losses(torch: Any) -> Any:
    functions: list[Callable[[Any], Any]] = [
        torch.abs, torch.angle, torch.real, torch.imag, lambda z: z.conj().real,
        lambda z: z.conj().imag, lambda z: z.sgn().real, lambda z: (z * z.conj()).real,
        lambda z: torch.view_as_real(z)[..., 1], lambda z: z.norm(), lambda z: z.norm(1),
        lambda z: z.norm(3), lambda z: z.norm(float("inf")), lambda z: z.abs().log(),
        lambda z: (z**2).real, lambda z: ((-2) ** z).imag, lambda z: z.log().imag,
    ]  # fmt: skip
    shown = []
    for function in functions:
        z = _z(torch, 1 + 2j, -3 + 0.5j, 2 - 1j)
        (first,) = torch.autograd.grad(function(z).sum(), z, create_graph=True)
        second = None
        if first.requires_grad:
            (found,) = torch.autograd.grad(first.abs().pow(2).sum(), z, allow_unused=True)
            second = None if found is None else rounded(found, 4)
        shown.append([rounded(first, 4), second])
    return shown


def slopes_at_zero(torch: Any) -> Any:
    z = _z(torch, 0j, -0j)
    for function in (torch.abs, torch.angle, lambda z: z.sgn().real, lambda z: z.norm()):
        (gradient,) = torch.autograd.grad(function(z).sum(), z)
        print(rounded(gradient))


def real_parameters(torch: Any) -> Any:
    x, z = _x(torch, 1.0, -2.0), _z(torch, 2 + 1j, -1j)
    (x * z).abs().sum().backward()
    print(x.grad.dtype, rounded(x.grad, 4), rounded(z.grad, 4))
    x.grad = None
    torch.polar(x.abs(), x * 2).real.sum().backward()
    print(rounded(x.grad, 4))
    x.grad = None
    (torch.complex(x, x * x) ** 2).imag.sum().backward()
    print(rounded(x.grad, 4))
    x.grad = None
    (x ** z.detach()).abs().sum().backward()
    print(rounded(x.grad, 4))


def complex_losses(torch: Any) -> Any:
    z = _z(torch, 1 + 2j)
    _try(
        lambda: (z * z).backward(),
        lambda: (z * z).sum().backward(),
        lambda: torch.autograd.grad((z * z).sum(), z),
        lambda: (z.abs() * 1).backward(torch.ones(1, dtype=torch.complex128)),
        lambda: (z * z).backward(torch.ones(1, dtype=torch.float64)),
    )
    z.grad = None
    (z * z).backward(torch.ones(1, dtype=torch.complex128))
    print(z.grad)


def views_refused(torch: Any) -> Any:
    _try(
        lambda: torch.view_as_complex(torch.zeros(3)),
        lambda: torch.view_as_complex(torch.zeros(3, 1)),
        lambda: torch.view_as_complex(torch.tensor(1.0)),
        lambda: torch.view_as_complex(torch.zeros(2, 4)[:, ::2]),
        lambda: torch.view_as_complex(torch.zeros(2, 3)[:, :2]),
        lambda: torch.view_as_complex(torch.zeros(2, 2, dtype=torch.int64)),
        lambda: torch.view_as_real(torch.zeros(2)),
        lambda: torch.imag(torch.zeros(2)),
        lambda: torch.zeros(2).imag,
        lambda: torch.complex(torch.zeros(2), torch.zeros(2, dtype=torch.float64)),
        lambda: torch.complex(torch.zeros(2, dtype=torch.int64), torch.zeros(2)),
        lambda: torch.polar(torch.zeros(2), torch.zeros(2, dtype=torch.float64)),
    )


def parts_written_to(torch: Any) -> Any:
    z = torch.zeros(2, dtype=torch.complex64)
    z.real = torch.ones(2)
    z.imag = 2
    x = torch.zeros(2)
    x.real = torch.ones(2)
    print(z, x)

    def write(part: str, tensor: Any, value: Any) -> None:
        setattr(tensor, part, value)

    _try(
        lambda: write("imag", torch.zeros(2), torch.ones(2)),
        lambda: write("real", torch.zeros(2, dtype=torch.complex64), torch.ones(3)),
        lambda: write("real", _z(torch, 1j), torch.ones(1)),
        lambda: write("imag", _z(torch, 1j), torch.ones(1)),
    )


def gradients_through_written_parts(torch: Any) -> Any:
    z, x = _z(torch, 0j, 0j), _x(torch, 1.0, 2.0)
    w = z * 1
    w.real = x
    w.imag = x * 2
    (w * w).abs().sum().backward()
    print(rounded(z.grad, 4), rounded(x.grad, 4))
    z = _z(torch, 1 + 1j, 2)
    w = z * 1
    w.real.mul_(3)
    w.imag.add_(1)
    (w * w.conj()).real.sum().backward()
    print(rounded(z.grad), rounded(w), type(w.grad_fn).__name__)
    x = _x(torch, 1.0, 2.0)
    pair = x.reshape(1, 2) * 1
    torch.view_as_complex(pair).mul_(1j)
    pair[0, 0].backward()
    print(rounded(x.grad), rounded(pair), type(pair.grad_fn).__name__)


def hooks_see_dtypes(torch: Any) -> Any:
    z, seen = _z(torch, 1 + 1j), []  # type: tuple[Any, list[str]]
    size = z.abs()
    size.register_hook(lambda grad: seen.append(str(grad.dtype)))
    z.register_hook(lambda grad: seen.append(str(grad.dtype)))
    size.backward(torch.ones(1, dtype=torch.float64))
    (z.real * 2).sum().backward()
    return [seen, rounded(z.grad, 4)]


def wrong_kinds_of_gradients(torch: Any) -> Any:
    class Turn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            return t * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 1j

    x, z = _x(torch, 1.0), _z(torch, 1 + 1j)
    _try(
        lambda: Turn.apply(x).sum().backward(),
        lambda: setattr(z, "grad", torch.ones(1, dtype=torch.float64)),
        lambda: setattr(x, "grad", torch.ones(1, dtype=torch.complex128)),
    )
    print(x.grad, torch.ones(1, dtype=torch.complex64).requires_grad_().requires_grad)
