"""Hooks on saved tensors: default pairs, errors, counts."""

import threading
from typing import Any

from tests.contracts.functions import _one
from tests.observe import attempt, rounded


def _pair(torch: Any) -> Any:
    return torch.autograd.graph.saved_tensors_hooks


def default_pairs(torch: Any) -> Any:
    a = torch.randn(5, requires_grad=True)
    r = []
    with _pair(torch)(lambda x: 2 * x, lambda x: x / 2):
        y = a * a
        r.append(torch.equal(a, y.grad_fn._saved_self))
    y.sum().backward()
    r.append(torch.allclose(2 * a, a.grad))
    a.grad = None
    with _pair(torch)(lambda x: 2 * x, lambda x: x):
        y = a * a
    y.sum().backward()
    r.append(torch.allclose(4 * a, a.grad))
    a.grad = None
    with _pair(torch)(lambda x: x + 1, lambda x: x):
        y = a * a
    y.sum().backward()
    r.append(torch.allclose(2 * (a + 1), a.grad))
    a.grad = None
    with _pair(torch)(lambda x: (x, x), lambda t: t[0] + t[1]):
        y = a.exp()
    y.sum().backward()
    r.append(torch.allclose(2 * a.exp(), a.grad))
    a.grad = None

    def f(x):
        s = x**2
        return s * x * x / s.exp() if False else (s * x).sum()

    with _pair(torch)(lambda x: x, lambda x: x):
        r.append(torch.autograd.grad(f(a), a)[0].allclose(3 * a * a))
    return r


