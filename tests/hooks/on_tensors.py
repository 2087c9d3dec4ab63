"""Hooks on tensors: what they get, what they may return, when they are called."""

import gc
import pickle
import warnings
import weakref
from typing import Any

from tests.contracts.functions import _one
from tests.observe import attempt, rounded


def while_the_graph_is_kept(torch: Any) -> Any:
    x = torch.ones(5, 5, requires_grad=True)
    y = torch.ones(5, 5) * 4
    y.requires_grad_(True)
    counter = [0]

    def bw_hook(inc, grad):
        counter[0] += inc

    z = x**2 + x * 2 + x * y + y
    x.register_hook(lambda *args: bw_hook(0, *args))
    test = z.register_hook(lambda *args: bw_hook(1, *args))
    z.backward(torch.ones(5, 5), retain_graph=True)
    c = [counter[0]]
    test2 = z.register_hook(lambda *args: bw_hook(2, *args))
    z.backward(torch.ones(5, 5), retain_graph=True)
    c.append(counter[0])
    test2.remove()
    z.backward(torch.ones(5, 5), retain_graph=True)
    c.append(counter[0])

    def bw_hook_modify(grad):
        return grad.mul(2)

    test.remove()
    z.register_hook(bw_hook_modify)
    with torch.no_grad():
        y.grad.zero_()
    z.backward(torch.ones(5, 5), retain_graph=True)
    c.append(rounded(y.grad)[0])
    y.register_hook(bw_hook_modify)
    with torch.no_grad():
        y.grad.zero_()
    z.backward(torch.ones(5, 5))
    c.append(rounded(y.grad)[0])
    return c


def wrong_kinds(torch: Any) -> Any:
    out = []
    for leaf in (True, False):
        for r in (
            lambda g: 3,
            lambda g: "a",
            lambda g: (g,),
            lambda g: [g],
            lambda g: torch.ones(3),
            lambda g: torch.ones(2, 2),
            lambda g: g.double(),
            lambda g: g.int(),
            lambda g: g.to(torch.cfloat),
            lambda g: g.half(),
            lambda g: True,
            lambda g: torch.nn.Parameter(g),
            lambda g: g.expand(2),
            lambda g: None,
        ):
            x = torch.ones(2, requires_grad=True)
            y = x if leaf else x * 1
            y.register_hook(r)
            out.append(attempt(lambda: (y * 1).sum().backward()) + str(x.grad))

    def named(g):
        return 3

    class CallMe:
        def __call__(self, g):
            return torch.ones(7)

    import functools

    for h in (
        named,
        CallMe(),
        functools.partial(lambda a, g: torch.ones(9), 1),
        CallMe().__call__,
    ):
        x = torch.ones(2, requires_grad=True)
        x.register_hook(h)
        out.append(attempt(lambda: x.sum().backward()))
    return out


def what_takes_no_hook(torch: Any) -> Any:
    x = _one(torch)
    y = x * 1
    return [
        attempt(lambda: x.register_hook(3)),
        attempt(lambda: y.register_hook(None)),
        attempt(lambda: x.register_post_accumulate_grad_hook(3)),
        attempt(lambda: y.grad_fn.register_hook(3)),
        attempt(lambda: y.grad_fn.register_prehook(3)),
        attempt(lambda: torch.ones(1).register_hook(lambda g: g)),
        attempt(lambda: torch.ones(1).register_post_accumulate_grad_hook(lambda g: g)),
        attempt(lambda: y.register_post_accumulate_grad_hook(lambda g: g)),
        attempt(lambda: x.register_hook(lambda: 3)),
        attempt(lambda: x.sum().backward()),
    ]


