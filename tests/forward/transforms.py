"""`torch.func.jvp`, `jacfwd` and `linearize`, inside of each other and of reverse mode."""

import warnings
from typing import Any

from tests.observe import attempt


def _parts(torch: Any) -> Any:
    with warnings.catch_warnings():  # what PyTorch loads at first is deprecated
        warnings.simplefilter("ignore")
        with torch.autograd.forward_ad.dual_level():
            torch.autograd.forward_ad.make_dual(torch.ones(1), torch.ones(1))
    return torch.func, torch.tensor([1.0, 2.0]), torch.tensor([1.0, -1.0])


def _cubes(x: Any) -> Any:
    return (x**3).sum()


def products(torch: Any) -> Any:
    func, x, v = _parts(torch)
    return [
        repr(found)
        for found in (
            func.jvp(torch.sin, (x,), (v,)),
            func.jvp(lambda a: x * 2, (x,), (v,)),
            func.jvp(lambda a: a.long(), (x,), (v,)),
            func.jvp(lambda a: a, (x,), (v,)),
            func.jvp(lambda a: (a * 2, {"k": [a * 3]}), (x,), (v,)),
            func.jvp(lambda a: (a * 2, a * 3), (x,), (v,), has_aux=True),
            func.jvp(lambda a, b: a * b, (x, x), (v, v)),
            func.jvp(lambda d: d["a"] * d["b"], ({"a": x, "b": x},), ({"a": v, "b": v},)),
        )
    ]


def refused(torch: Any) -> Any:
    func, x, v = _parts(torch)
    whole = torch.tensor([1, 2])
    calls = (
        (torch.sin, x, v),
        (torch.sin, (x,), v),
        (torch.sin, (x,), (v, v)),
        (torch.sin, (), ()),
        (torch.sin, (x,), (torch.ones(3),)),
        (torch.sin, (x,), (1.0,)),
        (torch.sin, (1.0,), (v,)),
        (torch.sin, (x,), (None,)),
        (torch.sin, (whole,), (whole,)),
        (torch.sin, (x,), (whole,)),
        (lambda a: 3, (x,), (v,)),
        (lambda a: [], (x,), (v,)),
        (lambda a: None, (x,), (v,)),
        (lambda a: (a, 3), (x,), (v,)),
        (lambda d: d["a"], ({"a": x, "b": x},), ({"a": v},)),
        (lambda a: (a * 1).sum().backward(), (x,), (v,)),
    )
    seen = [attempt(lambda: func.jvp(*call)) for call in calls]
    for give in (lambda a: x * 2, lambda a: a > 1):
        seen.append(attempt(lambda: func.jvp(give, (x,), (v,), strict=True)))
    for give in (lambda a: (a * 2, 3), lambda a: a * 2, lambda a: (a, a, a)):
        seen.append(attempt(lambda: func.jvp(give, (x,), (v,), has_aux=True)))
    with torch.autograd.forward_ad.dual_level():
        seen.append(attempt(lambda: func.jvp(torch.sin, (x,), (v,))))
    seen.append(attempt(lambda: func.jvp(lambda a: (_entered(torch), a)[1], (x,), (v,))))
    return seen


def _entered(torch: Any) -> None:
    with torch.autograd.forward_ad.dual_level():
        pass


def nested(torch: Any) -> Any:
    func, x, v = _parts(torch)
    one, three = torch.tensor(1.0), torch.tensor(3.0)

    def confused(a: Any) -> Any:
        return func.jvp(lambda b: a * b, (one,), (one,))[1] * a

    def second(f: Any) -> Any:
        return lambda a: func.jvp(f, (a,), (v,))[1]

    def summed(a: Any) -> Any:
        return second(_cubes)(a).sum()

    return [
        repr(found)
        for found in (
            func.jvp(confused, (three,), (one,)),
            func.jvp(second(torch.exp), (x,), (v,)),
            func.jvp(second(second(lambda a: a**4)), (x,), (v,)),
            func.jvp(func.grad(_cubes), (x,), (v,)),
            func.grad(summed)(x),
            func.grad(lambda w: func.jvp(func.grad(_cubes), (x,), (w,))[1].sum())(v),
            func.vjp(second(torch.sin), x)[1](v),
            func.jvp(func.vmap(torch.sin), (x,), (v,)),
            func.vmap(lambda a: func.jvp(torch.sin, (a,), (a,))[1])(x),
            func.jvp(func.grad(summed), (x,), (v,)),
            func.jvp(lambda a: func.jvp(lambda b: b * a.detach(), (a,), (a,)), (x,), (v,)),
        )
    ]


