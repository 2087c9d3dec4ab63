"""What becomes of the outputs of a custom Function: duplicates, other things, no gradient."""

from typing import Any

from tests.contracts.functions import _function, _one
from tests.observe import attempt, edges, rounded


def materialize(torch: Any) -> Any:
    log = []

    class M(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x, x * 2, x * 3

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
            log.append([None if g is None else (rounded(g), g.requires_grad) for g in (a, b, c)])
            return b

    x = torch.ones(2, requires_grad=True)
    M.apply(x)[1].sum().backward()

    class N(M):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x.clone(), x * 2, x * 3

    N.apply(x)[1].sum().backward()

    class P(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            log.append(rounded(g))
            return g

    class Q(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None

    P.apply(Q.apply(P.apply(x))).sum().backward()
    return log


def materialize_non_diff(torch: Any) -> Any:
    log = []
    for value in (None, True, False):
        for nd in (True, False):

            class Func(torch.autograd.Function):
                @staticmethod
                def forward(ctx: Any, x: Any) -> Any:
                    o0, o1, o2 = x.clone(), x.clone(), torch.ones(3)
                    if nd:
                        ctx.mark_non_differentiable(o1)
                    if value is not None:
                        ctx.set_materialize_grads(value)
                    return o0, o1, o2.int()

                @staticmethod
                def backward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
                    log.append(
                        [None if g is None else (str(g.dtype), rounded(g)) for g in (a, b, c)]
                    )
                    return a

            x = _one(torch)
            o = Func.apply(x)
            log.append([t.requires_grad for t in o])
            o[0].backward()
    return log


def no_zeros_for_what_has_no_gradient(torch: Any) -> Any:
    log = []

    class Func(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            a, b = x.clone(), x.clone()
            ctx._materialize_non_diff_grads = False
            ctx.mark_non_differentiable(b)
            return a, b

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            log.append((a is None, b is None))
            return a

    Func.apply(_one(torch))[0].backward()
    return log


def marked_non_differentiable(torch: Any) -> Any:
    class MyF(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            out = x > 0
            ctx.mark_non_differentiable(out)
            return out

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return (g * 0).to(torch.double)

    x = torch.randn(5, requires_grad=True)
    m = MyF.apply(x)
    y = x.masked_fill(m, 0)
    y.sum().backward()

    class M2(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            a, b = x + 1, x + 2
            ctx.mark_non_differentiable(a)
            return a, b

        @staticmethod
        def backward(ctx: Any, ga: Any, gb: Any) -> Any:
            print(rounded(ga), rounded(gb))
            return gb

    x = torch.randn(5, requires_grad=True)
    a, b = M2.apply(x)
    b.sum().backward()

    class M3(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_non_differentiable(None)
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    return [
        m.requires_grad,
        a.requires_grad,
        a.grad_fn is None,
        b.requires_grad,
        b.output_nr,
        rounded(x.grad),
        attempt(lambda: M3.apply(x)),
        attempt(lambda: M3.apply(x.detach())),
    ]


def nothing_differentiable(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x: (ctx.mark_non_differentiable(x), x)[1])
    x = _one(torch)
    y = D.apply(x)
    E = _function(torch, lambda ctx, x: [ctx.mark_non_differentiable(y0 := x.view(-1)), y0][1])
    z = E.apply(x)
    return [
        y is x,
        y.requires_grad,
        y.grad_fn is None,
        y._is_view(),
        z.requires_grad,
        z._is_view(),
        z.is_leaf,
        y.is_leaf,
    ]


def dirty_errors(torch: Any) -> Any:
    x = _one(torch)
    b = x * 1
    return [
        attempt(lambda: _function(torch, lambda ctx, x: (ctx.mark_dirty(3), x * 2)[1]).apply(x)),
        attempt(lambda: _function(torch, lambda ctx, x: (ctx.mark_dirty(x), x * 2)[1]).apply(x)),
        attempt(lambda: _function(torch, lambda ctx, x: (ctx.mark_dirty(x), x)[1]).apply(x)),
        attempt(lambda: _function(torch, lambda ctx, x: (ctx.mark_dirty(x), x)[1]).apply(b) is b),
        attempt(
            lambda: (
                _function(torch, lambda ctx, x: (ctx.mark_dirty(x), x)[1])
                .apply(b.detach())
                ._version
            )
        ),
        attempt(
            lambda: _function(torch, lambda ctx, x: (y := x * 2, ctx.mark_dirty(y), y)[2]).apply(b)
        ),
        attempt(
            lambda: _function(
                torch, lambda ctx, x: (ctx.mark_non_differentiable(3), x * 2)[1]
            ).apply(x)
        ),
    ]


def leaf_returned(torch: Any) -> Any:
    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a, a + b

        @staticmethod
        def backward(ctx: Any, ga: Any, gb: Any) -> Any:
            return ga + gb, gb

    hook_called = [False]
    x = torch.ones(2, 2, requires_grad=True)
    y = torch.ones(2, 2, requires_grad=True)
    q, p = Identity.apply(x, y)

    def hook(g):
        hook_called[0] = True

    x.register_hook(hook)
    (q + p + x).sum().backward()
    return (
        rounded(x.grad),
        rounded(y.grad),
        hook_called,
        q is x,
        q._is_view(),
        q.is_leaf,
        attempt(lambda: q.add_(1)),
        attempt(lambda: q.mul_(2)),
        attempt(lambda: p.mul_(2).grad_fn.name()),
    )


def output_returned_twice(torch: Any) -> Any:
    class DoubleDuplicate(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            out = x * 2
            return out, out

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            return a * 2 + b * 2

    x = torch.ones(2, dtype=torch.double, requires_grad=True)
    r = DoubleDuplicate.apply(x)

    class Inp(torch.autograd.function.InplaceFunction):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.mul_(2)
            ctx.mark_dirty(x)
            return x, x

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            return a * 2 + b * 2

    def inplace_fn(x):
        return Inp.apply(x.clone())

    r2 = inplace_fn(x)
    return [
        r[0] is r[1],
        r[0].output_nr,
        r[1].output_nr,
        attempt(lambda: torch.autograd.gradcheck(DoubleDuplicate.apply, (x,))),
        attempt(lambda: torch.autograd.gradgradcheck(DoubleDuplicate.apply, (x,))),
        attempt(lambda: torch.autograd.gradcheck(inplace_fn, (x,))),
        attempt(lambda: Inp.apply(x)),
        r2[0] is r2[1],
        r2[0].output_nr,
        attempt(lambda: Inp.apply(x.view(2))),
    ]


def saved_output_returned_twice(torch: Any) -> Any:
    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            out = x * 2
            ctx.save_for_backward(out, out)
            return out, out

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            s = ctx.saved_tensors
            print(s[0].output_nr, s[1].output_nr, rounded(a), rounded(b))
            return a * 2 + b * 2

    x = torch.ones(2, requires_grad=True)
    r = D.apply(x)
    (r[0] * 2).sum().backward()
    return rounded(x.grad)


def non_tensor_outputs(torch: Any) -> Any:
    res = []
    for ret in (
        lambda x: (x * 2, 3),
        lambda x: (3, x * 2),
        lambda x: [x * 2],
        lambda x: None,
        lambda x: 3,
        lambda x: (x * 2, None),
        lambda x: "a",
        lambda x: (x * 2, [x]),
        lambda x: {"a": x * 2},
        lambda x: (),
        lambda x: (x * 2, (x * 3,)),
        lambda x: (None, None),
    ):
        got = []
        D = _function(
            torch,
            lambda ctx, x: ret(x),
            lambda ctx, *g: (got.append([None if t is None else rounded(t) for t in g]), g[0])[1],
        )
        x = _one(torch)

        def go():
            o = D.apply(x)
            return repr(type(o)), [
                (getattr(t, "requires_grad", None), getattr(t, "output_nr", None))
                for t in (o if isinstance(o, (tuple, list)) else [o])
            ]

        res.append(attempt(go))

        def bw():
            o = D.apply(x)
            o = o if isinstance(o, tuple) else (o,)
            next(t for t in o if hasattr(t, "sum")).sum().backward()
            return got

        res.append(attempt(bw))
    return res


def non_tensor_inputs(torch: Any) -> Any:
    log = []

    class MyFunction(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any, scale: Any, n: Any = None) -> Any:
            ctx.scale = scale
            log.append(ctx.needs_input_grad)
            return scale * x, None, True, y, [1, 2]

        @staticmethod
        def backward(ctx: Any, *gs: Any) -> Any:
            log.append([g if g is None else rounded(g) for g in gs])
            log.append(ctx.needs_input_grad)
            return ctx.scale * gs[0], gs[3], None, None

    x, y = _one(torch), _one(torch)
    o = MyFunction.apply(x, y, 3, "u")
    (o[0] + o[3]).backward()
    return (
        log,
        [type(t).__name__ for t in o],
        edges(o[0].grad_fn),
        rounded(x.grad),
        rounded(y.grad),
        attempt(lambda: MyFunction.apply(x, y, 3)[0].backward()),
    )


def tensors_from_elsewhere(torch: Any) -> Any:
    w = _one(torch)

    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return w

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 100

    v = torch.ones(1)

    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return v

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 100

    h = w * 2

    class H(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return h

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 100

    x = _one(torch)
    a = attempt(lambda: E.apply(x))
    b = G.apply(x)
    c = attempt(lambda: H.apply(x))
    return (
        a,
        b is v,
        v.requires_grad,
        attempt(lambda: (v.grad_fn.name(), v.is_leaf)),
        c,
        h.grad_fn.name(),
        w.is_leaf,
        attempt(lambda: w.grad_fn),
    )


def recorded_inside_forward(torch: Any) -> Any:
    class E(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                y = x * 3
            print(y.requires_grad, y.grad_fn is not None)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 100

    x = _one(torch)
    y = E.apply(x)
    y.backward()
    return y.grad_fn.name(), rounded(x.grad), edges(y.grad_fn)


def whole_numbers_returned(torch: Any) -> Any:
    class S(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            v, i = x.sort()
            return v, i, i > 0

        @staticmethod
        def backward(ctx: Any, g: Any, gi: Any, gb: Any) -> Any:
            print(str(gi.dtype), str(gb.dtype), rounded(gi), rounded(gb))
            return g

    x = torch.tensor([3.0, 1.0], requires_grad=True)
    v, i, b = S.apply(x)
    v.sum().backward()
    return i.requires_grad, b.grad_fn, i.is_leaf
