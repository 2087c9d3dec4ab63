"""Custom Functions in forward mode: `jvp`, what is saved for it, and what it may not return."""

from typing import Any

from tests.observe import attempt


def _parts(torch: Any) -> Any:
    return torch.autograd.forward_ad, torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])


def _made(torch: Any, forward: Any, jvp: Any) -> Any:
    """The `apply` of a Function with this forward and this jvp."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(lambda ctx, *g: g[0])}
    if jvp is not None:
        body["jvp"] = staticmethod(jvp)
    return type("Made", (torch.autograd.Function,), body).apply


def saved_for_it(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    seen: list[Any] = []

    def forward(ctx: Any, a: Any, k: int = 3) -> Any:
        out = a**k
        ctx.save_for_forward(a, None, out)
        ctx.k = k
        seen.append([repr(a * 2), fw._is_fwd_grad_enabled(), torch.is_grad_enabled()])
        return out

    def jvp(ctx: Any, tangent: Any, k: Any = None) -> Any:
        seen.append([repr(tangent), k, repr(ctx.saved_tensors), type(ctx).__name__])
        seen.append([fw._is_fwd_grad_enabled(), torch.is_grad_enabled(), ctx.needs_input_grad])
        return tangent * ctx.k * ctx.saved_tensors[0] ** (ctx.k - 1)

    apply = _made(torch, forward, jvp)
    with fw.dual_level():
        d = fw.make_dual(x, v)
        seen += [repr(apply(d)), repr(apply(d, 2)), repr(apply(x))]
        with torch.no_grad():
            seen.append(repr(apply(d)))
        seen.append(repr(apply(fw.make_dual(x.clone().requires_grad_(), v))))
    seen.append(attempt(lambda: apply(x) * 1))
    return seen


def missing(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    apply = _made(torch, lambda ctx, a: a * 2, None)
    with fw.dual_level():
        return [attempt(lambda: apply(fw.make_dual(x, v))), repr(apply(x))]


def not_tensors(torch: Any) -> Any:
    fw, x, v = _parts(torch)

    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_forward(3)
        return a

    with fw.dual_level():
        return attempt(lambda: _made(torch, forward, None)(fw.make_dual(x, v)))


def returned(torch: Any) -> Any:
    """What a `jvp` may return for one output."""
    fw, x, v = _parts(torch)
    seen = []
    with fw.dual_level():
        d = fw.make_dual(x, v)
        for give in (
            lambda t: t,
            lambda t: (t,),
            lambda t: (t, t),
            lambda t: t[:1],
            lambda t: t.expand(2, 2),
            lambda t: t.double(),
            lambda t: t + 0j,
            lambda t: 3,
            lambda t: [t],
            lambda t: t * torch.ones(2, requires_grad=True),
            lambda t: fw.make_dual(t * 1, t),
        ):
            apply = _made(torch, lambda ctx, a: a * 2, lambda ctx, t, give=give: give(t))
            seen.append(attempt(lambda: apply(d)))
        kept = _made(torch, lambda ctx, a: a * 2, lambda ctx, t: t)(d)
        return [*seen, fw.unpack_dual(kept).tangent is v]


def several(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    seen = []

    def forward(ctx: Any, a: Any, b: Any, materialize: bool) -> Any:
        ctx.set_materialize_grads(materialize)
        return a + b, 5, a > 1

    with fw.dual_level():
        d = fw.make_dual(x, v)

        def jvp(ctx: Any, one: Any, two: Any, other: Any) -> Any:
            seen.append(repr([one, two, other]))
            return (one if two is None else two), None, None

        apply = _made(torch, forward, jvp)
        seen += [repr(apply(d, x, True)), repr(apply(d, x, False)), repr(apply(d, d, False))]
        apply = _made(torch, forward, lambda ctx, one, *_: (one, None, one))
        seen.append(attempt(lambda: apply(d, x, True)))

    def marked(ctx: Any, a: Any) -> Any:
        out = a * 2
        ctx.mark_non_differentiable(out)
        return out, a * 3

    with fw.dual_level():
        d = fw.make_dual(x, v)
        for first in (None, v):
            apply = _made(torch, marked, lambda ctx, t, first=first: (first, t * 3))
            seen.append(attempt(lambda: apply(d)))
    return seen


def in_place(torch: Any) -> Any:
    fw, x, v = _parts(torch)

    def forward(ctx: Any, a: Any) -> Any:
        ctx.mark_dirty(a)
        return a.mul_(2)

    seen = []
    for jvp in (lambda ctx, t: t.mul_(2), lambda ctx, t: t * 2):
        with fw.dual_level():
            d = fw.make_dual(x.clone(), v.clone())
            seen += [attempt(lambda: _made(torch, forward, jvp)(d)), repr(d)]
    return seen


def views(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    seen = []
    with fw.dual_level():
        d = fw.make_dual(x, v)
        for give in (lambda a: a, lambda a: a.view_as(a), lambda a: a * 1):
            for jvp in (lambda ctx, t: t.view_as(t), lambda ctx, t: t * 1):
                apply = _made(torch, lambda ctx, a, give=give: give(a), jvp)
                seen.append(attempt(lambda: apply(d)))
    return seen


def with_setup(torch: Any) -> Any:
    """`setup_context`, and reverse mode through both parts."""
    fw, x, v = _parts(torch)

    class Product(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(a: Any, b: Any) -> Any:
            return a * b

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_forward(*inputs)
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            a, b = ctx.saved_tensors
            return grad * b, grad * a

        @staticmethod
        def jvp(ctx: Any, one: Any, two: Any) -> Any:
            a, b = ctx.saved_tensors
            return one * b + a * two

    a, t = x.clone().requires_grad_(), v.clone().requires_grad_()
    with fw.dual_level():
        d = fw.make_dual(a, t)
        y = Product.apply(d, d * 2)
        seen = [repr(y)]
        tangent = fw.unpack_dual(y).tangent
        found = torch.autograd.grad(tangent.sum(), (a, t), retain_graph=True)
        seen += [repr([one.tolist() for one in found])]
        seen += [repr(torch.autograd.grad(y.sum(), a, create_graph=n)) for n in (True, False)]
    return seen


def saved_result(torch: Any) -> Any:
    """A saved output comes back with its tangent."""
    fw, x, v = _parts(torch)
    seen = []

    def forward(ctx: Any, a: Any) -> Any:
        out = a.exp()
        ctx.save_for_backward(out)
        return out

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(repr(ctx.saved_tensors[0].detach()))
        return grad * ctx.saved_tensors[0]

    body = {"forward": forward, "backward": backward, "jvp": lambda ctx, t: t * x.exp()}
    made = {name: staticmethod(one) for name, one in body.items()}
    apply = type("Made", (torch.autograd.Function,), made).apply
    a = x.clone().requires_grad_()
    with fw.dual_level():
        y = apply(fw.make_dual(a, v))
        return [repr(y), repr(torch.autograd.grad(y.sum(), a)), seen]
