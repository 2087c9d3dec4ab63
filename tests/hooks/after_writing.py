"""Hooks and retain_grad set before and after in-place, on bases and on views."""

from typing import Any

from tests.contracts.functions import _one
from tests.observe import rounded


def one_tensor(torch: Any) -> Any:
    # hook registered before in-place runs w.r.t. grads before; after: after
    a = torch.tensor([1.0], requires_grad=True)
    log = []

    def fn(n):
        def f(g):
            log.append((n, g.item()))
            return

        return f

    b = a.clone()
    b.register_hook(fn("b0"))
    b.mul_(2)
    b.register_hook(fn("b1"))
    b.mul_(3)
    b.register_hook(fn("b2"))
    b.sum().backward()
    log.append(rounded(a.grad))
    b = a.clone()
    b.retain_grad()
    b.mul_(2)
    b.sum().backward()
    log.append((b.grad.item(), b.retains_grad))
    b = a.clone()
    b.mul_(2)
    b.retain_grad()
    b.mul_(3)
    b.retain_grad()
    b.sum().backward()
    log.append(b.grad.item())
    b = a.clone()
    b.register_hook(lambda g: g * 10)
    b.mul_(2)
    b.register_hook(lambda g: g * 100)
    a.grad = None
    b.sum().backward()
    log.append(rounded(a.grad))
    return log


def output_of_several(torch: Any) -> Any:
    class DoubleMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x1 = x * 2
            x2 = x * 3
            return x1, x2

        @staticmethod
        def backward(ctx: Any, g1: Any, g2: Any) -> Any:
            return g1 * 2 + g2 * 3

    log = []

    def fn(n):
        def f(g):
            log.append((n, rounded(g)))

        return f

    a = torch.ones(2, requires_grad=True)
    b, c = DoubleMul.apply(a)
    b.register_hook(fn("b0"))
    c.register_hook(fn("c0"))
    b.retain_grad()
    c.retain_grad()
    b.mul_(2)
    b.register_hook(fn("b1"))
    (b + c).sum().backward()
    return log, rounded(b.grad), rounded(c.grad), rounded(a.grad), b.retains_grad


def base_and_views(torch: Any) -> Any:
    log = []

    def fn(n):
        def f(g):
            log.append((n, rounded(g)))

        return f

    base = torch.ones(2, 2, requires_grad=True).clone()
    base.register_hook(fn("base0"))
    view = base[0]
    view.register_hook(fn("view0"))
    v2 = base[1]
    v2.register_hook(fn("v20"))
    base.retain_grad()
    view.retain_grad()
    v2.retain_grad()
    view.mul_(3)
    base.register_hook(fn("base1"))
    view.register_hook(fn("view1"))
    v2.register_hook(fn("v21"))
    view.mul_(5)
    view.register_hook(fn("view2"))
    base.register_hook(fn("base2"))
    (base * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward(retain_graph=True)
    log.append([None if t.grad is None else rounded(t.grad) for t in (base, view, v2)])
    (view * 2).sum().backward(retain_graph=True)
    (v2 * 7).sum().backward()
    log.append([None if t.grad is None else rounded(t.grad) for t in (base, view, v2)])
    log.append([t.retains_grad for t in (base, view, v2)])
    return log


def nodes_of_a_view(torch: Any) -> Any:
    log = []

    def fn(n):
        def f(*g):
            log.append((n, [[None if t is None else rounded(t) for t in i] for i in g]))

        return f

    a = torch.ones(2, requires_grad=True)
    b = a.clone()
    v = b[:1]
    b.grad_fn.register_prehook(fn("pre clone"))
    b.grad_fn.register_hook(fn("post clone"))
    v.grad_fn.register_prehook(fn("pre slice"))
    v.mul_(2)
    b.grad_fn.register_prehook(fn("pre CopySlices"))
    b.grad_fn.register_hook(fn("post CopySlices"))
    v.grad_fn.register_prehook(fn("pre asstrided"))
    (b.sum() + v.sum()).backward()
    log.append(v.grad_fn.name())
    log.append(rounded(a.grad))
    return log


def retained(torch: Any) -> Any:
    log = []
    a = _one(torch)
    b = a.clone()
    b.retain_grad()
    b.mul_(2)
    b.retain_grad()
    c = b.clone()
    c.sum().backward()
    log.append(rounded(b.grad))
    base = torch.tensor([1.0], requires_grad=True).clone()
    view = base[:]
    view2 = base[:]
    view.retain_grad()
    base.retain_grad()
    view.mul_(2)
    (view.sum() + base.sum()).backward()
    log.append([rounded(view.grad), rounded(base.grad)])
    base = torch.tensor([1.0], requires_grad=True).clone()
    view = base[:]
    view2 = base[:]
    view2.retain_grad()
    view.mul_(3)
    (view2 * 2).sum().backward()
    log.append(rounded(view2.grad))
    d = torch.ones(1, requires_grad=True)
    e = d.clone()
    e = d.clone()
    e.retain_grad()
    e.data.mul_(2)
    e.sum().backward()
    log.append(rounded(e.grad))
    x = torch.ones(2)
    w = torch.ones(2, requires_grad=True)
    x.mul_(w)
    x.retain_grad()
    x.mul_(w)
    x.sum().backward()
    log.append(rounded(x.grad))
    log.append(rounded(w.grad))
    return log
