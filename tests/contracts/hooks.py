"""Hooks on tensors and nodes, and the order in which the loop visits nodes."""

from typing import Any

from tests.observe import attempt, rounded


def _one(torch: Any) -> Any:
    return torch.ones(1, requires_grad=True)


def tensor_hooks(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    handle = x.register_hook(lambda grad: grad * 2)
    x.sum().backward()
    first = rounded(x.grad)
    handle.remove()
    x.grad = None
    x.sum().backward()
    plain = torch.ones(1)
    return [first, rounded(x.grad), type(handle).__name__,
            attempt(lambda: plain.register_hook(lambda grad: grad))]  # fmt: skip


def odd_hooks(torch: Any) -> Any:
    def run(hook: Any) -> str:
        y = torch.ones(2, requires_grad=True) * 1
        y.register_hook(hook)
        return attempt(lambda: y.sum().backward())

    return [run(lambda grad: 3), run(lambda grad: torch.ones(3)),
            run(lambda grad: grad.double()), run(lambda grad: None),
            run(lambda grad: 1 // 0)]  # fmt: skip


def hooks_in_order(torch: Any) -> Any:
    x = _one(torch)
    log: list[float] = []

    def plus(grad: Any) -> Any:
        log.append(grad.item())
        return grad + 1

    def times(grad: Any) -> Any:
        log.append(grad.item())
        return grad * 10

    x.register_hook(plus)
    x.register_hook(times)
    (x * 2 + x * 3).backward()
    return [log, rounded(x.grad)]


def hook_that_writes(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 1

    def write(grad: Any) -> None:
        grad.mul_(100)

    y.register_hook(write)
    (y * 1).backward(torch.ones(2))
    z = x * 1
    z.register_hook(write)
    return [rounded(x.grad), attempt(lambda: z.sum().backward())]


def all_hooks_of_a_leaf(torch: Any) -> Any:
    t, log = _one(torch), []
    leaf = t.view_as(t).grad_fn.next_functions[0][0]

    def before(grads: Any) -> Any:
        log.append(["prehook", grads[0].item()])
        return (grads[0] / 4,)

    def tensor(grad: Any) -> Any:
        log.append(["tensor", grad.item()])
        return grad - 3

    leaf.register_hook(lambda inputs, outputs: log.append(["posthook", outputs[0].item()]))
    t.register_post_accumulate_grad_hook(lambda p: log.append(["accumulated", p.grad.item()]))
    leaf.register_prehook(before)
    t.register_hook(tensor)
    t.sum().backward()
    return log


def all_hooks_of_a_node(torch: Any) -> Any:
    a, log = _one(torch), []
    b = a * 2

    def before(grads: Any) -> Any:
        log.append(["prehook", grads[0].item()])
        return (grads[0] * 7,)

    def tensor(grad: Any) -> Any:
        log.append(["tensor", grad.item()])
        return grad * 3

    b.grad_fn.register_hook(lambda i, o: log.append(["posthook", i[0].item(), o[0].item()]))
    b.retain_grad()
    b.grad_fn.register_prehook(before)
    b.register_hook(tensor)
    (b * 1).backward()
    return [log, rounded(b.grad), rounded(a.grad)]


def node_hooks_change_gradients(torch: Any) -> Any:
    a = _one(torch)
    b = a * 2
    b.grad_fn.register_hook(lambda i, o: tuple(None if g is None else g * 5 for g in i))
    b.backward()
    wrong = a * 2
    wrong.grad_fn.register_hook(lambda i, o: i[:1] * 3)
    single = a * 2
    single.grad_fn.register_prehook(lambda o: o[0])
    double = a * 2
    double.grad_fn.register_prehook(lambda o: (o[0], o[0]))
    texts = [attempt(lambda: tensor.backward()) for tensor in (wrong, single, double)]
    return [rounded(a.grad), *texts]


def hooks_after_accumulation(torch: Any) -> Any:
    x, log = _one(torch), []

    def drop(parameter: Any) -> None:
        log.append(parameter.grad.item())
        parameter.grad = None

    x.register_post_accumulate_grad_hook(drop)
    (x * x).backward()
    torch.autograd.grad(x * 2, x)
    plain, inner = torch.ones(1), x * 2
    return [log, x.grad, attempt(lambda: inner.register_post_accumulate_grad_hook(drop)),
            attempt(lambda: plain.register_post_accumulate_grad_hook(drop))]  # fmt: skip


def order_of_nodes(torch: Any) -> Any:
    x, y, order = _one(torch), _one(torch), []

    def tag(tensor: Any, name: str) -> Any:
        tensor.grad_fn.register_prehook(lambda grads: order.append(name))
        return tensor

    x.register_hook(lambda grad: order.append("x"))
    a, b = tag(x * 1, "a"), tag(x * 2, "b")
    c = tag(a * 3, "c")
    tag(b + c, "d").backward()
    first = "".join(order)
    order.clear()
    y.register_hook(lambda grad: order.append("y"))
    p, q = tag(y * 1, "p"), tag(x * 1, "q")
    tag(p + q, "r").backward()
    return [first, "".join(order)]


def backward_inside_backward(torch: Any) -> Any:
    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.inner = x.detach().requires_grad_()
                ctx.result = ctx.inner**2
            return ctx.result.detach()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            with torch.enable_grad():
                ctx.result.backward(grad)
            return ctx.inner.grad

    x = torch.tensor([3.0], requires_grad=True)
    Nested.apply(x).backward()
    return rounded(x.grad)


def deep_graph(torch: Any) -> Any:
    x = _one(torch)
    y = x
    for _ in range(20_000):
        y = y + 1
    y.backward()
    del y
    return rounded(x.grad)


def captured_gradients(torch: Any) -> Any:
    x, log = _one(torch), []
    y = x * 2

    def tensor(grad: Any) -> Any:
        log.append("tensor")
        return grad * 10

    y.register_hook(tensor)
    y.grad_fn.register_prehook(lambda grads: log.append("prehook"))
    only = torch.autograd.grad(y * 3, y)
    both = torch.autograd.grad(y * 3, [x, y])
    return [rounded(only[0]), [rounded(grad) for grad in both], log]


def gradient_edges(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    edge = torch.autograd.graph.get_gradient_edge(x)
    (grad,) = torch.autograd.grad((x * 3).sum(), edge)
    plain = torch.ones(1)
    print(type(edge).__name__, type(edge.node).__name__, edge.output_nr, grad)
    return attempt(lambda: torch.autograd.graph.get_gradient_edge(plain))


def hooks_on_several_tensors(torch: Any) -> Any:
    a, b, log = _one(torch), _one(torch), []
    register = torch.autograd.graph.register_multi_grad_hook
    with_all = register(
        (a, b), lambda grads: log.append([g if g is None else g.item() for g in grads])
    )
    (a * 2 + b * 3).backward()
    a.sum().backward()
    with_all.remove()
    return log
