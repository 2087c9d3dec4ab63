"""What the tutorial on double backward of custom Functions does, pictures included."""

from typing import Any

from tests.documents.pictures import make_dot, structure
from tests.observe import attempt, edges


def _square(torch: Any) -> Any:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad_out * 2 * x

    return Square.apply


def _exp(torch: Any) -> Any:
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            result = torch.exp(x)
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            (result,) = ctx.saved_tensors
            return result * grad_out

    return Exp.apply


def _sinh(torch: Any) -> Any:
    class Sinh(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            rising, falling = torch.exp(x), torch.exp(-x)
            ctx.save_for_backward(rising, falling)
            return (rising - falling) / 2, rising, falling

        @staticmethod
        def backward(ctx: Any, grad_out: Any, grad_rising: Any, grad_falling: Any) -> Any:
            rising, falling = ctx.saved_tensors
            grad_input = grad_out * (rising + falling) / 2
            grad_input += grad_rising * rising
            grad_input -= grad_falling * falling
            return grad_input

    return lambda x: Sinh.apply(x)[0]


def _sinh_bad(torch: Any) -> Any:
    class SinhBad(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.rising, ctx.falling = torch.exp(x), torch.exp(-x)
            return (ctx.rising - ctx.falling) / 2

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            return grad_out * (ctx.rising + ctx.falling) / 2

    return SinhBad.apply


def _cube(torch: Any) -> Any:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            (x,) = ctx.saved_tensors
            return CubeBackward.apply(grad_out, x)

    class CubeBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, grad_out: Any, x: Any) -> Any:
            ctx.save_for_backward(x, grad_out)
            return grad_out * 3 * x**2

        @staticmethod
        def backward(ctx: Any, grad_grad: Any) -> Any:
            x, grad_out = ctx.saved_tensors
            return grad_grad * 3 * x**2, grad_grad * grad_out * 6 * x

    return Cube.apply


def _checks(torch: Any, function: Any, x: Any) -> list[Any]:
    return [attempt(lambda: torch.autograd.gradcheck(function, x)),
            attempt(lambda: torch.autograd.gradgradcheck(function, x))]  # fmt: skip


def _orders(torch: Any, function: Any, x: Any) -> Any:
    """Value and derivatives, as printed, with the edges of the first derivative's node."""
    out = function(x)
    (first,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    print(out, first, sep="\n")
    if first.grad_fn is None:
        return attempt(lambda: torch.autograd.grad(first.sum(), x))
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    print(second)
    return edges(first.grad_fn)


def _picture(torch: Any, function: Any, x: Any, sum_first: bool) -> Any:
    out = function(x)
    (grad_x,) = torch.autograd.grad(out.sum() if sum_first else out, x, create_graph=True)
    names = {"grad_x": grad_x, "x": x, "out": out}
    return structure(make_dot(torch, (grad_x, x, out), params=names).source)


def _matrix(torch: Any) -> Any:
    return torch.rand(3, 3, requires_grad=True, dtype=torch.double)


def _one(torch: Any, dtype: Any = None) -> Any:
    return torch.tensor(1.0, requires_grad=True, dtype=dtype).clone()


def square(torch: Any) -> Any:
    function = _square(torch)
    return [_checks(torch, function, _matrix(torch)), _orders(torch, function, _one(torch))]


def square_drawn(torch: Any) -> Any:
    return _picture(torch, _square(torch), _one(torch), sum_first=False)


def exponential(torch: Any) -> Any:
    function, x = _exp(torch), _one(torch, torch.double)
    return [_checks(torch, function, x), _orders(torch, function, x)]


def exponential_drawn(torch: Any) -> Any:
    return _picture(torch, _exp(torch), _one(torch, torch.double), sum_first=False)


def hyperbolic_sine(torch: Any) -> Any:
    function, x = _sinh(torch), _matrix(torch)
    return [_checks(torch, function, x), _orders(torch, function, x)]


def hyperbolic_sine_drawn(torch: Any) -> Any:
    return _picture(torch, _sinh(torch), _matrix(torch), sum_first=True)


def hyperbolic_sine_done_badly(torch: Any) -> Any:
    function, x = _sinh_bad(torch), _one(torch, torch.double)
    twice = attempt(lambda: torch.autograd.gradgradcheck(function, _matrix(torch)))
    once = torch.autograd.gradcheck(function, _matrix(torch))
    return [once, twice.split("\n")[0], _orders(torch, function, x)]


def hyperbolic_sine_done_badly_drawn(torch: Any) -> Any:
    return _picture(torch, _sinh_bad(torch), _matrix(torch), sum_first=True)


def cube(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True, dtype=torch.double)
    function = _cube(torch)
    return [_checks(torch, function, x), _orders(torch, function, x)]


def cube_drawn(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True, dtype=torch.double)
    return _picture(torch, _cube(torch), x, sum_first=False)


def forward_does_not_record(torch: Any) -> Any:
    class Looks(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            inner = x * 2
            print(torch.is_grad_enabled(), inner.requires_grad, inner.grad_fn)
            return inner

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            print(torch.is_grad_enabled(), grad_out.requires_grad)
            return grad_out * 2

    x = _one(torch)
    torch.autograd.grad(Looks.apply(x), x)
    torch.autograd.grad(Looks.apply(x), x, create_graph=True)
    return edges(Looks.apply(x).grad_fn)
