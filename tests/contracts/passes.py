"""Passes inside of passes, undefined gradients, layouts of gradients, restricted passes."""

import random
from collections.abc import Callable
from typing import Any

from tests.observe import attempt


def _leaf(torch: Any, *shape: int) -> Any:
    return torch.ones(shape, requires_grad=True)


def _function(torch: Any, backward: Callable[[Any, Any], Any]) -> Any:
    """`x * 1` with a backward of its own."""

    class Through(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return backward(ctx, grad)

    return Through


# Passes inside of passes


def inner_pass_fails(torch: Any) -> Any:
    def fails(ctx: Any, grad: Any) -> Any:
        raise ValueError("inside")

    def outer(ctx: Any, grad: Any) -> Any:
        with torch.enable_grad():
            _function(torch, fails).apply(_leaf(torch, 2)).sum().backward()
        return grad

    def forgives(ctx: Any, grad: Any) -> Any:
        print(attempt(lambda: outer(ctx, grad)))
        return grad

    def fails_afterwards(ctx: Any, grad: Any) -> Any:
        with torch.enable_grad():
            (_leaf(torch, 2) * 2).sum().backward()
        raise ValueError("outside")

    x = _leaf(torch, 2)
    failures = [attempt(lambda: _function(torch, each).apply(x).sum().backward())
                for each in (outer, forgives, fails_afterwards)]  # fmt: skip
    return [failures, x.grad.tolist(), torch._C._current_graph_task_id(), torch.is_grad_enabled()]


def inner_passes_go_first(torch: Any) -> Any:
    order: list[str] = []

    class Countdown(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_() - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            order.append("inner")
            if ctx.x >= 0:
                with torch.enable_grad():
                    Countdown.apply(ctx.x).backward()
            return grad

    def last(ctx: Any, grad: Any) -> Any:
        order.append("other")
        return grad

    a = _function(torch, last).apply(torch.tensor(6.0, requires_grad=True))
    b = Countdown.apply(torch.tensor(4.0, requires_grad=True))
    (a * b).backward()
    return order


def inner_pass_over_the_same_leaf(torch: Any) -> Any:
    p, r, count = _leaf(torch, 1), _leaf(torch, 1), []

    def again(grad: Any) -> None:
        if grad.item() < 4:
            with torch.enable_grad():
                (p * (grad.item() + 1)).backward()

    p.register_hook(again)
    (p * 1).backward()
    s = r * 2

    def same_graph(grad: Any) -> None:
        count.append(1)
        if len(count) < 3:
            s.backward(retain_graph=True)

    s.register_hook(same_graph)
    (s * 1).backward()
    return [p.grad.tolist(), r.grad.tolist(), len(count)]


def modes_of_passes(torch: Any) -> Any:
    x, seen = _leaf(torch, 1), []
    y = x * 2
    y.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
    y.backward(retain_graph=True)
    torch.autograd.grad(y, x, create_graph=True, retain_graph=True)
    with torch.no_grad():
        y.backward(retain_graph=True)
        torch.autograd.grad(y, x, create_graph=True)
        seen.append(torch.is_grad_enabled())
    return seen


# Undefined gradients


def undefined_gradients_pass_hooks(torch: Any) -> Any:
    nothing = _function(torch, lambda ctx, grad: None)
    between = _function(torch, lambda ctx, grad: (print("custom", grad), grad)[1])
    ends: list[Callable[[Any], Any]] = [
        nothing.apply,
        lambda z: nothing.apply(z.exp()),
        lambda z: nothing.apply(z.split(1)[0]),
        lambda z: nothing.apply(between.apply(z)),
        lambda z: nothing.apply(between.apply(z)) + between.apply(z),
        lambda z: nothing.apply(torch.stack([z, z])),
    ]
    for end in ends:
        x = _leaf(torch, 2)
        z = x.tanh()
        z.retain_grad()
        z.register_hook(lambda grad: print("hook", grad))
        z.grad_fn.register_prehook(lambda grads: print("before", grads))
        z.grad_fn.register_hook(lambda outs, grads: print("after", outs, grads))
        x.register_hook(lambda grad: print("leaf", grad))
        x.register_post_accumulate_grad_hook(lambda leaf: print("accumulated", leaf.grad))
        end(z).sum().backward()
        print(z.grad, x.grad)


def undefined_gradients_and_order(torch: Any) -> Any:
    order: list[str] = []

    def named(name: str) -> Any:
        def backward(ctx: Any, grad: Any) -> Any:
            order.append(name)
            return grad

        return _function(torch, backward)

    class SecondOnly(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a + b

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            order.append("second only")
            return None, grad

    a, b, c = (named(name).apply(_leaf(torch, 2)) for name in "abc")
    (named("sum").apply(SecondOnly.apply(a, b)) * c).sum().backward()
    return order


def unused_outputs(torch: Any) -> Any:
    for materialize in (True, False):

        class Three(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.set_materialize_grads(materialize)
                return x.clone(), x.clone(), x.clone()

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                print(grads)
                return grads[1]

        first, second, _ = Three.apply(_leaf(torch, 2))
        first.register_hook(lambda grad: print("first", grad))
        second.grad_fn.register_prehook(lambda grads: print("before", grads))
        second.sum().backward()


def nothing_arrives(torch: Any) -> Any:
    nothing, x = _function(torch, lambda ctx, grad: None), _leaf(torch, 2)
    grad = torch.autograd.grad
    nothing.apply(x * 2).sum().backward()
    return [str(x.grad), attempt(lambda: grad(nothing.apply(x).sum(), x)),
            attempt(lambda: grad(nothing.apply(x).sum(), x, allow_unused=True)),
            attempt(lambda: grad(nothing.apply(x).sum(), x, materialize_grads=True))]  # fmt: skip


def no_elements(torch: Any) -> Any:
    x = _leaf(torch, 0, 3)
    (x * 2).sum().backward()
    print(x.grad, x.grad.stride())
    first = x.grad
    x.sum(0).sum().backward()
    print(x.grad is first)
    y = _leaf(torch, 2, 3)
    (y[:0].sum() + y.expand(0, 2, 3).sum()).backward()
    print(y.grad)
    return attempt(lambda: _leaf(torch, 0).backward())


# Layout and identity of what is accumulated


def _leaves(torch: Any) -> list[Any]:
    bases = [torch.ones(2, 3), torch.ones(3, 2).t(), torch.ones(2, 6)[:, ::2],
             torch.ones(1, 3).expand(2, 3), torch.ones(2, 1, 3).permute(1, 2, 0),
             torch.ones(2, 3, 4, 5).permute(0, 3, 1, 2), torch.ones(())]  # fmt: skip
    return [base.detach().requires_grad_() for base in bases]


def strides_of_gradients(torch: Any) -> Any:
    def strides(x: Any, root: Any, create_graph: bool) -> Any:
        x.grad, found = None, []
        for _ in range(2):
            root.backward(retain_graph=True, create_graph=create_graph)
            found.append(list(x.grad.stride()))
        node = type(x.grad.grad_fn).__name__
        x.grad = None
        return [found, node]

    uses: list[Callable[[Any], Any]] = [
        lambda x: x.sum(), lambda x: (x * 2).sum(), lambda x: (x * x).sum(),
        lambda x: x.flatten().pow(2).sum(), lambda x: x.clone().sum(), lambda x: x.exp().sum(),
    ]  # fmt: skip
    return [[strides(x, use(x), create) for use in uses]
            for create in (False, True) for x in _leaves(torch)]  # fmt: skip


def versions_of_gradients(torch: Any) -> Any:
    found = []
    for given in (torch.ones(2, 3), torch.ones(3, 2).t(), torch.ones(1, 3).expand(2, 3)):
        for x in _leaves(torch)[:3]:
            x.backward(given)
            first = [list(x.grad.stride()), x.grad._version]
            x.backward(given)
            found.append([first, x.grad._version, x.grad.data_ptr() == given.data_ptr()])
    return found


def gradients_that_require_gradients(torch: Any) -> Any:
    x = _leaf(torch, 2)
    for given in (_leaf(torch, 2), _leaf(torch, 2) * 2):
        x.grad = given
        (x * 2).sum().backward()
        print(x.grad is given, x.grad, given._version)
    (x * x).sum().backward(create_graph=True)
    print(x.grad is given, x.grad)
    x.grad = None


def gradients_in_foreign_memory(torch: Any) -> Any:
    x, memory = _leaf(torch, 2), torch.zeros(2, 2)
    x.grad = memory[0]
    (x * 2).sum().backward()
    x.grad = memory[1]
    (x * 3).sum().backward()
    print(memory, x.grad.stride())


# Restricted passes


def inputs_that_are_filled(torch: Any) -> Any:
    x, y, out = _leaf(torch, 2), _leaf(torch, 2), torch.ones(2)

    def filled(root: Any, inputs: Any, *more: Any) -> None:
        root.backward(out, inputs=inputs)
        print([None if t.grad is None else t.grad.tolist() for t in (x, y, *more)])
        for tensor in (x, y, *more):
            tensor.grad = None

    for inputs in ([x], [x, y], y, [x, x]):
        filled(x**2 + y * x + y**2, inputs)
    for both in (False, True):
        z = x * 2
        filled(z**2 + y * z, [z, x] if both else [z], z)
    view, parts = x.view(2), (x * 2).split(1)
    filled(view * 2, [view], view)
    (parts[0] + parts[1] * 3).sum().backward(inputs=[parts[1]])
    print(parts[1].grad)
    filled(x * 2, [_leaf(torch, 2), y])


def captured_and_hooked(torch: Any) -> Any:
    x = _leaf(torch, 2)
    y = x * 2
    leaf = y.grad_fn.next_functions[0][0]
    y.register_hook(lambda grad: (print("y"), grad * 3)[1])
    y.grad_fn.register_prehook(lambda grads: (print("before y"), (grads[0] * 5,))[1])
    y.grad_fn.register_hook(lambda outs, grads: print("after y"))
    x.register_hook(lambda grad: (print("x"), grad * 7)[1])
    leaf.register_prehook(lambda grads: print("before x"))
    leaf.register_hook(lambda outs, grads: print("after x"))
    x.register_post_accumulate_grad_hook(lambda _: print("accumulated"))
    for wanted in (y, x, [x, y]):
        print(torch.autograd.grad(y.sum(), wanted, retain_graph=True))
    for wanted in ([y], [x, y]):
        y.sum().backward(inputs=wanted, retain_graph=True)
        print(y.grad, x.grad)


def what_is_not_reached_does_not_run(torch: Any) -> Any:
    def called(ctx: Any, grad: Any) -> Any:
        raise AssertionError("was called")

    bad, x, y = _function(torch, called), _leaf(torch, 1), _leaf(torch, 1)
    grad = torch.autograd.grad
    print(grad((x * 2 + bad.apply(y)).sum(), x), grad(bad.apply(x.tan()).sum() + y.sum(), y))
    a = bad.apply(x)
    print(grad(a * 3, a), grad(bad.apply(x), y, allow_unused=True))
    return attempt(lambda: grad(bad.apply(x), y))


def large_tangle(torch: Any) -> Any:
    chance, x = random.Random(0), torch.full((3,), 0.5, dtype=torch.float64, requires_grad=True)
    tensors = [x.clone()]
    for _ in range(300):
        a, b = chance.choice(tensors[-5:]), chance.choice(tensors[-9:])
        kind = chance.randrange(4)
        tensors.append([lambda: a * b, lambda: a.sin() + b, lambda: a - b.cos(),
                        lambda: torch.stack([a, b]).mean(0)][kind]())  # fmt: skip
    torch.autograd.backward(tensors[-3:], [torch.ones(3, dtype=torch.float64)] * 3)
    return [round(value, 6) for value in x.grad.tolist()]