def undefined_gradients(torch: Any) -> Any:
    class NoneGradientFunction(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            assert ctx.needs_input_grad[0]
            assert not ctx.needs_input_grad[1]
            return x, y

        @staticmethod
        def backward(ctx: Any, gx: Any, gy: Any) -> Any:
            return gx, None

    was_called = [False]

    def hook(grad):
        was_called[0] = grad is not None

    x = torch.randn(5, 5, requires_grad=True)
    y = torch.randn(5, 5)
    rx, ry = NoneGradientFunction.apply(x, y)
    rx.register_hook(hook)
    ry.register_hook(hook)
    sum(rx, ry).sum().backward()
    return was_called


def retained(torch: Any) -> Any:
    inp = torch.rand(1, 3, requires_grad=True)
    h1 = inp * 3
    out = (h1 * h1).sum()
    h1.retain_grad()
    h1.retain_grad()
    r = [h1.retains_grad, inp.retains_grad, out.retains_grad]
    out.backward(retain_graph=True)
    r.append(torch.equal(h1 * 2, h1.grad))
    out.backward(retain_graph=True)
    r.append(torch.equal(h1 * 4, h1.grad))
    with torch.no_grad():
        inp.grad.zero_()
    inp.retain_grad()
    inp.retain_grad()
    out.backward()
    r.append(torch.equal(h1 * 18, inp.grad))
    return r


def retaining_keeps_nothing(torch: Any) -> Any:
    x = torch.ones(5, 5, requires_grad=True)

    def run_test():
        y = x * 2
        y.retain_grad()
        return y / 2, weakref.ref(y)

    z, ref = run_test()
    gone = ref() is None
    z.sum().backward()
    return gone


def after_accumulation(torch: Any) -> Any:
    log = []
    t = torch.rand(8, requires_grad=True)
    torch.rand(8, requires_grad=True)

    def hook(p):
        log.append((p is t, rounded(p.grad)[0], p.grad.requires_grad))
        p.grad = None

    h = t.register_post_accumulate_grad_hook(hook)
    (t * 2).sum().backward()
    log.append(t.grad)
    h.remove()
    (t * 2).sum().backward()
    log.append(rounded(t.grad)[0])
    t.grad = None
    h1 = t.register_post_accumulate_grad_hook(lambda p: log.append("first"))
    t.register_post_accumulate_grad_hook(lambda p: log.append("second"))
    (t * 2).sum().backward()
    h1.remove()
    (t * 2).sum().backward()
    bad = _one(torch)
    bad.register_post_accumulate_grad_hook(lambda p: 3)
    log.append(attempt(lambda: bad.sum().backward()))
    bad = _one(torch)
    bad.register_post_accumulate_grad_hook(lambda p: p.grad)
    log.append(attempt(lambda: bad.sum().backward()))
    log.append(rounded(bad.grad))
    bad = _one(torch)
    bad.register_post_accumulate_grad_hook(lambda p: 1 // 0)
    log.append(attempt(lambda: bad.sum().backward()))
    log.append(rounded(bad.grad))
    bad = _one(torch)
    bad.register_post_accumulate_grad_hook(lambda p: log.append(type(p).__name__))
    torch.autograd.backward((bad * 2).sum(), inputs=[bad])
    torch.autograd.grad((bad * 2).sum(), bad)
    bad = torch.nn.Parameter(torch.ones(1))
    bad.register_post_accumulate_grad_hook(lambda p: log.append((type(p).__name__, p is bad)))
    (bad * 2).sum().backward()
    log.append(type(t._post_accumulate_grad_hooks).__name__)
    log.append(_one(torch)._post_accumulate_grad_hooks)
    return log


def hook_dies_with_its_tensor(torch: Any) -> Any:
    def fun_stuff_with_hook():
        thing_to_put_in_hook = torch.rand(3)

        def hook(p):
            p.sub_(thing_to_put_in_hook)

        tensor = torch.rand(3, requires_grad=True)
        tensor.register_post_accumulate_grad_hook(hook)
        tensor.sum().backward()
        ref = weakref.ref(thing_to_put_in_hook)
        return tensor, ref

    with torch.no_grad():
        pass

    def f():
        thing = torch.rand(3)

        def hook(p):
            p.grad.sub_(thing)

        tensor = torch.rand(3, requires_grad=True)
        tensor.register_post_accumulate_grad_hook(hook)
        tensor.sum().backward()
        return tensor, weakref.ref(thing)

    gc.disable()
    t, r = f()
    a = r() is not None
    del t
    b = r() is None
    gc.enable()
    return a, b


def all_hooks_of_a_leaf(torch: Any) -> Any:
    t = torch.ones(1, requires_grad=True)
    log = []
    leaf = t.expand_as(t).grad_fn.next_functions[0][0]
    t.register_post_accumulate_grad_hook(
        lambda p: log.append(("pa", p.grad.item(), torch.is_grad_enabled()))
    )
    leaf.register_hook(lambda i, o: log.append(("post", len(i), o[0].item())))
    leaf.register_prehook(lambda g: (log.append(("pre", g[0].item())), (g[0] * 2,))[1])
    t.register_hook(lambda g: (log.append(("tensor", g.item())), g - 1)[1])
    t.register_hook(lambda g: (log.append(("tensor2", g.item())), g * 5)[1])
    (t * 3).sum().backward()
    log.append(rounded(t.grad))
    torch.autograd.grad((t * 3).sum(), t)
    log.append("grad")
    (t * 3).sum().backward(create_graph=True)
    return log


def step_inside_backward(torch: Any) -> Any:
    p = torch.nn.Parameter(torch.ones(3))
    opt = torch.optim.SGD([p], lr=0.5)

    def h(p):
        opt.step()
        opt.zero_grad()

    p.register_post_accumulate_grad_hook(h)
    for _ in range(3):
        (p * p).sum().backward()
    return rounded(p), p.grad


def registered_inside_a_hook(torch: Any) -> Any:
    log = []
    a = _one(torch)

    def h(g):
        log.append("h")
        a.register_hook(lambda g: log.append("new"))

    k = a.register_hook(h)
    a.sum().backward()
    k.remove()
    log.append("-")
    a.sum().backward()
    b = a * 2
    c = b * 3
    c.register_hook(lambda g: b.register_hook(lambda g: log.append("late b")))
    c.backward()
    return log


def removed_twice(torch: Any) -> Any:
    a = _one(torch)
    b = a * 2
    h = b.register_hook(lambda g: g * 10)
    h.remove()
    h.remove()
    b.backward()
    return rounded(a.grad), len(b._backward_hooks or {})


def dictionary_of_hooks(torch: Any) -> Any:
    a = _one(torch)
    b = a * 2
    r = [a._backward_hooks, b._backward_hooks]
    h = b.register_hook(lambda g: g)
    a.register_hook(lambda g: g)
    r += [
        type(a._backward_hooks).__name__,
        len(a._backward_hooks),
        type(b._backward_hooks).__name__,
        list(b._backward_hooks) == [h.id],
    ]
    a._backward_hooks = None
    r += [a._backward_hooks]
    import collections

    d = collections.OrderedDict()
    log = []
    d[0] = lambda g: log.append("set")
    a._backward_hooks = d
    a.sum().backward()
    r += [
        log,
        attempt(lambda: setattr(a, "_backward_hooks", 3)),
        attempt(lambda: setattr(a, "_backward_hooks", {})),
    ]
    b.mul_(2)
    r += [b._backward_hooks, attempt(lambda: b._backward_hooks is None)]
    return r


def who_keeps_a_hook(torch: Any) -> Any:
    out = []
    gc.disable()

    class H:
        def __call__(self, g):
            return g

    a = _one(torch)
    h = H()
    r = weakref.ref(h)
    k = a.register_hook(h)
    del h
    out.append(r() is not None)
    k.remove()
    out.append(r() is None)
    h = H()
    r = weakref.ref(h)
    a.register_hook(h)
    del h, a
    out.append(r() is None)
    a = _one(torch)
    b = a * 2
    h = H()
    r = weakref.ref(h)
    b.register_hook(h)
    c = b * 2
    del h, b
    out.append(r() is not None)
    del c
    out.append(r() is None)
    a = _one(torch)
    b = a * 2
    h = H()
    r = weakref.ref(h)
    b.grad_fn.register_hook(lambda i, o, kept=h: kept)
    del b
    del h
    out.append(r() is None)
    gc.enable()
    return out


def what_is_called_for_inputs(torch: Any) -> Any:
    log = []

    def h(n):
        def f(g):
            log.append(n)

        return f

    def run(inputs_of):
        log.clear()
        a = _one(torch)
        b = a * 2
        c = b * 3
        a.register_hook(h("a"))
        b.register_hook(h("b"))
        c.register_hook(h("c"))
        a.register_post_accumulate_grad_hook(lambda p: log.append("pa"))
        b.retain_grad()
        c.retain_grad()
        for n, t in (
            ("a", a.view_as(a).grad_fn.next_functions[0][0]),
            ("b", b.grad_fn),
            ("c", c.grad_fn),
        ):
            t.register_prehook(lambda g, n=n: log.append("pre " + n))
            t.register_hook(lambda i, o, n=n: log.append("post " + n))
        inputs_of(a, b, c)
        return list(log), [None if t.grad is None else rounded(t.grad) for t in (a, b, c)]

    g = torch.autograd.grad
    return [
        run(lambda a, b, c: g(c, a)),
        run(lambda a, b, c: g(c, b)),
        run(lambda a, b, c: g(c, c)),
        run(lambda a, b, c: g(c, (a, b))),
        run(lambda a, b, c: g(c, (a, b, c))),
        run(lambda a, b, c: c.backward()),
        run(lambda a, b, c: c.backward(inputs=[b])),
        run(lambda a, b, c: c.backward(inputs=[a])),
        run(lambda a, b, c: c.backward(inputs=[a, b, c])),
        run(lambda a, b, c: c.backward(inputs=[c])),
        run(lambda a, b, c: g((c, b), (b,))),
    ]


def under_create_graph(torch: Any) -> Any:
    log = []
    x = torch.tensor([2.0], requires_grad=True)
    y = x**2
    y.register_hook(lambda g: (log.append((g.requires_grad, torch.is_grad_enabled())), g * x)[1])
    x.register_hook(lambda g: (log.append((g.requires_grad, type(g.grad_fn).__name__)), g * 3)[1])
    y.grad_fn.register_prehook(lambda g: (log.append(g[0].requires_grad), (g[0] * 2,))[1])
    y.grad_fn.register_hook(
        lambda i, o: (log.append((i[0].requires_grad, o[0].requires_grad)), (i[0] * 2,))[1]
    )
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log.append(g.item())
    (gg,) = torch.autograd.grad(g, x)
    log.append(gg.item())
    y2 = x**2
    y2.register_hook(lambda g: g * x)
    (g,) = torch.autograd.grad(y2, x)
    log.append(g.requires_grad)
    return log


def recording_inside(torch: Any) -> Any:
    log = []
    x = _one(torch)
    x.register_hook(lambda g: log.append(torch.is_grad_enabled()))
    x.register_post_accumulate_grad_hook(lambda p: log.append(torch.is_grad_enabled()))
    (x * 2).backward()
    (x * 2).backward(create_graph=True)
    with torch.no_grad():
        pass
    return log


def gradient_set_to_zero(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    a = x * 2
    b = x * 3
    a.register_hook(lambda g: g.zero_() and None)
    s = a + b

    def z(g):
        g.zero_()

    s.register_hook(z)
    attempt(lambda: s.sum().backward())
    return rounded(x.grad)


def handle(torch: Any) -> Any:
    H = torch.utils.hooks.RemovableHandle
    import collections

    d = collections.OrderedDict()
    e = collections.OrderedDict()
    h = H(d, extra_dict=e)
    d[h.id] = 1
    e[h.id] = 2
    n = H.next_id
    h2 = H(d, extra_dict=[e, d])
    d[h2.id] = 3
    r = [
        h2.id - h.id,
        H.next_id - n,
        isinstance(n, int),
        sorted(k for k in vars(H) if not k.startswith("__")),
        h.hooks_dict_ref() is d,
        type(h.extra_dict_ref).__name__,
    ]
    h.remove()
    r += [list(d.values()), list(e)]
    with h2 as k:
        r.append(k is h2)
    r.append(list(d))
    st = pickle.dumps(h2) if False else h2.__getstate__()
    r += [
        type(st).__name__,
        len(st),
        st[0] is d,
        attempt(lambda: H({})),
        attempt(lambda: H(d, extra_dict=3)),
    ]
    h3 = H.__new__(H)
    h3.__setstate__(st)
    r += [h3.id == h2.id, h3.hooks_dict_ref() is d]
    h4 = H.__new__(H)
    h4.__setstate__((None, 7))
    r += [h4.id, h4.hooks_dict_ref() is None, type(h4.hooks_dict_ref()).__name__]
    return r


def hooks_and_pickles(torch: Any) -> Any:
    m = torch.utils.hooks

    def f():
        pass

    r = [
        attempt(lambda: m.unserializable_hook(f) is f),
        getattr(f, "__torch_unserializable__", None),
    ]
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        m.warn_if_has_hooks(torch.ones(1))
        x = _one(torch)
        x.register_hook(lambda g: g)
        m.warn_if_has_hooks(x)
        y = _one(torch)
        y.register_hook(m.unserializable_hook(lambda g: g))
        m.warn_if_has_hooks(y)
        r.append([(i.category.__name__, str(i.message).partition(" on ")[2]) for i in w])
    return r
