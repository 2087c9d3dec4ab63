"""One hook on several tensors."""

from typing import Any

from tests.contracts.functions import _one
from tests.observe import attempt


def all_of_them(torch: Any) -> Any:
    reg = torch.autograd.graph.register_multi_grad_hook
    log = []
    t1, t2, t3, t4 = [_one(torch) for _ in range(4)]

    def fn(gs):
        log.append([None if g is None else g.item() for g in gs])

    h = reg((t1, t2, t3, t4), fn)
    (t1 + 2 * t2).sum().backward()
    (t1 * t2).backward()
    (t3 * 2).backward()
    h.remove()
    (t1 * 1).backward()
    log.append("removed")
    t = _one(torch)
    h = reg((t,), fn)
    t.sum().backward()
    h.remove()
    h = reg((t1, t2), fn)
    torch.autograd.backward((t1 * t2).sum(), inputs=[t1])
    h.remove()
    out = [
        attempt(lambda: reg((t1,), fn, mode="foo")),
        attempt(lambda: reg((torch.ones(1),), fn)),
        attempt(lambda: reg((t1,), fn, "any")),
        type(h).__name__,
        attempt(lambda: reg((), fn)),
        attempt(lambda: reg((torch.ones(1),), fn, mode="any")),
    ]
    h = reg((t1, t2), fn)
    out.append(attempt(lambda: torch.autograd.grad(t1 * t2, (t1, t2))))
    h.remove()
    return log, out


def any_of_them(torch: Any) -> Any:
    reg = torch.autograd.graph.register_multi_grad_hook
    log = []
    t1, t2, t3 = [_one(torch) for _ in range(3)]
    h = reg((t1, t2, t3), lambda g: log.append(g.item()), mode="any")
    (t1 * 2 + t2 * 3).backward()
    (t3 * 5).backward()
    h.remove()
    t1.sum().backward()
    h = reg((t1, t2), lambda g: 1 // 0, mode="any")
    log.append(attempt(lambda: (t1 * t2).backward()))
    h.remove()
    h = reg((t1, t2), lambda g: log.append("x"), mode="any")
    torch.autograd.grad(t1 * t2, t2)
    h.remove()
    return log


def errors(torch: Any) -> Any:
    reg = torch.autograd.graph.register_multi_grad_hook
    log = []
    t1, t2 = _one(torch), _one(torch)

    class Er(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            raise RuntimeError("error message")

    h = reg((t1, t2), lambda g: log.append([None if i is None else i.item() for i in g]))
    log.append(attempt(lambda: (t1 * 1 + Er.apply(t2)).backward()))
    (t1 * t2).backward()
    h.remove()
    h = reg((t1, t2), lambda g: 1 // 0)
    log.append(attempt(lambda: (t1 * t2).backward()))
    return log
