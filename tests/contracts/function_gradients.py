"""What the backward of a custom Function may return, and what happens when it fails."""

from typing import Any

from tests.contracts.functions import _function, _one
from tests.observe import attempt, edges, rounded


def no_gradient_returned(torch: Any) -> Any:
    class MyF(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None

    x = torch.ones(1, requires_grad=True)
    out = []
    MyF.apply(x).backward()
    out.append(x.grad is None)
    MyF.apply(x**2).backward()
    out.append(x.grad is None)
    MyF.apply(x).sum().backward()
    out.append(x.grad is None)
    out.append(torch.autograd.grad(MyF.apply(x), x, allow_unused=True)[0] is None)
    out.append(attempt(lambda: torch.autograd.grad(MyF.apply(x), x)))
    return out


def errors_in_the_middle(torch: Any) -> Any:
    class SimulateBackwardError(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, x: Any) -> Any:
            raise Exception("Simulate error on backward pass")

    t = torch.rand(3, requires_grad=True)
    r = attempt(lambda: SimulateBackwardError.apply(t).sum().backward())

    class Fw(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            x.mul_(2)
            raise ValueError("fw")

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    b = t * 1
    gf = b.grad_fn
    return (
        r,
        t.grad,
        attempt(lambda: Fw.apply(b)),
        b.grad_fn is gf,
        b._version,
        torch.is_grad_enabled(),
        attempt(lambda: b.sum().backward()),
        rounded(t.grad),
    )


def backward_and_vjp(torch: Any) -> Any:
    class BadBw(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

    class BadBw2(torch.autograd.Function):
        @staticmethod
        def backward(ctx: Any, x: Any) -> Any:
            return x

    class BadBw3(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def vjp(ctx: Any, g: Any) -> Any:
            return g * 2

    def both():
        class B(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x.clone()

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g

            @staticmethod
            def vjp(ctx: Any, g: Any) -> Any:
                return g * 2

        return attempt(lambda: B.apply(x).backward())

    x = _one(torch)
    return [
        attempt(lambda: BadBw.apply(x).sum().backward()),
        attempt(lambda: BadBw2.apply(x)),
        attempt(lambda: BadBw3.apply(x).backward()),
        x.grad.tolist(),
        attempt(both),
    ]


def number_and_kind_of_gradients(torch: Any) -> Any:
    def mk(ret, n):
        return _function(torch, (lambda ctx, *a: a[0] * 1), lambda ctx, g: ret(g))

    x, y = _one(torch), _one(torch)
    rets = [
        lambda g: (g, g, g),
        lambda g: (g, g, None),
        lambda g: g,
        lambda g: (g,),
        lambda g: (),
        lambda g: None,
        lambda g: [g, g],
        lambda g: (g, 3),
        lambda g: "a",
        lambda g: (g, torch.ones(2)),
        lambda g: (g.double(), None),
        lambda g: (g.int(), None),
        lambda g: (g.expand(3), None),
        lambda g: (torch.tensor(2.0), None),
        lambda g: (g, None, 3),
        lambda g: (g.to(torch.complex64), None),
        lambda g: (g.bool(), None),
        lambda g: ((g, g),),
        lambda g: (g, (g,)),
    ]
    out = []
    for r in rets:
        x.grad = None
        y.grad = None
        out.append(
            attempt(lambda: mk(r, 2).apply(x, y).backward())
            + str(None if x.grad is None else x.grad.tolist())
        )
    out.append(attempt(lambda: mk(lambda g: (g, g), 1).apply(x, 3).backward()))
    out.append(attempt(lambda: mk(lambda g: (g, None), 1).apply(x, 3).backward()))
    out.append(attempt(lambda: mk(lambda g: (g, 3), 1).apply(x, 3).backward()))
    out.append(attempt(lambda: mk(lambda g: (g, g), 1).apply(x, torch.ones(1)).backward()))
    out.append(
        attempt(lambda: mk(lambda g: (g, torch.ones(7)), 1).apply(x, torch.ones(1)).backward())
    )
    return out


def shape_of_gradients(torch: Any) -> Any:
    def mk(ret):
        return _function(torch, (lambda ctx, x: x * 1), lambda ctx, g: ret(g))

    out = []
    for shape, ret in (
        ((2, 3), lambda g: torch.ones(3)),
        ((2, 3), lambda g: torch.ones(4, 2, 3)),
        ((2, 3), lambda g: torch.ones(2, 1)),
        ((2, 3), lambda g: torch.ones(())),
        ((1,), lambda g: torch.ones(5)),
        ((), lambda g: torch.ones(2, 2)),
        ((2, 0), lambda g: torch.ones(2, 3)),
        (
            (2,),
            lambda g: (
                torch.ones(2, device="meta") if False else torch.ones(2, 2, dtype=torch.double)
            ),
        ),
    ):
        x = torch.ones(shape, requires_grad=True)
        out.append(
            attempt(lambda: mk(ret).apply(x).sum().backward())
            + str(None if x.grad is None else x.grad.tolist())
        )
        x = torch.ones(shape, requires_grad=True)
        out.append(
            attempt(lambda: mk(ret).apply(x * 1).sum().backward())
            + str(None if x.grad is None else x.grad.tolist())
        )
    return out


def dtype_of_gradients(torch: Any) -> Any:
    def mk(ret):
        return _function(torch, (lambda ctx, x: x * 1), lambda ctx, g: ret(g))

    out = []
    for d in (torch.float, torch.double, torch.half, torch.cfloat):
        for r in (torch.float, torch.double, torch.half, torch.int, torch.bool, torch.cfloat):
            x = torch.ones(2, dtype=d, requires_grad=True)
            out.append(
                (
                    str(d),
                    str(r),
                    attempt(
                        lambda: (
                            mk(lambda g: torch.ones(2, dtype=r)).apply(x).sum().abs().backward()
                        )
                    )
                    + str(None if x.grad is None else (str(x.grad.dtype), x.grad.tolist())),
                )
            )
    return out


def once_differentiable(torch: Any) -> Any:
    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    x = _one(torch)
    y = D.apply(x)
    z = y * y
    (g,) = torch.autograd.grad(z, x, create_graph=True)

    class N(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            return None

    class L(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            return [g]

    class Number(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            return 3

    w = torch.ones(1, requires_grad=True)
    return (
        g.requires_grad,
        type(g.grad_fn).__name__,
        attempt(lambda: g.backward()),
        attempt(lambda: torch.autograd.grad(N.apply(x), x, w, create_graph=True)),
        attempt(lambda: torch.autograd.grad(L.apply(x), x, w, create_graph=True)),
        attempt(lambda: torch.autograd.grad(Number.apply(x), x, w, create_graph=True)),
        D.backward.__name__,
    )


def function_inside_function(torch: Any) -> Any:
    class In(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    class Out(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                y = x.detach().requires_grad_()
                z = In.apply(y)
            ctx.y, ctx.z = y, z
            q = In.apply(x)
            print(q.requires_grad, z.requires_grad, z.grad_fn.name())
            return z.detach()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return torch.autograd.grad(ctx.z, ctx.y, g)

    x = _one(torch)
    Out.apply(x).backward()
    return rounded(x.grad)


def node_called_by_hand(torch: Any) -> Any:
    x = _one(torch)
    D = _function(torch, lambda ctx, x: x * 2)
    y = D.apply(x)
    return (
        attempt(lambda: y.grad_fn(torch.ones(1))),
        attempt(lambda: y.grad_fn.apply(torch.ones(1))),
        attempt(lambda: y.grad_fn(torch.ones(1), 2)),
        attempt(lambda: y.grad_fn()),
    )


def posthooks_see_all_gradients(torch: Any) -> Any:
    log = []
    D = _function(
        torch, lambda ctx, x, y, k, z: x * y * z, lambda ctx, g: (g * 1, g * 2, None, g * 3)
    )
    x, y, z = _one(torch), torch.ones(1), _one(torch)
    o = D.apply(x, y, 3, z)
    o.grad_fn.register_hook(
        lambda gi, go: log.append([None if g is None else rounded(g) for g in gi])
    )
    o.backward(retain_graph=True)
    o2 = x * y
    o2.grad_fn.register_hook(
        lambda gi, go: log.append([None if g is None else rounded(g) for g in gi])
    )
    o2.backward()
    log.append(edges(o.grad_fn))
    log.append(edges(o2.grad_fn))
    o = D.apply(x, y, 3, z)
    o.grad_fn.register_hook(
        lambda gi, go: log.append([None if g is None else rounded(g) for g in gi])
    )
    torch.autograd.grad(o, x, create_graph=True)
    o = D.apply(x, y, 3, z)

    def rep(gi, go):
        return tuple(g * 10 if g is not None else None for g in gi)

    o.grad_fn.register_hook(rep)
    o.backward()
    return log, rounded(x.grad), rounded(z.grad)


def complex_function(torch: Any) -> Any:
    log = []

    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, z: Any) -> Any:
            return z.abs() ** 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            log.append(str(g.dtype))
            return g * torch.ones(2, dtype=torch.cfloat) * 1j

    z = torch.ones(2, dtype=torch.cfloat, requires_grad=True)
    G.apply(z).sum().backward()
    r = torch.ones(2, requires_grad=True)
    H = _function(torch, lambda ctx, x: x * 1j, lambda ctx, g: (g * -1j).real)
    H.apply(r).sum().abs().backward()
    return log, str(z.grad.tolist()), rounded(r.grad)


def gradients_inside_backward(torch: Any) -> Any:
    log = []
    D = _function(
        torch,
        lambda ctx, x: x * x,
        lambda ctx, g: (
            log.append((g.requires_grad, torch.is_grad_enabled(), type(g).__name__, g.is_leaf)),
            g * 2,
        )[1],
    )
    x = _one(torch)
    torch.autograd.grad(D.apply(x), x)
    torch.autograd.grad(D.apply(x), x, create_graph=True)
    w = _one(torch)
    torch.autograd.grad(D.apply(x), x, w, create_graph=True)
    return log


def same_input_twice(torch: Any) -> Any:
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a * b

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 10, g * 100

    a = _one(torch)
    y = Fn.apply(a, a)
    y.backward()
    return rounded(a.grad), edges(y.grad_fn)


def one_gradient_for_two_leaves(torch: Any) -> Any:
    seen = []

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(grad.data_ptr())
        return grad, grad

    add = _function(torch, lambda ctx, x, y: x + y, backward)
    a, b = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    add.apply(a, b)[1].sum().backward()
    places = a.grad.data_ptr(), b.grad.data_ptr()
    a.grad.mul_(5)
    kept = torch.ones(2, 3)
    c, d = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    add.apply(c, d).backward(kept)
    others = c.grad.data_ptr(), d.grad.data_ptr()
    return [places[0] != places[1], seen[0] in places, rounded(a.grad), rounded(b.grad),
            others[0] != others[1], kept.data_ptr() in others]  # fmt: skip


def second_derivative_refused(torch: Any) -> Any:
    def once(backward: Any) -> Any:
        once = torch.autograd.function.once_differentiable
        return _function(torch, lambda ctx, x, y: x * y, once(backward))

    x, y, seed = _one(torch), _one(torch), _one(torch)
    both = once(lambda ctx, grad: (grad * 2, grad * 3)).apply(x, y)
    first, second = torch.autograd.grad(both, [x, y], seed, create_graph=True)
    node = first.grad_fn
    single = once(lambda ctx, grad: (grad * 2, None)).apply(x, torch.ones(1))
    (alone,) = torch.autograd.grad(single, x, seed, create_graph=True)
    plain = torch.ones(1)
    return [
        node.name(), type(node).__name__, node is second.grad_fn, second.output_nr, edges(node),
        attempt(lambda: node(plain)), attempt(lambda: node(plain, plain)),
        attempt(lambda: alone.grad_fn(plain)), edges(alone.grad_fn),
        attempt(lambda: (first + second).backward()), attempt(lambda: alone.backward()),
    ]  # fmt: skip
