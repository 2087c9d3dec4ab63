"""Views and in-place in custom Functions: what may be written to, and what may not."""

from typing import Any

from tests.contracts.functions import _function, _one
from tests.observe import attempt, edges, rounded


def called_under_no_grad(torch: Any) -> Any:
    log = []
    D = _function(
        torch,
        lambda ctx, x: (
            log.append((ctx.needs_input_grad, torch.is_grad_enabled())),
            ctx.save_for_backward(x),
            x.view(-1),
        )[2],
    )
    x = torch.ones(2, requires_grad=True)
    b = x * 1
    with torch.no_grad():
        y = D.apply(b)
    out = [y.requires_grad, y._is_view(), y.grad_fn, log, attempt(lambda: y.add_(1))]
    I = _function(torch, lambda ctx, x: x)
    with torch.no_grad():
        z = I.apply(b)
    out += [z is b, z._is_view(), z.requires_grad, attempt(lambda: z.add_(1))]
    with torch.no_grad():
        z = I.apply(x)
    out += [z is x, z._is_view(), z._base is x, z.requires_grad, attempt(lambda: z.add_(1))]
    with torch.no_grad():
        I2 = _function(torch, lambda ctx, x: (ctx.mark_dirty(x), x.add_(1))[1])
        z = I2.apply(b)
        out += [z is b, b._version, b.grad_fn.name()]
    I3 = _function(torch, lambda ctx, x: x.view(-1))
    k = torch.ones(2)
    z = I3.apply(k)
    out += [z._is_view(), z._base is k, attempt(lambda: z.mul_(b.detach()))]
    z = I3.apply(k)
    out += [attempt(lambda: z.mul_(b))]
    z = I.apply(k)
    out += [z is k, z._is_view(), attempt(lambda: z.mul_(b))]
    return out


