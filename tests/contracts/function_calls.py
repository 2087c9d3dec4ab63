"""Custom Functions called with all kinds of arguments, and what goes back through them."""

from typing import Any

from tests.contracts.functions import _function, _one
from tests.observe import attempt, edges, rounded


def second_argument_written(torch: Any) -> Any:
    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            b.add_(a * 3)
            ctx.mark_dirty(b)
            return b

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 3, g * 1

    a = torch.ones(2, requires_grad=True)
    x = torch.ones(2, 2, requires_grad=True)
    base = x.clone()
    v = base[0]
    y = D.apply(a, v)
    out = [y is v, base.grad_fn.name(), edges(base.grad_fn)]
    attempt(lambda: (base * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward())
    out += [attempt(lambda: rounded(a.grad)), attempt(lambda: rounded(x.grad))]
    return out


def second_argument_of_one_tensor(torch: Any) -> Any:
    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, k: Any, b: Any) -> Any:
            b.mul_(k)
            ctx.mark_dirty(b)
            return b

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None, g * 3

    x = torch.ones(2, 2, requires_grad=True)
    base = x.clone()
    v = base[0]
    y = D.apply(3.0, v)
    r = [y is v, edges(base.grad_fn), attempt(lambda: edges(v.grad_fn))]
    base.sum().backward()
    r.append(rounded(x.grad))
    return r


def subclasses(torch: Any) -> Any:
    class P(torch.Tensor):
        pass

    D = _function(torch, lambda ctx, x: x)
    M = _function(
        torch,
        lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1],
        lambda ctx, g: (print(type(ctx.saved_tensors[0]).__name__), g)[1],
    )
    z = torch.ones(2, requires_grad=True).as_subclass(P)
    q = D.apply(z)
    r = [type(q).__name__, q.requires_grad, q._is_view()]
    with torch.no_grad():
        q = D.apply(z)
        r += [type(q).__name__, q.requires_grad]
    k = torch.ones(2).as_subclass(P)
    q = D.apply(k)
    r += [type(q).__name__, q._is_view(), q._base is k]
    o = M.apply(z)
    r += [type(o).__name__, o.requires_grad]
    o.sum().backward()
    p = torch.nn.Parameter(torch.ones(1))
    r += [type(D.apply(p)).__name__, type(M.apply(p)).__name__]
    return r


