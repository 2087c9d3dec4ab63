"""Hooks on nodes: before and after them, several outputs, removal."""

import gc
from typing import Any

from tests.contracts.functions import _one
from tests.observe import attempt, rounded


def prehooks(torch: Any) -> Any:
    a = _one(torch)
    log = []
    b = a.clone()
    b.grad_fn.register_prehook(lambda g: (log.append(g[0].item()), (g[0] * 2,))[1])
    b.grad_fn.register_prehook(lambda g: log.append(g[0].item()))
    b.backward(retain_graph=True)
    log.append(rounded(a.grad))
    h = b.grad_fn.register_prehook(lambda g: (g[0] * 100,))
    h.remove()
    a.grad = None
    b.backward()
    log.append(rounded(a.grad))
    out = []
    for r in (
        lambda g: g[0],
        lambda g: 3,
        lambda g: (g[0], g[0]),
        lambda g: (),
        lambda g: [g[0]],
        lambda g: (None,),
        lambda g: (3,),
        lambda g: (torch.ones(5),),
        lambda g: (g[0].double(),),
        lambda g: torch.ones(1),
    ):
        a.grad = None
        b = a.clone()
        b.grad_fn.register_prehook(r)
        out.append(
            attempt(lambda: b.backward()) + str(None if a.grad is None else a.grad.tolist())
        )
    return log, out


def posthooks(torch: Any) -> Any:
    a = _one(torch)
    out = []
    for r in (
        lambda i, o: i[0],
        lambda i, o: 3,
        lambda i, o: (i[0], i[0]),
        lambda i, o: (),
        lambda i, o: [i[0]],
        lambda i, o: (None,),
        lambda i, o: (3,),
        lambda i, o: (torch.ones(5),),
        lambda i, o: (i[0].double(),),
        lambda i, o: torch.ones(1),
        lambda i, o: (i[0] * 5,),
        lambda i: 3,
    ):
        a.grad = None
        b = a.clone()
        b.grad_fn.register_hook(r)
        out.append(
            attempt(lambda: b.backward()) + str(None if a.grad is None else a.grad.tolist())
        )
    leaf = a.view_as(a).grad_fn.next_functions[0][0]
    for r in (lambda i, o: 3, lambda i, o: (i,), lambda i, o: (o[0],), lambda i, o: ()):
        h = leaf.register_hook(r)
        a.grad = None
        out.append(
            attempt(lambda: a.clone().backward())
            + str(None if a.grad is None else a.grad.tolist())
        )
        h.remove()
    return out


def several_outputs(torch: Any) -> Any:
    class DoubleMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2, x * 3

        @staticmethod
        def backward(ctx: Any, g1: Any, g2: Any) -> Any:
            return g1 * 2 + g2 * 3

    log = []
    a = _one(torch)
    b, c = DoubleMul.apply(a)

    def fn0(g):
        log.append([None if t is None else t.item() for t in g])
        return tuple(t * 2 if t is not None else t for t in g)

    b.grad_fn.register_prehook(fn0)
    c.register_hook(lambda g: (log.append(("c", g.item())), g * 10)[1])
    b.register_hook(lambda g: (log.append(("b", g.item())), g * 100)[1])
    b.retain_grad()
    c.retain_grad()
    (b.sum() + c.sum()).backward(retain_graph=True)
    log.append([rounded(t.grad) for t in (a, b, c)])
    a.grad = b.grad = c.grad = None
    c.sum().backward()
    log.append([None if t.grad is None else rounded(t.grad) for t in (a, b, c)])
    return log


def outputs_without_gradient(torch: Any) -> Any:
    log = []
    a = torch.ones(4, requires_grad=True)
    b, c = (a * 1).split(2)
    b.grad_fn.register_prehook(
        lambda g: log.append([None if t is None else rounded(t) for t in g])
    )
    b.grad_fn.register_hook(
        lambda i, o: log.append([[None if t is None else rounded(t) for t in k] for k in (i, o)])
    )
    c.register_hook(lambda g: log.append(("c", None if g is None else rounded(g))))
    b.register_hook(lambda g: log.append(("b", None if g is None else rounded(g))))
    b.sum().backward()
    return log


def removed_inside_a_hook(torch: Any) -> Any:
    log = []
    a = _one(torch)
    hs = []
    hs.append(a.register_hook(lambda g: (log.append(1), hs[0].remove())[0]))
    hs.append(a.register_hook(lambda g: (log.append(2), hs[2].remove())[0]))
    hs.append(a.register_hook(lambda g: log.append(3)))
    a.sum().backward()
    log.append("again")
    a.sum().backward()
    b = a.clone()
    ks = []
    ks.append(
        b.grad_fn.register_prehook(lambda g: (log.append("p1"), ks[0].remove(), ks[1].remove())[1])
    )
    ks.append(b.grad_fn.register_prehook(lambda g: log.append("p2")))
    ms = []
    ms.append(
        b.grad_fn.register_hook(
            lambda i, o: (
                log.append("h1"),
                ms[0].remove(),
                ms[1].remove(),
                b.grad_fn.register_hook(lambda i, o: log.append("h3")),
            )[1]
        )
    )
    ms.append(b.grad_fn.register_hook(lambda i, o: log.append("h2")))
    b.backward(retain_graph=True)
    log.append("again")
    b.backward()
    return log


def hook_on_a_node_that_died(torch: Any) -> Any:
    # hooks on leaf observed across
    t = _one(torch)
    log = []
    t.register_post_accumulate_grad_hook(lambda p: log.append("pa"))
    acc = t.view_as(t).grad_fn.next_functions[0][0]
    acc.register_hook(lambda i, o: log.append("post"))
    del acc
    gc.collect()
    t.sum().backward()
    return log


def retained_between_hooks(torch: Any) -> Any:
    a = _one(torch)

    def tensor_prehook(g):
        return g * 2

    b = a.clone()
    b.register_hook(tensor_prehook)
    b.retain_grad()
    b.register_hook(tensor_prehook)
    b.grad_fn.register_prehook(lambda g: (g[0] * 5,))
    b.clone().backward()
    return rounded(b.grad), rounded(a.grad)


def modules_and_tensors(torch: Any) -> Any:
    order = []

    class MyModule(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(10, 10, bias=False)

        def forward(self: Any, x: Any) -> Any:
            return self.linear(x)

    m = MyModule()
    m.register_full_backward_pre_hook(lambda m, g: order.append("m pre"))
    m.register_full_backward_hook(lambda m, a, b: order.append("m post"))
    m.linear.weight.register_hook(lambda g: order.append("w"))
    m.linear.register_full_backward_hook(lambda m, a, b: order.append("lin"))
    x = torch.ones(10, 10, requires_grad=True)
    y = m(x)
    y.register_hook(lambda g: order.append("y"))
    y.sum().backward()

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.p = torch.nn.Parameter(torch.ones(2))

        def forward(self: Any, x: Any) -> Any:
            return x * self.p

    m = Module()
    order.append("--")
    m.register_full_backward_hook(lambda m, a, b: order.append("bw"))
    q = m.p
    q.register_post_accumulate_grad_hook(lambda p: order.append("acc"))
    m(torch.ones(2, requires_grad=True)).sum().backward()
    return order