def dirty_and_not_differentiable(torch: Any) -> Any:
    def run(jvp=False):
        class MyMul(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                y = x.mul_(2)
                ctx.mark_dirty(y)
                ctx.mark_non_differentiable(y)
                return y

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return None

        x = torch.ones(2, requires_grad=True)
        y = MyMul.apply(x.clone())
        return [y.requires_grad, y.grad_fn is None, y.is_leaf]

    class M2(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.mul_(2)
            ctx.mark_dirty(x)
            ctx.mark_non_differentiable(x)
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None

    b = torch.ones(2, requires_grad=True) * 1
    v = b.view(2)
    return (
        attempt(run),
        attempt(lambda: M2.apply(v)),
        attempt(lambda: (v.requires_grad, v.grad_fn.name())),
        attempt(lambda: (b.requires_grad, b.grad_fn.name())),
    )


def dirty_views(torch: Any) -> Any:
    class MyAdder(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            a.add_(b)
            ctx.mark_dirty(a)
            return a

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, g

    out = []
    a = torch.ones(2)
    b = torch.ones(2, requires_grad=True)
    c = MyAdder.apply(a, b)
    out += [c is a, c.grad_fn.name()]
    c.sum().backward()
    out.append(rounded(b.grad))
    a = torch.ones(2, 2)
    v = a[0]
    c = MyAdder.apply(v, b)
    out += [c is v, v.grad_fn.name(), a.grad_fn.name(), edges(a.grad_fn), v._is_view()]
    b.grad = None
    (a * 3).sum().backward()
    out.append(rounded(b.grad))
    base = torch.ones(2, 2, requires_grad=True).clone()
    v = base[0]
    c = MyAdder.apply(v, b)
    out += [c is v, v.grad_fn.name(), base.grad_fn.name(), edges(base.grad_fn)]
    leaf = torch.ones(2, 2, requires_grad=True)
    v = leaf[0]
    out.append(attempt(lambda: MyAdder.apply(v, b)))
    m = torch.ones(2, 2, requires_grad=True).clone().unbind(0)
    out.append(attempt(lambda: MyAdder.apply(m[0], b)))
    with torch.no_grad():
        v = torch.ones(2, 2, requires_grad=True).clone()[0]
    out.append(attempt(lambda: MyAdder.apply(v, b)))

    class MyBad(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            a.add_(b)
            ctx.mark_dirty(a)
            return a, a + b

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            return g, g

    base = torch.ones(2, 2, requires_grad=True).clone()
    v = base[0]
    out.append(attempt(lambda: MyBad.apply(v, b)))

    class MyBadAdder(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            c = a.add_(b)
            ctx.mark_dirty(c)
            return c

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, g

    class View(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.mark_dirty(a)
            a.add_(b)
            return a.view_as(a)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, g

    out.append(attempt(lambda: View.apply(torch.ones(2, requires_grad=True).clone(), b)))
    return out


def written_and_not_marked(torch: Any) -> Any:
    # bad mark: input modified without mark dirty
    class NoMark(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a.add_(b)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, g

    a = torch.ones(2, requires_grad=True).clone()
    b = torch.ones(2)
    c = NoMark.apply(a, b)

    class NoMarkSaved(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.save_for_backward(a)
            a.add_(b)
            return a * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            ctx.saved_tensors
            return g, g

    d = torch.ones(2, requires_grad=True).clone()
    e = NoMarkSaved.apply(d, b)
    return (
        c is a,
        c._is_view(),
        c._base is a,
        c.grad_fn.name(),
        a._version,
        attempt(lambda: c.add_(1)),
        attempt(lambda: e.sum().backward()),
    )


def views_returned(torch: Any) -> Any:
    class V(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view_as(x), x.view_as(x)

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            return a + b

    class C2(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2, x.view_as(x)

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            return a + b

    x = torch.ones(2, requires_grad=True)
    y = x.clone()
    a, b = V.apply(y)
    c, d = C2.apply(y)
    out = [
        a._is_view(),
        a._base is y,
        b._is_view(),
        attempt(lambda: a.add_(1)),
        attempt(lambda: d.add_(1)),
        attempt(lambda: c.add_(1).grad_fn.name()),
        attempt(lambda: y.add_(1).grad_fn.name()),
        attempt(lambda: a.grad_fn.name()),
        attempt(lambda: d.grad_fn),
    ]
    # input view of a base given to Function that returns a view of it
    z = x.clone()
    v = z.view(2)
    S = _function(torch, lambda ctx, x: x.view(2, 1), lambda ctx, g: g.view(2))
    s = S.apply(v)
    out += [
        s._is_view(),
        s._base is z,
        s.grad_fn.name(),
        attempt(lambda: s.mul_(2)),
        attempt(lambda: z.mul_(2).grad_fn.name()),
        attempt(lambda: s.grad_fn),
    ]
    # view of temp inside forward
    T = _function(torch, lambda ctx, x: (x * 2).view(2, 1), lambda ctx, g: g.view(2))
    t = T.apply(x)
    out += [
        t._is_view(),
        t.grad_fn.name(),
        attempt(lambda: t.mul_(2).grad_fn.name()),
        attempt(lambda: t._base is None),
    ]
    t.sum().backward()
    out.append(rounded(x.grad))
    N = _function(torch, lambda ctx, x: x.detach(), lambda ctx, g: g)
    n = N.apply(y)
    out += [n._is_view(), n.grad_fn.name(), attempt(lambda: n.mul_(2))]
    return out


def view_made_and_written_inside(torch: Any) -> Any:
    class MyFn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, inp: Any, inplace: Any) -> Any:
            view = inp.clone()[:3]
            if inplace:
                view += 2
            return view

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, None

    base = torch.rand(10, requires_grad=True)
    foo = MyFn.apply(base, False)
    bar = MyFn.apply(base, True)
    return (
        foo.grad_fn.name(),
        bar.grad_fn.name(),
        foo._is_view(),
        bar._is_view(),
        attempt(lambda: foo.add_(1).grad_fn.name()),
    )


def inputs_exchanged(torch: Any) -> Any:
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return b, a

        @staticmethod
        def backward(ctx: Any, gb: Any, ga: Any) -> Any:
            return ga * 10, gb * 100

    a, b = _one(torch), _one(torch)
    p, q = Fn.apply(a, b)
    (p + 2 * q).backward()
    r = [
        rounded(a.grad),
        rounded(b.grad),
        p._is_view(),
        p._base is b,
        p.output_nr,
        q.output_nr,
        attempt(lambda: p.add_(1)),
    ]

    class Sw(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.mark_dirty(a, b)
            a.add_(1)
            b.add_(2)
            return b, a

        @staticmethod
        def backward(ctx: Any, gb: Any, ga: Any) -> Any:
            return ga * 10, gb * 100

    x, y = _one(torch), _one(torch)
    u, v = x * 1, y * 1
    p, q = Sw.apply(u, v)
    (p + 2 * q).backward()
    r += [p is v, q is u, p.output_nr, q.output_nr, rounded(x.grad), rounded(y.grad)]
    return r


def dirty_input_without_gradient(torch: Any) -> Any:
    class Di(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.mark_dirty(b)
            b.add_(a)
            return b, a * 2

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            print(rounded(g), rounded(h))
            return g + h, g

    a = _one(torch)
    b = torch.ones(1)
    base = torch.ones(2)
    w = base[:1]
    p, q = Di.apply(a, b)
    (p * 3 + q).backward()
    return (
        p is b,
        b.requires_grad,
        rounded(a.grad),
        edges(p.grad_fn),
        attempt(lambda: Di.apply(a, w)),
    )


def every_kind_without_recording(torch: Any) -> Any:
    out = []
    I = _function(torch, lambda ctx, x: x)
    V = _function(torch, lambda ctx, x: x.view(-1))
    V2 = _function(torch, lambda ctx, x: (x.view(-1), x * 2))
    I2 = _function(torch, lambda ctx, x: (x, x * 2))
    Di = _function(torch, lambda ctx, x: (ctx.mark_dirty(x), x.add_(1))[1])
    for mode in ("on", "off"):
        for inp in ("plain", "leaf", "nonleaf", "view", "plainview"):
            for fn in (I, V, V2, I2, Di):
                if mode == "on" and inp not in ("plain", "plainview"):
                    continue
                x = {
                    "plain": torch.ones(2),
                    "leaf": torch.ones(2, requires_grad=True),
                    "nonleaf": torch.ones(2, requires_grad=True) * 1,
                    "view": (torch.ones(2, requires_grad=True) * 1).view(2),
                    "plainview": torch.ones(2).view(2),
                }[inp]
                with torch.set_grad_enabled(mode == "on"):
                    y = attempt(lambda: fn.apply(x))
                    if y.startswith("no error"):
                        y = fn.apply(x)
                        y = y[0] if isinstance(y, tuple) else y
                if isinstance(y, str):
                    out.append((mode, inp, y))
                    continue
                w = torch.ones(2, requires_grad=True)
                out.append(
                    (
                        mode,
                        inp,
                        y is x,
                        y._is_view(),
                        y._base is x,
                        y._base is x._base,
                        y.requires_grad,
                        y._version,
                        x._version,
                        attempt(lambda: y.add_(1)),
                        x._version,
                        attempt(lambda: y.mul_(w)),
                    )
                )
    return out


def every_kind_not_differentiable(torch: Any) -> Any:
    out = []

    def mk(f):
        def fw(ctx, x):
            r = f(ctx, x)
            ctx.mark_non_differentiable(r)
            return r, x * 3

        return _function(torch, fw)

    I = mk(lambda ctx, x: x)
    V = mk(lambda ctx, x: x.view(-1))
    Di = mk(lambda ctx, x: (ctx.mark_dirty(x), x.add_(1))[1])
    N = mk(lambda ctx, x: x * 2)

    def one_(f):
        def fw(ctx, x):
            r = f(ctx, x)
            ctx.mark_non_differentiable(r)
            return r

        return _function(torch, fw)

    for k, fn in (
        ("I", I),
        ("V", V),
        ("Di", Di),
        ("N", N),
        ("I1", one_(lambda ctx, x: x)),
        ("V1", one_(lambda ctx, x: x.view(-1))),
        ("Di1", one_(lambda ctx, x: (ctx.mark_dirty(x), x.add_(1))[1])),
    ):
        for inp in ("leaf", "nonleaf", "view"):
            x = {
                "plain": torch.ones(2),
                "leaf": torch.ones(2, requires_grad=True),
                "nonleaf": torch.ones(2, requires_grad=True) * 1,
                "view": (torch.ones(2, requires_grad=True) * 1).view(2),
            }[inp]
            y = attempt(lambda: fn.apply(x))
            if not y.startswith("no error"):
                out.append((k, inp, y))
                continue
            if k != "Di":
                y = fn.apply(x)
            else:
                y = fn.apply(x)
            y = y[0] if isinstance(y, tuple) else y
            w = torch.ones(2, requires_grad=True)
            out.append(
                (
                    k,
                    inp,
                    y is x,
                    y._is_view(),
                    y._base is x,
                    y.requires_grad,
                    y.grad_fn is None,
                    y._version,
                    x._version,
                    x.requires_grad,
                    attempt(lambda: x.grad_fn.name()),
                    attempt(lambda: y.add_(1)),
                    x._version,
                    attempt(lambda: y.mul_(w)),
                )
            )
    return out