def recorded(torch: Any) -> Any:
    """What requires a gradient outside."""
    func, x, v = _parts(torch)
    a, t = x.clone().requires_grad_(), v.clone().requires_grad_()
    value, tangent = func.jvp(lambda x: x**3, (a,), (t,))
    seen = [repr(value), tangent.requires_grad]
    seen += [repr(torch.autograd.grad(tangent.sum(), (a, t)))]
    with torch.no_grad():
        seen += [repr(func.jvp(lambda x: x**3, (a,), (t,)))]
    value, tangent = func.jvp(lambda x: x, (a,), (t,))
    seen += [repr(value), tangent is t]
    (jacobian,) = [func.jacfwd(torch.sin)(a)]
    seen += [jacobian.requires_grad, repr(torch.autograd.grad(jacobian.sum(), a))]
    return seen


def jacobians(torch: Any) -> Any:
    func, x, _ = _parts(torch)
    return [
        repr(found)
        for found in (
            func.jacfwd(torch.sin)(x),
            func.jacfwd(torch.sin)(torch.tensor(1.0)),
            func.jacfwd(torch.sum)(x.view(1, 2)),
            func.jacfwd(lambda a: a.outer(a))(x),
            func.jacfwd(lambda a: x * 2)(x),
            func.jacfwd(lambda a, b: (a * b, a.sum()), argnums=(0, 1))(x, x),
            func.jacfwd(lambda a, b: {"z": a * b}, argnums=1)(x, x),
            func.jacfwd(lambda a: (a * 2, a.sum()), has_aux=True)(x),
            func.jacfwd(lambda d: d["a"] * 2)({"a": x}),
            func.jacfwd(func.jacfwd(_cubes))(x),
            func.jacfwd(func.jacrev(_cubes))(x),
            func.jacrev(func.jacfwd(_cubes))(x),
            func.jacfwd(func.jacfwd(func.jacfwd(_cubes)))(x),
        )
    ] + [func.jacfwd(torch.sin).__name__]


def jacobians_refused(torch: Any) -> Any:
    func, x, _ = _parts(torch)
    return [
        attempt(lambda: func.jacfwd(give, **options)(value))
        for give, options, value in (
            (torch.sin, {"argnums": 2}, x),
            (torch.sin, {"argnums": "a"}, x),
            (torch.sin, {"argnums": ()}, x),
            (torch.sin, {"argnums": (0, 0)}, x),
            (torch.sin, {"randomness": "any"}, x),
            (torch.sin, {"chunk_size": 1}, x),
            (torch.sin, {}, x + 0j),
            (torch.sin, {}, torch.tensor([1, 2])),
            (lambda a: a + 0j, {}, x),
            (lambda a: 3, {}, x),
            (lambda a: a * torch.rand(2), {}, x),
        )
    ]


def linear(torch: Any) -> Any:
    func, x, v = _parts(torch)
    warnings.simplefilter("ignore")  # PyTorch warns of how it traces
    value, push = func.linearize(lambda a: a**3, x)
    seen = [repr(value), repr(push(v)), repr(push(2 * v)), push.__name__]
    for wrong in ((torch.ones(3),), (v, v), (), ([v],), (v.double(),), (1.0,)):
        seen.append(attempt(lambda: push(*wrong)))
    value, push = func.linearize(lambda a, b: {"q": (a * b, a)}, x, x)
    seen += [repr(value), repr(push(v, v)), attempt(lambda: push(v))]
    return seen


def custom(torch: Any) -> Any:
    func, x, v = _parts(torch)

    class Old(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 2

    class Cube(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(a: Any) -> Any:
            return a**3

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_forward(*inputs)
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 3 * ctx.saved_tensors[0] ** 2

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            return tangent * 3 * ctx.saved_tensors[0] ** 2

    seen = [attempt(lambda: func.jvp(Old.apply, (x,), (v,)))]
    seen += [repr(func.jvp(Cube.apply, (x,), (v,)))]
    seen += [repr(func.jvp(func.grad(lambda a: Cube.apply(a).sum()), (x,), (v,)))]
    seen += [repr(func.grad(lambda a: func.jvp(Cube.apply, (a,), (v,))[1].sum())(x))]
    return seen


def levels_seen(torch: Any) -> Any:
    """Inside of `jvp` the functions of `forward_ad` see its level."""
    func, x, v = _parts(torch)
    fw = torch.autograd.forward_ad
    seen: list[Any] = []

    def inside(a: Any) -> Any:
        seen.append(fw._current_level)
        return tuple(fw.unpack_dual(a * 2))

    seen.append(repr(func.jvp(inside, (x,), (v,))))
    return [*seen, fw._current_level]