def complex_views(torch: Any) -> Any:
    # custom function on complex views
    class V(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return torch.view_as_real(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return torch.view_as_complex(g)

    x = torch.ones(2, dtype=torch.cfloat, requires_grad=True)
    y = V.apply(x.clone())
    r = [y._is_view(), y.grad_fn.name(), attempt(lambda: y.add_(1))]
    y.sum().backward()
    r.append(str(x.grad.tolist()))
    return r


def other_dtypes(torch: Any) -> Any:
    log = []
    D = _function(
        torch,
        lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1],
        lambda ctx, g: (log.append(str(g.dtype)), g * 2)[1],
    )
    out = []
    for d in (torch.half, torch.bfloat16, torch.double):
        x = torch.ones(2, dtype=d, requires_grad=True)
        y = D.apply(x)
        y.sum().backward()
        out.append((str(y.dtype), y.requires_grad, y.grad_fn.name(), str(x.grad.dtype)))
    x = torch.ones(2, dtype=torch.half, requires_grad=True)
    y = D.apply(x.view(2))
    y.float().sum().backward()
    out.append(str(x.grad.dtype))
    return out, log


def mixed_inputs(torch: Any) -> Any:
    D = _function(
        torch,
        lambda ctx, x, i, b: (ctx.save_for_backward(x, i), x * i + b)[1],
        lambda ctx, g: (print(ctx.needs_input_grad), (g, None, g.sum()))[1],
    )
    x = torch.ones(2, requires_grad=True)
    i = torch.tensor([2, 3])
    b = torch.tensor(1.0, requires_grad=True)
    y = D.apply(x, i, b)
    y.sum().backward()
    return rounded(x.grad), rounded(b.grad), edges(y.grad_fn)


def zero_size(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x: x * 2, lambda ctx, g: (print(g.shape), g * 2)[1])
    x = torch.ones(0, 3, requires_grad=True)
    D.apply(x).sum().backward()
    return str(x.grad)


def gradient_expanded(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x: x.sum(), lambda ctx, g: g.expand(3))
    x = torch.ones(3, requires_grad=True)
    D.apply(x).backward()
    D.apply(x).backward()
    return rounded(x.grad), x.grad.stride()


def six_arguments(torch: Any) -> Any:
    D = _function(torch, lambda ctx, *xs: sum(xs), lambda ctx, g: tuple(g * i for i in range(6)))
    xs = [_one(torch) for _ in range(6)]
    D.apply(*xs).backward()
    return [rounded(x.grad) for x in xs]


def edges_of_outputs(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)
    x = _one(torch)
    a, b = D.apply(x)
    e = torch.autograd.graph.get_gradient_edge(b)
    return (
        rounded(torch.autograd.grad(b * 5, e)[0]),
        e.output_nr,
        attempt(lambda: rounded(torch.autograd.grad((a + b).sum(), [a, b], retain_graph=True)[1])),
        attempt(lambda: rounded(torch.autograd.grad((a + b).sum(), [x])[0])),
    )


def edges_of_the_context(torch: Any) -> Any:
    log = []

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.edge = None
            return x + y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            log.append([n[0].name() if n[0] is not None else None for n in ctx.next_functions])
            return g, g

    x = _one(torch)
    y = torch.ones(1)
    Fn.apply(x * 2, y).backward()
    return log


def stale_saved(torch: Any) -> Any:
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, y = ctx.saved_tensors
            return g * y, g * x

    x = _one(torch)
    y = torch.ones(1)
    o = Fn.apply(x, y)
    y.add_(1)
    r = [attempt(lambda: o.backward())]
    b = x * 1
    o = Fn.apply(b, y)
    b.detach_()
    r.append(attempt(lambda: o.backward()))
    b = x * 1
    o = Fn.apply(b, y)
    with torch.no_grad():
        b.mul_(2)
    r.append(attempt(lambda: o.grad_fn.saved_tensors))
    return r


def backward_in_forward(torch: Any) -> Any:
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                y = x.detach().requires_grad_()
                z = (y * y).sum()
                (g,) = torch.autograd.grad(z, y)
            ctx.g = g
            return z.detach()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.g

    x = torch.full((2,), 3.0, requires_grad=True)
    Fn.apply(x).backward()
    return rounded(x.grad)


def function_of_a_function(torch: Any) -> Any:
    class Sq(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return SqB.apply(x, g)

    class SqB(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, g: Any) -> Any:
            ctx.save_for_backward(x, g)
            return 3 * x * x * g

        @staticmethod
        def backward(ctx: Any, gg: Any) -> Any:
            x, g = ctx.saved_tensors
            return 6 * x * g * gg, 3 * x * x * gg

    x = torch.tensor([2.0], dtype=torch.double, requires_grad=True)
    (g,) = torch.autograd.grad(Sq.apply(x), x, create_graph=True)
    (h,) = torch.autograd.grad(g, x, create_graph=True)
    (k,) = torch.autograd.grad(h, x)
    return (
        g.item(),
        h.item(),
        k.item(),
        g.grad_fn.name(),
        attempt(lambda: torch.autograd.gradgradcheck(Sq.apply, x)),
    )


def errors_leave_no_trace(torch: Any) -> Any:
    r = []

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, n: Any) -> Any:
            if n:
                raise KeyError("no")
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            raise KeyError("back")

    x = _one(torch)
    r.append(attempt(lambda: Fn.apply(x, 1)))
    r.append(torch.is_grad_enabled())
    with torch.no_grad():
        r.append(attempt(lambda: Fn.apply(x, 1)))
        r.append(torch.is_grad_enabled())
    y = Fn.apply(x * 3, 0) * 4
    r.append(attempt(lambda: y.backward()))
    r += [torch.is_grad_enabled(), x.grad]
    z = (x * 2) ** 2
    r.append(attempt(lambda: (z + y).backward()))
    r.append(x.grad)
    r.append(attempt(lambda: z.backward()))
    r.append(None if x.grad is None else x.grad.tolist())
    return r


def grad_mode_set_inside(torch: Any) -> Any:
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            torch.set_grad_enabled(True)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            torch.set_grad_enabled(False)
            return g

    x = _one(torch)
    r = []
    with torch.no_grad():
        y = Fn.apply(x)
        r.append((torch.is_grad_enabled(), y.requires_grad))
    y = Fn.apply(x)
    r.append(torch.is_grad_enabled())
    y.backward()
    r.append(torch.is_grad_enabled())
    return r


def hooks(torch: Any) -> Any:
    log = []
    D = _function(
        torch,
        lambda ctx, x: (x * 2, x * 3),
        lambda ctx, a, b: (log.append(("bw", rounded(a), rounded(b))), a * 2 + b * 3)[1],
    )
    x = _one(torch)
    a, b = D.apply(x)
    a.register_hook(lambda g: (log.append(("a", rounded(g))), g * 10)[1])
    a.grad_fn.register_prehook(
        lambda gs: (log.append([None if g is None else rounded(g) for g in gs]), None)[1]
    )
    b.grad_fn.register_hook(
        lambda i, o: log.append([[None if g is None else rounded(g) for g in k] for k in (i, o)])
    )
    a.backward()
    return log


def methods_that_are_not_static(torch: Any) -> Any:
    class NoCtx(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    class Inst(torch.autograd.Function):
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    class Cm(torch.autograd.Function):
        @classmethod
        def forward(cls: Any, ctx: Any, x: Any) -> Any:
            return x * 2

        @classmethod
        def backward(cls: Any, ctx: Any, g: Any) -> Any:
            return g * 2

    x = _one(torch)

    def go(c):
        y = c.apply(x)
        y.backward()
        return x.grad.tolist()

    return [attempt(lambda c=c: go(c)) for c in (NoCtx, Inst, Cm)]


def names_that_stay(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x, *ys, k=2: x * k, lambda ctx, *g: g)
    x = _one(torch)
    return (
        attempt(lambda: D.apply(x)),
        attempt(lambda: D.apply(x, 1, 2)),
        attempt(lambda: D.apply(x, k=3)),
    )


def gradients_in_one_list(torch: Any) -> Any:
    class Boxed(torch.autograd.Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2, x * 3

        @staticmethod
        def backward(ctx: Any, grads: Any) -> Any:
            print(type(grads).__name__, [rounded(grad) for grad in grads])
            second = grads.pop()
            return grads.pop() * 2 + second * 3

    x = _one(torch)
    first, second = Boxed.apply(x)
    first.backward(retain_graph=True)
    (first + second).backward()
    return rounded(x.grad), torch.autograd.Function.boxed_grads_call


def saved_tensors_read_once(torch: Any) -> Any:
    class Once(torch.autograd.Function):
        clear_saved_tensors_on_access = True

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            print(attempt(lambda: ctx.saved_tensors))
            return grad * 2 * x

    x = _one(torch)
    y = Once.apply(x)
    y.backward(retain_graph=True)
    z = Once.apply(x)
    return rounded(x.grad), attempt(lambda: y.backward()), len(z.grad_fn.saved_tensors)
