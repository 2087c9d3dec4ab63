"""Hooks on modules, and on all modules: forward, backward, arguments, errors."""

import copy
import pickle
from typing import Any

from tests.observe import attempt, rounded


def _net(torch: Any) -> Any:
    class T(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.seq1 = torch.nn.Linear(2, 2)
            self.act = torch.nn.Tanh()
            self.seq2 = torch.nn.Linear(2, 2)

        def forward(self: Any, x: Any) -> Any:
            return self.seq2(self.act(self.seq1(x)))

    return T()


def _plus(torch: Any) -> Any:
    class T(torch.nn.Module):
        def forward(self: Any, x: Any, bias: Any = None) -> Any:
            return x + (bias if bias is not None else 0)

    return T()


def _glob(torch: Any) -> Any:
    return torch.nn.modules.module


def all_modules_forward(torch: Any) -> Any:
    m = _glob(torch)
    log = []
    net = _net(torch)
    hs = [
        m.register_module_forward_pre_hook(
            lambda mod, i: log.append(("pre", type(mod).__name__, len(i)))
        ),
        m.register_module_forward_hook(lambda mod, i, o: log.append(("post", type(mod).__name__))),
    ]
    net.register_forward_hook(lambda mod, i, o: log.append("own post"))
    net.register_forward_pre_hook(lambda mod, i: log.append("own pre"))
    net(torch.ones(1, 2))
    [h.remove() for h in hs]
    log.append("-")
    net(torch.ones(1, 2))
    log.append(type(hs[0]).__name__)
    h = m.register_module_forward_hook(lambda mod, i, o: o * 0 + 7)
    log.append(rounded(net(torch.ones(1, 2))))
    h.remove()
    h = m.register_module_forward_pre_hook(lambda mod, i: i[0] * 0)
    log.append(rounded(torch.nn.Identity()(torch.ones(1, 2))))
    h.remove()
    return log


def all_modules_backward(torch: Any) -> Any:
    m = _glob(torch)
    log = []
    net = _net(torch)
    h1 = m.register_module_full_backward_hook(
        lambda mod, gi, go: log.append(("bw", type(mod).__name__, len(gi), gi[0] is None, len(go)))
    )
    h2 = m.register_module_full_backward_pre_hook(
        lambda mod, go: log.append(("pre", type(mod).__name__, len(go)))
    )
    net.register_full_backward_hook(lambda mod, gi, go: log.append("own bw"))
    net.register_full_backward_pre_hook(lambda mod, go: log.append("own pre"))
    net(torch.ones(1, 2, requires_grad=True)).sum().backward()
    h1.remove()
    h2.remove()
    log.append("-")
    net(torch.ones(1, 2, requires_grad=True)).sum().backward()
    return log


def forward(torch: Any) -> Any:
    log = []
    net = _plus(torch)
    net.register_forward_pre_hook(
        lambda m, a, k: log.append((len(a), sorted(k))), with_kwargs=True
    )
    b = net.register_forward_pre_hook(
        lambda m, a, k: ((a[0] * 2,), {"bias": torch.ones(1) * 10}), with_kwargs=True
    )
    net.register_forward_pre_hook(lambda m, a: log.append("first"), prepend=True)
    net.register_forward_hook(
        lambda m, a, k, o: (log.append(sorted(k)), o + 1)[1], with_kwargs=True
    )
    net.register_forward_hook(lambda m, a, o: (log.append(rounded(o)), None)[1], prepend=True)
    log.append(rounded(net(torch.ones(1), bias=torch.ones(1))))
    b.remove()
    bad = net.register_forward_pre_hook(lambda m, a, k: 3, with_kwargs=True)
    log.append(attempt(lambda: net(torch.ones(1))))
    bad.remove()
    bad = net.register_forward_pre_hook(lambda m, a, k: (1, 2, 3), with_kwargs=True)
    log.append(attempt(lambda: net(torch.ones(1))))
    bad.remove()
    return log


def always_call(torch: Any) -> Any:
    log = []

    class Bad(torch.nn.Module):
        def forward(self: Any, x: Any) -> Any:
            raise RuntimeError("forward failed")

    net = Bad()
    net.register_forward_hook(lambda m, a, o: log.append(("always", o)), always_call=True)
    net.register_forward_hook(lambda m, a, o: log.append("never"))
    net.register_forward_hook(
        lambda m, a, k, o: log.append(("kw", o, sorted(k))), always_call=True, with_kwargs=True
    )
    net.register_forward_hook(lambda m, a, o: 1 // 0, always_call=True)
    log.append(attempt(lambda: net(torch.ones(1))))
    log = [str(i) for i in log]
    net2 = _plus(torch)
    net2.register_forward_hook(lambda m, a, o: 1 // 0)
    net2.register_forward_hook(lambda m, a, o: log.append(("later", o)), always_call=True)
    log.append(attempt(lambda: net2(torch.ones(1))))
    net3 = _plus(torch)
    net3.register_forward_pre_hook(lambda m, a: 1 // 0)
    net3.register_forward_hook(lambda m, a, o: log.append(("pre failed", o)), always_call=True)
    log.append(attempt(lambda: net3(torch.ones(1))))
    m = _glob(torch)
    h = m.register_module_forward_hook(
        lambda mod, i, o: log.append(("global always", type(mod).__name__)), always_call=True
    )
    log.append(attempt(lambda: net(torch.ones(1))))
    h.remove()
    net4 = _plus(torch)
    net4.register_forward_hook(lambda m, a, o: log.append("once"), always_call=True)
    net4(torch.ones(1))
    log = [str(i) for i in log]
    return log


def backward(torch: Any) -> Any:
    log = []
    lin = torch.nn.Linear(2, 2, bias=False)
    with torch.no_grad():
        lin.weight.copy_(torch.eye(2))
    lin.register_full_backward_hook(
        lambda m, gi, go: (log.append([rounded(gi[0]), rounded(go[0])]), (gi[0] * 3,))[1]
    )
    lin.register_full_backward_hook(lambda m, gi, go: log.append("second"), prepend=True)
    lin.register_full_backward_pre_hook(lambda m, go: (go[0] * 2,))
    lin.register_full_backward_pre_hook(lambda m, go: log.append("pre first"), prepend=True)
    x = torch.ones(1, 2, requires_grad=True)
    lin(x).sum().backward()
    log.append(rounded(x.grad))
    log.append(rounded(lin.weight.grad))
    lin2 = torch.nn.Linear(2, 2, bias=False)
    lin2.register_full_backward_hook(lambda m, gi, go: log.append(gi))
    lin2(torch.ones(1, 2)).sum().backward()
    for ret in (
        lambda gi, go: (gi[0], gi[0]),
        lambda gi, go: (gi[0] * 5,),
        lambda gi, go: (None,),
    ):
        net = torch.nn.Identity()
        net.register_full_backward_hook(lambda m, gi, go: ret(gi, go))
        x = torch.ones(1, 2, requires_grad=True)
        log.append(attempt(lambda: net(x).sum().backward()) + str(x.grad))
    for ret in (lambda go: (go[0], go[0]), lambda go: (None,)):
        net = torch.nn.Identity()
        net.register_full_backward_pre_hook(lambda m, go: ret(go))
        x = torch.ones(1, 2, requires_grad=True)
        log.append(attempt(lambda: net(x).sum().backward()) + str(x.grad))
    net = torch.nn.Identity()
    net.register_full_backward_hook(lambda *a: None)
    log.append(attempt(lambda: net.register_backward_hook(lambda *a: None)))
    net = torch.nn.Identity()
    net.register_backward_hook(lambda *a: None)
    log.append(attempt(lambda: net.register_full_backward_hook(lambda *a: None)))
    return log


def results_that_are_no_tensors(torch: Any) -> Any:
    log = []

    class T(torch.nn.Module):
        def __init__(self, f):
            super().__init__()
            self.f = f

        def forward(self: Any, *a: Any, **k: Any) -> Any:
            return self.f(*a)

    for f in (
        lambda x: [x * 2],
        lambda x: (x * 2, 3, x * 3),
        lambda x: {"a": x * 2},
        lambda x: 3,
        lambda x: (x * 2, None),
        lambda x: x,
    ):
        net = T(f)
        net.register_full_backward_hook(
            lambda m, gi, go: log.append(
                (
                    [None if g is None else rounded(g) for g in gi],
                    [None if g is None else rounded(g) for g in go],
                )
            )
        )
        x = torch.ones(1, requires_grad=True)

        def go():
            o = net(
                x,
            )
            t = o if hasattr(o, "sum") else o["a"] if isinstance(o, dict) else o[0]
            t.sum().backward()
            return rounded(x.grad)

        log.append(attempt(go))
    net = T(lambda x, k, y: (x * y, y))
    net.register_full_backward_hook(
        lambda m, gi, go: log.append(
            (
                [None if g is None else rounded(g) for g in gi],
                [None if g is None else rounded(g) for g in go],
            )
        )
    )
    x = torch.ones(1, requires_grad=True)
    o = net(x, "s", torch.ones(1))
    o[0].backward()
    log.append((o[1].requires_grad, o[0].grad_fn.name()))
    return log


def in_place_on_results(torch: Any) -> Any:
    net = torch.nn.Linear(2, 2)
    net.register_full_backward_hook(lambda *a: None)
    x = torch.ones(1, 2, requires_grad=True)
    y = net(x)
    r = [attempt(lambda: y.add_(1)), attempt(lambda: torch.nn.ReLU(inplace=True)(y))]
    net = torch.nn.ReLU(inplace=True)
    net.register_full_backward_hook(lambda *a: None)
    r.append(attempt(lambda: net(x * 1)))
    return r


def nothing_recorded(torch: Any) -> Any:
    log = []
    net = torch.nn.Linear(2, 2)
    net.register_full_backward_hook(lambda *a: log.append(1))
    net.register_full_backward_pre_hook(lambda *a: log.append(0))
    with torch.no_grad():
        y = net(torch.ones(1, 2))
    y = net(torch.ones(1, 2))
    y.sum().backward()
    y = net(torch.ones(1, 2, requires_grad=True))
    torch.autograd.grad(y.sum(), net.weight)
    return log, y.grad_fn.name()


def old_hooks(torch: Any) -> Any:
    log = []
    for f in (
        lambda x: x.tanh(),
        lambda x: x.tanh() * 2,
        lambda x: (x * 2, x * 3),
        lambda x: {"k": x * 2},
    ):

        class T(torch.nn.Module):
            def forward(self: Any, x: Any) -> Any:
                return f(x)

        net = T()
        net.register_backward_hook(lambda m, gi, go: log.append((len(gi), len(go))))
        o = net(torch.ones(1, requires_grad=True))
        t = o if hasattr(o, "sum") else next(iter(o.values())) if isinstance(o, dict) else o[0]
        t.sum().backward()
    return log


def old_hooks_and_arguments(torch: Any) -> Any:
    class T(torch.nn.Module):
        def forward(self: Any, x: Any, k: Any) -> Any:
            return x * 2

    class T2(torch.nn.Module):
        def forward(self: Any, x: Any, k: Any) -> Any:
            return x * 2, 3

    class T3(torch.nn.Module):
        def forward(self: Any, x: Any, k: Any) -> Any:
            return [x * 2]

    for t in (T, T2, T3):
        net = t()
        net.register_backward_hook(lambda *a: None)
        net(torch.ones(1, requires_grad=True), 3)
        net(torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True) * 2)
        net((torch.ones(1, requires_grad=True)), [torch.ones(1)])
    net = T()
    net.register_backward_hook(lambda *a: None)
    net(torch.ones(1), 3)


def called_twice(torch: Any) -> Any:
    log = []
    net = torch.nn.Tanh()
    net.register_full_backward_hook(lambda m, gi, go: log.append(rounded(go[0])))
    x = torch.zeros(1, requires_grad=True)
    y = net(net(x))
    (y * 3).backward()
    y = net(x)
    y.backward(retain_graph=True)
    y.backward()
    return log


def second_derivative(torch: Any) -> Any:
    log = []
    net = torch.nn.Tanh()
    net.register_full_backward_hook(lambda m, gi, go: log.append((gi[0].requires_grad, len(gi))))
    x = torch.zeros(1, requires_grad=True)
    y = net(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    g.sum().backward()
    return log


def removed_inside_a_hook(torch: Any) -> Any:
    log = []
    net = torch.nn.Identity()
    hs = []
    hs.append(
        net.register_forward_hook(
            lambda m, a, o: (log.append(1), hs[0].remove(), hs[1].remove())[1]
        )
    )
    hs.append(net.register_forward_hook(lambda m, a, o: log.append(2)))
    log.append(attempt(lambda: net(torch.ones(1))))
    log.append(attempt(lambda: net(torch.ones(1))))
    log = [str(i) for i in log]
    return log


def flags_are_removed(torch: Any) -> Any:
    net = torch.nn.Tanh()
    log = []
    h = net.register_forward_hook(lambda m, i, o: log.append(1))
    net(torch.ones(1))
    h.remove()
    net(torch.ones(1))
    r = [len(log), len(net._forward_hooks)]
    h = net.register_forward_hook(
        lambda m, i, o: log.append(1), with_kwargs=False, always_call=True
    )
    r.append((len(net._forward_hooks_always_called), len(net._forward_hooks_with_kwargs)))
    h.remove()
    r.append(len(net._forward_hooks_always_called))
    return r


def copies(torch: Any) -> Any:
    log = []
    net = torch.nn.Tanh()
    net.register_forward_hook(lambda m, i, o: log.append(m is net))
    c = copy.deepcopy(net)
    c(torch.ones(1))
    net(torch.ones(1))
    return log, len(c._forward_hooks)


def pickled_handle(torch: Any) -> Any:
    net = torch.nn.Tanh()
    h = net.register_forward_hook(print)
    n2, h2 = pickle.loads(pickle.dumps((net, h)))
    r = [len(n2._forward_hooks), h2.id == h.id]
    h2.remove()
    r.append((len(n2._forward_hooks), len(net._forward_hooks)))
    return r


def replaced_arguments(torch: Any) -> Any:
    net = torch.nn.Linear(1, 1)
    log = []
    net.register_forward_pre_hook(lambda m, a: a[0] * 2)
    net.register_forward_pre_hook(lambda m, a: (a[0] + 1,))
    net.register_forward_hook(lambda m, a, o: log.append(rounded(a[0])))
    net(torch.ones(1))
    return log


def pickled_parameters(torch: Any) -> Any:
    layer = torch.nn.Linear(1, 1)
    layer.weight.register_hook(print)
    tensor = torch.ones(1, requires_grad=True)
    tensor.register_hook(print)
    loaded = [pickle.loads(pickle.dumps(each)) for each in (layer, layer.weight)]
    pickle.dumps(tensor)
    kinds = [type(each).__name__ for each in (loaded[0].weight, loaded[1])]
    return kinds, [len(each._backward_hooks or ()) for each in (loaded[0].weight, loaded[1])]


def registrations(torch: Any) -> Any:
    module, log = _glob(torch), []

    def hook(kind: str) -> Any:
        return lambda owner, name, value: log.append([kind, name, type(value).__name__])

    handles = [
        module.register_module_parameter_registration_hook(hook("parameter")),
        module.register_module_buffer_registration_hook(hook("buffer")),
        module.register_module_module_registration_hook(hook("module")),
    ]
    owner = torch.nn.Module()
    owner.register_parameter("a", None)
    owner.register_buffer("b", None)
    owner.add_module("c", None)
    owner.a = torch.nn.Parameter(torch.ones(1))
    owner.b = torch.ones(1)
    owner.c = torch.nn.Linear(1, 1)
    owner.a = owner.b = owner.c = None
    for handle in handles:
        handle.remove()
    owner.d = torch.nn.Tanh()
    return log


def registered_instead(torch: Any) -> Any:
    module, owner = _glob(torch), torch.nn.Module()
    with module.register_module_parameter_registration_hook(
        lambda owner, name, value: torch.nn.Parameter(value * 0 + 7)
    ):
        owner.a = torch.nn.Parameter(torch.ones(1))
    with module.register_module_buffer_registration_hook(lambda owner, name, value: value * 3):
        owner.register_buffer("b", torch.ones(1))
    with module.register_module_module_registration_hook(
        lambda owner, name, value: torch.nn.ReLU()
    ):
        owner.c = torch.nn.Tanh()
    return rounded(owner.a), rounded(owner.b), repr(owner.c)