def pairs_that_fail(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    r = []
    for hs in ((1, 2), (lambda x: x,), (lambda x: x, 3), ()):

        def go():
            with _pair(torch)(*hs):
                a * a

        r.append(attempt(go))
    for hs in (
        (lambda x: 1 // 0, lambda x: x),
        (lambda x: x.mul_(2), lambda x: x),
        (lambda x: None, lambda x: x),
        (lambda x: x, lambda x: None),
        (lambda x: x, lambda: 3),
        (lambda x: x, lambda x: 1 // 0),
        (lambda x: x, lambda x: [x]),
        (lambda x: 3, lambda x: torch.ones(2, dtype=torch.double)),
    ):

        def go():
            b = a.clone()
            with _pair(torch)(*hs):
                y = b * b
            y.sum().backward()

        a.grad = None
        r.append(attempt(go) + str(a.grad))
        r.append(attempt(lambda: (a * a).sum().item()))
    return r


def pack_that_writes(torch: Any) -> Any:
    def inplace_double(x):
        x *= 2
        return x

    a = torch.ones(5, requires_grad=True).clone()

    def go():
        with _pair(torch)(inplace_double, lambda x: x / 2):
            a * a

    r = [attempt(go), rounded(a)]
    y = a.detach().requires_grad_() * 1

    def go2():
        with _pair(torch)(inplace_double, lambda x: x / 2):
            return y.exp()

    r += [attempt(go2)]

    def go3():
        with _pair(torch)(lambda x: x.detach().mul_(2), lambda x: x / 2):
            return y * y

    r += [attempt(go3)]

    def unpack(x):
        x.mul_(2)
        return x

    with _pair(torch)(lambda x: x.clone(), unpack):
        z = y * y
    z.sum().backward()
    return r


def pairs_in_pairs(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    log = []
    with _pair(torch)(lambda x: (log.append("p1"), x)[1], lambda x: (log.append("u1"), x)[1]):
        with _pair(torch)(lambda x: (log.append("p2"), x)[1], lambda x: (log.append("u2"), x)[1]):
            y = a * a
        z = y * y
    w = z * z
    w.sum().backward()
    return log


def entered_by_hand(torch: Any) -> Any:
    h = _pair(torch)(lambda x: x, lambda x: x)
    r = [
        attempt(lambda: h.pack_hook(3)),
        attempt(lambda: h.unpack_hook(3)),
        type(h.__enter__()).__name__,
    ]
    r.append(attempt(lambda: h.__exit__(None, None, None)))
    return r


def not_a_decorator(torch: Any) -> Any:
    return attempt(lambda: _pair(torch)(lambda x: x, lambda x: x)(lambda: 3)())


def what_is_packed(torch: Any) -> Any:
    log = []
    a = torch.ones(2, requires_grad=True)
    b = a * 1

    def pack(x):
        log.append(
            (
                x is b,
                x.requires_grad,
                None if x.grad_fn is None else x.grad_fn.name(),
                torch.is_grad_enabled(),
                x.is_leaf,
                x._version,
            )
        )
        return x

    def unpack(x):
        log.append(("u", torch.is_grad_enabled(), x.requires_grad))
        return x

    with _pair(torch)(pack, unpack):
        y = b * b
        z = b.exp()
        a * 3
        a * a
        b.detach() * a
        torch.nn.functional.relu(b)
        b.sigmoid_() if False else None
    y.sum().backward()
    z.sum().backward()
    return log


def how_often_packed(torch: Any) -> Any:
    def t(f, inputs, create=False):
        log = []
        with _pair(torch)(lambda x: (log.append("p"), x)[1], lambda x: (log.append("u"), x)[1]):
            y = f(*inputs)
        n = log.count("p")
        torch.autograd.grad(y.sum(), [i for i in inputs if i.requires_grad], create_graph=create)
        return n, log.count("u")

    a = torch.rand(2, requires_grad=True)
    b = torch.rand(2, requires_grad=True)
    c = torch.rand(2)
    m = torch.rand(2, 2, requires_grad=True)
    return [
        t(lambda a, b: a * b, (a, b)),
        t(lambda a, b: a * b, (a, c)),
        t(lambda a: a * 2, (a,)),
        t(lambda a: a.exp(), (a,)),
        t(lambda a: a.sin(), (a,)),
        t(lambda a: a / 2, (a,)),
        t(lambda a, b: a / b, (a, b)),
        t(lambda a: a**2, (a,)),
        t(lambda a, b: a**b, (a, b)),
        t(lambda m: m @ m, (m,)),
        t(lambda m, a: m @ a, (m, a)),
        t(lambda a: a.sum(), (a,)),
        t(lambda a: a.mean(), (a,)),
        t(lambda a: a.relu(), (a,)),
        t(lambda a: a.tanh(), (a,)),
        t(lambda a: a.softmax(0), (a,)),
        t(lambda a: a.log_softmax(0), (a,)),
        t(lambda a, b: torch.where(a > b, a, b), (a, b)),
        t(lambda a: a.max(), (a,)),
        t(lambda a: a.max(0)[0], (a,)),
        t(lambda a: a.sort()[0], (a,)),
        t(lambda a: a.clamp(0, 1), (a,)),
        t(lambda a: a.abs(), (a,)),
        t(lambda a: a.norm(), (a,)),
        t(lambda a: a.cumsum(0), (a,)),
        t(lambda a: a.std(), (a,)),
        t(lambda a: a.var(), (a,)),
        t(lambda a: torch.nn.functional.gelu(a), (a,)),
        t(lambda a, b: torch.nn.functional.mse_loss(a, b), (a, b)),
        t(lambda a, b: torch.nn.functional.mse_loss(a, b), (a, c)),
        t(lambda a, b: torch.addcmul(a, b, b), (a, b)),
        t(lambda m: torch.nn.functional.linear(m, m, a), (m,)),
        t(lambda a: a.gather(0, torch.tensor([0])), (a,)),
        t(lambda a: a.index_select(0, torch.tensor([0])), (a,)),
        t(lambda a: a.masked_fill(torch.tensor([True, False]), 0.0), (a,)),
        t(lambda a: a.logsumexp(0), (a,)),
        t(lambda a, b: torch.maximum(a, b), (a, b)),
        t(lambda a, b: torch.atan2(a, b), (a, b)),
        t(lambda a: a.pow(3.0), (a,)),
        t(lambda a: a.sqrt(), (a,)),
        t(lambda a: a.rsqrt(), (a,)),
        t(lambda a: a.reciprocal(), (a,)),
        t(lambda a: a.log(), (a,)),
        t(lambda a: a.sigmoid(), (a,)),
        t(lambda a, b: torch.cat([a, b]), (a, b)),
        t(lambda a, b: torch.lerp(a, b, 0.5), (a, b)),
        t(lambda a, b: torch.dot(a, b), (a, b)),
        t(lambda m: torch.einsum("ij,jk->ik", m, m), (m,)),
        t(lambda a: torch.nn.functional.softplus(a), (a,)),
        t(lambda a: torch.nn.functional.leaky_relu(a), (a,)),
        t(lambda a: torch.nn.functional.elu(a), (a,)),
        t(lambda a: torch.nn.functional.silu(a), (a,)),
    ]


def how_often_unpacked(torch: Any) -> Any:
    # register on each saved with hooks and count unpack in backward / double
    def f(x, y):
        return x * y

    pc, uc = [0], [0]

    def pack(x):
        pc[0] += 1
        return x

    def unpack(x):
        uc[0] += 1
        return x

    x = torch.ones(5, requires_grad=True)
    y = torch.ones(5, requires_grad=True)
    r = []
    with _pair(torch)(pack, unpack):
        z = f(x, y)
    r.append((pc[0], uc[0]))
    z.sum().backward()
    r.append((pc[0], uc[0]))
    pc[0] = uc[0] = 0
    with _pair(torch)(pack, unpack):
        z = f(x, y)
    z.sum().backward(retain_graph=True)
    z.sum().backward()
    r.append((pc[0], uc[0]))
    pc[0] = uc[0] = 0
    y.requires_grad_(False)
    with _pair(torch)(pack, unpack):
        z = f(x, y)
    r.append((pc[0], uc[0]))
    z.sum().backward()
    r.append((pc[0], uc[0]))
    pc[0] = uc[0] = 0
    x = torch.ones(5, requires_grad=True).clone() if False else torch.ones(5, requires_grad=True)
    y.requires_grad_(True)
    with _pair(torch)(pack, unpack):
        z = f(x, y)
        torch.autograd.grad(z.sum(), (x, y), create_graph=True)
    r.append((pc[0], uc[0]))
    return r


def nothing_saved(torch: Any) -> Any:
    log = []
    with _pair(torch)(lambda x: (log.append(1), x)[1], lambda x: x):
        a = torch.ones(2)
        a * a
        with torch.no_grad():
            torch.ones(2, requires_grad=True) * torch.ones(2)
    return len(log)


def double_backward(torch: Any) -> Any:
    r = []
    a = torch.full((2,), 3.0, requires_grad=True)
    with _pair(torch)(lambda x: 2 * x, lambda x: x):
        y = a**3
        s = torch.sum(y)
        (g,) = torch.autograd.grad(s, (a,), create_graph=True)
        g.sum().backward()
        r.append(rounded(a.grad))
    a.grad = None
    with _pair(torch)(lambda x: 2 * x, lambda x: x):
        y = a**3
        s = torch.sum(y)
    (g,) = torch.autograd.grad(s, (a,), create_graph=True)
    g.sum().backward()
    r.append(rounded(a.grad))
    a.grad = None
    y = a**3
    s = torch.sum(y)
    with _pair(torch)(lambda x: 2 * x, lambda x: x):
        (g,) = torch.autograd.grad(s, (a,), create_graph=True)
    g.sum().backward()
    r.append(rounded(a.grad))
    a.grad = None
    y = a**3
    s = torch.sum(y)
    (g,) = torch.autograd.grad(s, (a,), create_graph=True)
    with _pair(torch)(lambda x: 2 * x, lambda x: x):
        g.sum().backward()
    r.append(rounded(a.grad))
    return r


def history_of_what_is_unpacked(torch: Any) -> Any:
    # packing to something not tensor and back; grad through unpack
    r = []
    a = torch.full((2,), 3.0, requires_grad=True)
    b = a * 1
    with _pair(torch)(lambda x: x.tolist(), lambda l: torch.tensor(l)):
        y = b * b
        z = b.exp()
    s = y.grad_fn._saved_self
    r += [s.requires_grad, s.grad_fn is b.grad_fn, s.is_leaf, s is b]
    s = z.grad_fn._saved_result
    r += [s.requires_grad, s.grad_fn is z.grad_fn, s is z]
    (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    r.append(g.requires_grad)
    (gg,) = torch.autograd.grad(g.sum(), a)
    r.append(rounded(gg))
    with _pair(torch)(lambda x: x.tolist(), lambda l: torch.tensor(l)):
        y = a * a
    s = y.grad_fn._saved_self
    r += [s.requires_grad, s.is_leaf, s is a, y.grad_fn._saved_self is s]
    with _pair(torch)(lambda x: x.detach(), lambda l: l):
        y = a * a
    s = y.grad_fn._saved_self
    r += [s.requires_grad, s.is_leaf, s is a]
    (s * 1).sum().backward()
    r.append(rounded(a.grad))
    return r


def version_of_what_is_unpacked(torch: Any) -> Any:
    class Test(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            before = a._version
            x.add_(1)
            print(a._version == before, x._version)
            return g

    a = torch.tensor(1.0, requires_grad=True)
    a_replacement = a.clone()

    def pack(x):
        return a_replacement

    def unpack(x):
        return a_replacement if False else x

    with _pair(torch)(pack, unpack):
        b = Test.apply(a)
    b.backward()
    return a_replacement._version


def in_custom_functions(torch: Any) -> Any:
    log = []

    class Func(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            i = x.exp()
            ctx.save_for_backward(i.clone().detach_().requires_grad_(True))
            return x.exp()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (i,) = ctx.saved_tensors
            return g * i

    a = torch.tensor(1.0, requires_grad=True)
    with _pair(torch)(lambda x: (log.append("p"), x)[1], lambda x: (log.append("u"), x)[1]):
        b = Func.apply(a)
    b.backward()
    return log


def registered_while_unpacking(torch: Any) -> Any:
    log = []

    class MyFn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            ctx.saved_tensors
            return g

    def pack(x):
        return x

    n = [None]

    def unpack(x):
        n[0].register_hook(lambda i, o: log.append("late"))
        n[0].register_prehook(lambda g: log.append("pre"))
        return x

    a = _one(torch)
    with _pair(torch)(pack, unpack):
        o = MyFn.apply(a)
    n[0] = o.grad_fn
    o.backward()
    return log


def own_errors(torch: Any) -> Any:
    class CustomError(Exception):
        pass

    class err_on_pack(_pair(torch)):
        def __init__(self):
            def pack_hook(x):
                raise CustomError("pack")

            super().__init__(pack_hook, lambda x: x)

    class err_on_unpack(_pair(torch)):
        def __init__(self):
            def unpack_hook(x):
                raise CustomError("unpack")

            super().__init__(lambda x: x, unpack_hook)

    a = torch.rand(3, 3, requires_grad=True)

    def p():
        with err_on_pack():
            torch.sin(a)

    def u():
        with err_on_unpack():
            torch.sin(a).sum().backward()

    return attempt(p), attempt(u)


def pairs_left_behind(torch: Any) -> Any:
    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            _pair(torch)(lambda x: 1 // 0, lambda x: x).__enter__()
            return g

    a = _one(torch)
    Fn.apply(a).backward()
    r = [attempt(lambda: a * a)]

    class Fn2(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            _pair(torch)(lambda x: 1 // 0, lambda x: x).__exit__()
            return g

    h = _pair(torch)(lambda x: x, lambda x: x)

    def go():
        with h:
            Fn2.apply(a).backward()

    r.append(attempt(go))
    r.append(attempt(lambda: a * a))

    class NoGrad(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            torch.set_grad_enabled(True)
            return g

    NoGrad.apply(a).backward()
    r.append(torch.is_grad_enabled())
    return r


def disabled(torch: Any) -> Any:
    D = torch.autograd.graph.disable_saved_tensors_hooks
    r = []
    h = (lambda x: x, lambda x: x)

    def a1():
        with D("error message"):
            with _pair(torch)(*h):
                pass

    r.append(attempt(a1))

    def a2():
        with _pair(torch)(*h):
            with D("error message"):
                pass

    r.append(attempt(a2))

    def a3():
        with D("outer"):
            with D("inner"):
                with _pair(torch)(*h):
                    pass

    r.append(attempt(a3))

    def a4():
        with D("outer"):
            with D("inner"):
                pass
            with _pair(torch)(*h):
                pass

    r.append(attempt(a4))

    def a5():
        with D("outer"):
            try:
                with D("inner"):
                    1 // 0
            except ZeroDivisionError:
                pass
            with _pair(torch)(*h):
                pass

    r.append(attempt(a5))

    @D("deco")
    def f():
        with _pair(torch)(*h):
            return 3

    r.append(attempt(f))
    r.append(attempt(lambda: D()))
    with _pair(torch)(*h):
        r.append(attempt(lambda: _one(torch) * 2))
    with D("m"):
        with torch.autograd.graph.save_on_cpu() if False else torch.no_grad():
            pass
        y = _one(torch)
        z = y * y
        r.append(attempt(lambda: z.grad_fn._raw_saved_self.register_hooks(*h)))
        r.append(
            attempt(lambda: torch.autograd.graph.allow_mutation_on_saved_tensors().__enter__())
        )
    return r


def save_on_cpu(torch: Any) -> Any:
    C = torch.autograd.graph.save_on_cpu
    r = []
    a = torch.full((2,), 2.0, requires_grad=True)
    for pin in (False, True):
        a.grad = None

        def go():
            with C(pin_memory=pin):
                y = a * a * a
                s = y.grad_fn._saved_other
                r.append((s is a, s.requires_grad, s.is_leaf))
            y.sum().backward()
            return rounded(a.grad)

        r.append(attempt(go))

    class M(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = torch.nn.Linear(2, 2)

        def forward(self: Any, x: Any) -> Any:
            return self.l(x).tanh()

    m = M()
    with C():
        y = m(torch.ones(1, 2, requires_grad=True))
        y.sum().backward()
        r.append(m.l.weight.grad.shape)
    with C():
        y = a.exp()
        (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    r.append(rounded(torch.autograd.grad(g.sum(), a)[0]))
    return r, [c.__name__ for c in C.__mro__]


def in_other_threads(torch: Any) -> Any:
    log = []

    def f():
        y = _one(torch)
        z = y * y
        log.append(type(z.grad_fn._saved_self).__name__)
        log.append(attempt(lambda: z.backward()))

    with _pair(torch)(lambda x: 1 // 0, lambda x: x):
        t = threading.Thread(target=f)
        t.start()
        t.join()
    return log


def error_in_backward(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    with _pair(torch)(lambda x: x, lambda x: 1 // 0):
        y = (a * a) * 3
    r = [attempt(lambda: y.sum().backward()), a.grad, torch.is_grad_enabled()]
    r.append(attempt(lambda: y.sum().backward()))
    return r


def views(torch: Any) -> Any:
    a = torch.ones(4, requires_grad=True)
    b = a * 1
    v = b[:2]
    log = []
    with _pair(torch)(
        lambda x: (
            log.append((x is v, x._is_view(), None if x.grad_fn is None else x.grad_fn.name())),
            x.clone(),
        )[1],
        lambda x: x,
    ):
        y = v * v
    s = y.grad_fn._saved_self
    log.append((s._is_view(), s.grad_fn.name()))
    return log, attempt(lambda: y.sum().backward())
