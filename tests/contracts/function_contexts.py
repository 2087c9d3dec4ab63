"""What a custom Function is told and may say: contexts, arguments, inheritance."""

from typing import Any

from tests.contracts.functions import _function, _one
from tests.observe import attempt, edges, rounded


def what_the_context_knows(torch: Any) -> Any:
    log = []

    def fw(ctx, x):
        log.append(
            (
                type(ctx).__name__,
                isinstance(ctx, torch.autograd.function.FunctionCtx),
                ctx.needs_input_grad,
            )
        )
        log.append(attempt(lambda: ctx.saved_tensors))
        log.append(attempt(lambda: ctx.to_save))
        log.append(attempt(lambda: ctx.non_differentiable))
        log.append(attempt(lambda: ctx.dirty_tensors))
        log.append(attempt(lambda: ctx.saved_for_forward))
        log.append(attempt(lambda: ctx.next_functions))
        log.append(attempt(lambda: ctx.name()))
        ctx.save_for_backward(x)
        log.append(attempt(lambda: ctx.saved_tensors))
        return x * 2

    def bw(ctx, g):
        log.append((ctx.needs_input_grad, len(ctx.saved_tensors), attempt(lambda: ctx.to_save)))
        return g

    D = _function(torch, fw, bw)
    x = _one(torch)
    D.apply(x).backward()
    D.apply(torch.ones(1))
    with torch.no_grad():
        D.apply(x)
    return log


def old_style(torch: Any) -> Any:
    class L(torch.autograd.Function):
        def forward(self: Any, x: Any) -> Any:
            return x * 2

        def backward(self: Any, g: Any) -> Any:
            return g

    x = _one(torch)
    return [
        attempt(lambda: L()(x)),
        attempt(lambda: L.apply(x)),
        attempt(lambda: L()),
        attempt(lambda: L().apply(x)),
    ]


def none_saved(torch: Any) -> Any:
    log = []

    class MyFn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.save_for_backward(None, a, None)
            return a * a

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            n1, a, n2 = ctx.saved_tensors
            log.append((n1 is None, n2 is None))
            return 2 * a * g

    x = torch.randn(3, requires_grad=True)
    y = MyFn.apply(x)
    y.sum().backward()
    return log, attempt(
        lambda: torch.autograd.gradcheck(
            MyFn.apply, torch.ones(2, dtype=torch.double, requires_grad=True)
        )
    )


def what_cannot_be_saved(torch: Any) -> Any:
    def mk(what):
        return _function(torch, lambda ctx, x: (ctx.save_for_backward(*what), x * 2)[1])

    x = _one(torch)
    return [
        attempt(lambda w=w: mk(w).apply(x)) for w in ([3], [x, "a"], [(x,)], [None, 1.0], [[x]])
    ]


def separate_setup(torch: Any) -> Any:
    class SetupContext(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, y: Any = 2) -> Any:
            return x * y

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            print(
                len(inputs),
                [type(i).__name__ for i in inputs],
                type(output).__name__,
                ctx.needs_input_grad,
                torch.is_grad_enabled(),
                output.requires_grad,
            )
            x, y = inputs
            ctx.save_for_backward(x)
            ctx.y = y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.y, None

    x = _one(torch)
    a = SetupContext.apply(x)
    b = SetupContext.apply(x, 3)
    c = SetupContext.apply(x, y=4)
    d = SetupContext.apply(x=x)
    (a + b + c + d).backward()
    return (
        rounded(x.grad),
        attempt(lambda: SetupContext.apply()),
        attempt(lambda: SetupContext.apply(x, 1, 2)),
        attempt(lambda: SetupContext.apply(x, z=2)),
    )


def arguments_by_name(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x, y=2: x * y, lambda ctx, g: (g, None))
    x = _one(torch)
    return (
        attempt(lambda: D.apply(x, y=3)),
        attempt(lambda: D.apply(x=x)),
        attempt(lambda: D.apply(x)),
        attempt(lambda: D.apply(x, 2, 3)),
    )


def arguments_only_by_name(torch: Any) -> Any:
    class K(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, *, y: Any) -> Any:
            return x * y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    class K2(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, *args: Any) -> Any:
            return x * args[0]

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            print(len(inputs))

        @staticmethod
        def backward(ctx: Any, *g: Any) -> Any:
            return g[0], None

    return attempt(lambda: K.apply(_one(torch), y=2)), attempt(lambda: K2.apply(_one(torch), 2))


def setup_of_two_outputs(torch: Any) -> Any:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            two_x = x.item() * 2
            return x * x, two_x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            (x,) = inputs
            _, two_x = output
            ctx.two_x = two_x

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, g: Any, _: Any) -> Any:
            return g * ctx.two_x

    x = torch.tensor(3.0, requires_grad=True)
    y, t = Square.apply(x)
    y.backward()
    return rounded(x.grad), t, type(t).__name__


def base_methods(torch: Any) -> Any:
    class R(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            return 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    class R2(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            return 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    return (
        attempt(lambda: R.apply(_one(torch))),
        attempt(lambda: R2.apply(_one(torch))),
        attempt(lambda: torch.autograd.Function.setup_context(None, None, None)),
        attempt(lambda: torch.autograd.Function.forward(None)),
        attempt(lambda: torch.autograd.Function.backward(None)),
        attempt(lambda: torch.autograd.Function.jvp(None)),
        attempt(lambda: torch.autograd.Function.vmap(None, None)),
        attempt(lambda: torch.autograd.Function.vjp(None)),
        attempt(lambda: torch.autograd.Function.apply(_one(torch))),
    )


def inherited_setup(torch: Any) -> Any:
    class Base(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[0]

    class Child(Base):
        pass

    class Child2(Base):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 5

    x = _one(torch)
    a = Child.apply(x)
    b = Child2.apply(x)
    (a + b).backward()
    return rounded(x.grad), a.grad_fn.name(), b.grad_fn.name(), Child._is_setup if False else None


def setup_saves_what_is_returned(torch: Any) -> Any:
    class S(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            ctx.save_for_backward(inputs[0], output)
            print(inputs[0] is output)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            a, b = ctx.saved_tensors
            print(a is b, a.is_leaf, b.is_leaf, a.requires_grad)
            return g

    x = _one(torch)
    y = S.apply(x)
    y.backward()
    return y is x


def attributes_of_the_context(torch: Any) -> Any:
    class Id(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.y = x * 2
            ctx.z = x
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            print(ctx.y, ctx.z)
            return g

    x = _one(torch)
    y = Id.apply(x)
    y.backward()
    return (
        attempt(lambda: y.grad_fn.y),
        attempt(lambda: y.grad_fn.q),
        attempt(lambda: setattr(y.grad_fn, "new", 3)),
        y.grad_fn.new,
        attempt(lambda: y.backward()),
    )


def save_for_forward(torch: Any) -> Any:
    log = []

    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_forward(x)
            ctx.save_for_backward(x)
            log.append(attempt(lambda: ctx.saved_for_forward))
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            log.append(attempt(lambda: ctx.saved_for_forward))
            return g * 2

    G.apply(_one(torch)).backward()

    def bad(ctx, x):
        ctx.save_for_forward(3)
        return x * 2

    return log, attempt(lambda: _function(torch, bad).apply(_one(torch)))


def shared_storage(torch: Any) -> Any:
    return attempt(
        lambda: _function(torch, lambda ctx, x: (ctx.mark_shared_storage((x, x)), x * 2)[1]).apply(
            _one(torch)
        )
    )


def saved_tensors_freed_by_hand(torch: Any) -> Any:
    log = []

    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            log.append(attempt(lambda: ctx.maybe_clear_saved_tensors()))
            log.append(attempt(lambda: ctx.saved_tensors))
            return g * 2

    G.apply(_one(torch)).backward()
    G.apply(_one(torch)).backward(retain_graph=True)
    return log


def methods_for_transforms(torch: Any) -> Any:
    class G(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            pass

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

        @staticmethod
        def vmap(info: Any, in_dims: Any, x: Any) -> Any:
            return x, 0

        @staticmethod
        def jvp(ctx: Any, g: Any) -> Any:
            return g

    x = _one(torch)
    G.apply(x).backward()
    return (
        rounded(x.grad),
        G.generate_vmap_rule,
        torch.autograd.Function.generate_vmap_rule,
        G.vmap(None, 0, 1),
        G.jvp(None, 2),
    )


def needs_input_grad(torch: Any) -> Any:
    log = []
    D = _function(
        torch,
        lambda ctx, x, y: x * y,
        lambda ctx, g: (log.append(ctx.needs_input_grad), (g, g))[1],
    )
    x, y = _one(torch), _one(torch)
    o = D.apply(x, y)
    torch.autograd.grad(o, x, retain_graph=True)
    o.backward(inputs=[y], retain_graph=True)
    y.requires_grad_(False)
    o.backward()
    log.append(D.apply(x, y).grad_fn.needs_input_grad)
    return log


def shown_node(torch: Any) -> Any:
    class IdentityFunction(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    class ExpFn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.exp()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    a = torch.ones(1, requires_grad=True)
    return repr(a), repr(ExpFn.apply(a)), repr(IdentityFunction.apply(a * 2)), repr((a * 1)[0])


def wrong_names_of_arguments(torch: Any) -> Any:
    D = _function(torch, lambda ctx, x, y=2: x * y, lambda ctx, g: (g, None))
    E = _function(torch, lambda ctx, *a: a[0] * 2, lambda ctx, *g: g)
    K = _function(torch, lambda ctx, x, **k: x * 2, lambda ctx, *g: g)
    x = _one(torch)

    def f(ctx, x, y, z=3):
        return x * y * z

    G = _function(torch, f)
    return (
        attempt(lambda: D.apply(x, z=3)),
        attempt(lambda: D.apply(x, x=x)),
        attempt(lambda: D.apply(y=2)),
        attempt(lambda: E.apply(x, y=1)),
        attempt(lambda: K.apply(x, y=1)),
        attempt(lambda: D.apply(ctx=x)),
        attempt(lambda: G.apply(x, z=2)),
        attempt(lambda: G.apply(x, z=2, y=3)),
        attempt(lambda: G.apply(y=x, x=3)),
    )


def materialize_wants_a_bool(torch: Any) -> Any:
    def mk(v):
        return _function(torch, lambda ctx, x: (ctx.set_materialize_grads(v), x * 2)[1])

    return [attempt(lambda: mk(v).apply(_one(torch))) for v in (3, None, "a", True, False)]


def functions_that_inherit(torch: Any) -> Any:
    class A1(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    class B1(A1):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 7

    class C1(A1):
        @classmethod
        def apply(cls, x):
            return super().apply(x) + 1

        def extra(self):
            return 3

    x = _one(torch)
    (B1.apply(x)).backward()
    r = [rounded(x.grad)]
    c = C1.apply(x)
    r += [rounded(c), c.grad_fn.name(), edges(c.grad_fn)]
    A1.backward = staticmethod(lambda ctx, g: g * 1000)
    x.grad = None
    A1.apply(x).backward()
    r.append(rounded(x.grad))
    A1.forward = staticmethod(lambda ctx, x: x * 5)
    r.append(rounded(A1.apply(x)))
    A1.forward = staticmethod(lambda ctx, x, y: x * 5)
    r.append(attempt(lambda: A1.apply(x, 3)))
    return r


def class_is_not_the_context(torch: Any) -> Any:
    class Hs(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.helper = Hs.helper
            return x * 2

        @staticmethod
        def helper(g):
            return g * 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return ctx.helper(g)

        def meth(self):
            return 1

        const = 7

    x = _one(torch)
    y = Hs.apply(x)
    y.backward()
    return rounded(x.grad), attempt(lambda: y.grad_fn.const), attempt(lambda: y.grad_fn.meth())
