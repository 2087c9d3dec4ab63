"""The running pass: callbacks, number, node, what it will run; edges; the face of nodes."""

from collections.abc import Callable
from typing import Any

from tests.observe import attempt


def _leaf(torch: Any, *shape: int) -> Any:
    return torch.ones(shape, requires_grad=True)


def _function(torch: Any, backward: Callable[[Any, Any], Any]) -> Any:
    class Through(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            backward(ctx, grad)
            return grad

    return Through


def _queue(torch: Any) -> Any:
    return torch.autograd.Variable._execution_engine.queue_callback


# Callbacks


def callbacks_outside(torch: Any) -> Any:
    engine = torch.autograd.Variable._execution_engine
    refused = [attempt(lambda: engine.queue_callback(lambda: None)),
               attempt(lambda: engine.queue_callback(3))]  # fmt: skip
    return [type(engine).__name__, engine.is_checkpoint_valid(), refused]


def callback_of_a_callback(torch: Any) -> Any:
    x, queue = _leaf(torch, 2), _queue(torch)

    def last() -> None:
        print("last", torch._C._current_graph_task_id() >= 0, x.grad, torch.is_grad_enabled())
        print(torch._C._current_autograd_node())

    def first() -> None:
        print("first")
        queue(last)

    def backward(ctx: Any, grad: Any) -> None:
        queue(first)
        queue(lambda: print("second"))

    _function(torch, backward).apply(x).sum().backward()
    _function(torch, backward).apply(x).sum().backward(create_graph=True)


def callback_that_fails(torch: Any) -> Any:
    x, queue = _leaf(torch, 1), _queue(torch)
    y = _function(torch, lambda ctx, grad: queue(lambda: [][0])).apply(x)
    failed = attempt(lambda: y.backward(retain_graph=True))
    print(x.grad, torch._C._current_graph_task_id())
    z = _function(torch, lambda ctx, grad: queue(3)).apply(x)
    return [failed, attempt(lambda: z.backward())]


def callbacks_of_a_pass_that_fails(torch: Any) -> Any:
    x, queue = _leaf(torch, 1), _queue(torch)
    x.register_hook(lambda grad: 1 / 0)
    y = x * 2
    y.register_hook(lambda grad: queue(lambda: print("called")))
    return attempt(lambda: y.backward())


def callbacks_of_passes_in_passes(torch: Any) -> Any:
    queue = _queue(torch)

    def inner(ctx: Any, grad: Any) -> None:
        queue(lambda: print("inner"))

    def outer(ctx: Any, grad: Any) -> None:
        queue(lambda: print("outer"))
        with torch.enable_grad():
            _function(torch, inner).apply(_leaf(torch, 1)).backward()
        print("inner pass is over")

    _function(torch, outer).apply(_leaf(torch, 1)).backward()


# The pass, its node, its order


def numbers_of_passes(torch: Any) -> Any:
    number, seen = torch._C._current_graph_task_id, []
    x, w = _leaf(torch, 1), _leaf(torch, 1)
    w.register_hook(lambda grad: seen.append(number()))
    inner = w * 2

    def hook(grad: Any) -> None:
        seen.append(number())
        inner.backward()
        seen.append(number())

    for _ in range(2):
        y = x * 2
        y.register_hook(hook)
        inner = w * 2
        y.backward()
    return [number(), [each - seen[0] for each in seen]]


def node_that_runs(torch: Any) -> Any:
    def say(place: str) -> None:
        node = torch._C._current_autograd_node()
        print(place, None if node is None else type(node).__name__)

    x = _leaf(torch, 1)
    y = x * 2
    y.register_hook(lambda grad: say("hook"))
    y.grad_fn.register_prehook(lambda grads: say("before"))
    y.grad_fn.register_hook(lambda outs, grads: say("after"))
    x.register_hook(lambda grad: say("leaf"))
    x.register_post_accumulate_grad_hook(lambda leaf: say("accumulated"))
    same: list[bool] = []

    def backward(ctx: Any, grad: Any) -> None:
        say("custom")
        same.append(torch._C._current_autograd_node() is ctx)
        with torch.enable_grad():
            (_leaf(torch, 1) * 3).backward()
        say("custom still")

    say("outside")
    _function(torch, backward).apply(y).backward()
    say("outside")
    return same


def nodes_that_will_run(torch: Any) -> Any:
    def asked(run: Callable[..., Any]) -> None:
        x, y = _leaf(torch, 1), _leaf(torch, 1)
        a, b = x.exp(), y.sin()
        root = (a * b).cos()
        nodes = [a.grad_fn, b.grad_fn, root.grad_fn, a.grad_fn.next_functions[0][0],
                 b.grad_fn.next_functions[0][0], x.tan().grad_fn]  # fmt: skip
        will = torch._C._will_engine_execute_node
        root.register_hook(lambda grad: print([attempt(lambda: will(node)) for node in nodes]))
        run(root.sum(), x, y, a)

    grad = torch.autograd.grad
    asked(lambda root, x, y, a: root.backward())
    asked(lambda root, x, y, a: root.backward(inputs=[x]))
    asked(lambda root, x, y, a: root.backward(inputs=[a]))
    asked(lambda root, x, y, a: grad(root, x))
    asked(lambda root, x, y, a: grad(root, a))
    asked(lambda root, x, y, a: grad(root, [a, y]))
    node = _leaf(torch, 1).exp().grad_fn
    return [attempt(lambda: torch._C._will_engine_execute_node(node)),
            attempt(lambda: torch._C._will_engine_execute_node(3)),
            attempt(lambda: torch._C._current_graph_task_execution_order())]  # fmt: skip


def order_that_will_be(torch: Any) -> Any:
    asked = torch._C._current_graph_task_execution_order

    def show(_: Any) -> None:
        print(attempt(lambda: [type(node).__name__ for node in asked()]))

    def root() -> Any:
        a, b = x.exp(), y.sin()
        c = a * b
        u, v = torch.cat([c.cos() + c.tanh(), a]).split(1)
        made = (u * v * x).clone()
        made.register_hook(show)
        return a, made

    x, y = _leaf(torch, 1), _leaf(torch, 1)
    root()[1].backward()
    with torch.autograd.set_multithreading_enabled(False):
        root()[1].backward()
        root()[1].backward(inputs=[y])
        a, made = root()
        made.backward(inputs=[a, x])
        torch.autograd.grad(root()[1], x)
        a, made = root()
        torch.autograd.grad(made, [a, y])
        torch.autograd.backward([y.tan(), root()[1]])


def restricted_passes(torch: Any) -> Any:
    engine, x = torch.autograd.Variable._execution_engine, _leaf(torch, 1)

    def valid(*_: Any) -> None:
        print(engine.is_checkpoint_valid())

    y = _function(torch, valid).apply(x)
    y.backward(retain_graph=True)
    torch.autograd.grad(y, x, retain_graph=True)
    y.backward(inputs=[x], retain_graph=True)
    z = x * 1
    z.register_hook(lambda grad: y.backward(retain_graph=True))
    torch.autograd.grad(z, x)
    valid()


def engine_by_hand(torch: Any) -> Any:
    run, x, one = torch.autograd.graph._engine_run_backward, _leaf(torch, 2), torch.tensor(1.0)
    y, w = (x * 2).sum(), _leaf(torch, 1)
    run((y,), (one,), True, False, (), allow_unreachable=True, accumulate_grad=True)
    print(x.grad, run((y,), (one,), True, False, (x,), True, accumulate_grad=False))
    grads = run((y,), (one,), True, True, (x, w), allow_unreachable=True)
    print(grads)
    return [attempt(lambda: run((y,), (None,), True, False, (x,))),
            attempt(lambda: run((one, y), (None, None), True, False, (x,))),
            attempt(lambda: run((y,), [one], True, False, (x,))),
            attempt(lambda: run((y,), (3,), True, False, (x,))),
            attempt(lambda: run((3,), (one,), True, False, (x,))),
            attempt(lambda: run((y,), (one,), True, False, [x])),
            attempt(lambda: run((y,), (one, one), True, False, (x,))),
            attempt(lambda: run((y,), (one,), True, False, (w,)))]  # fmt: skip


# What backward() and grad() take


def roots_that_are_none(torch: Any) -> Any:
    backward, grad, x = torch.autograd.backward, torch.autograd.grad, _leaf(torch, 1)
    return [attempt(lambda: backward(3)), attempt(lambda: backward([3])),
            attempt(lambda: backward(None)), attempt(lambda: backward([x, None])),
            attempt(lambda: backward([])), attempt(lambda: grad(3, x)),
            attempt(lambda: grad([3], x)), attempt(lambda: grad([None], x))]  # fmt: skip


def inputs_that_are_none(torch: Any) -> Any:
    grad, x = torch.autograd.grad, _leaf(torch, 2)
    wrong = [[], (), 3, [3], [None], torch.ones(2)]
    return [[attempt(lambda: (x * 2).sum().backward(inputs=each)),
             attempt(lambda: grad((x * 2).sum(), each))] for each in wrong]  # fmt: skip


def gradients_too_few_and_too_many(torch: Any) -> Any:
    backward, grad, one = torch.autograd.backward, torch.autograd.grad, torch.ones(2)
    x = _leaf(torch, 2)
    return [attempt(lambda: backward((x * 2, x * 3), [one])),
            attempt(lambda: backward((x * 2,), [one, one])),
            attempt(lambda: backward((x * 2, x * 3), one)),
            attempt(lambda: backward((x * 2, x * 3))),
            attempt(lambda: grad((x * 2, x * 3), x, [one])),
            attempt(lambda: grad(x * 2, x, [one, one])),
            attempt(lambda: grad(x * 2, x, ())),
            attempt(lambda: grad(x.sum(), x, only_inputs=False))]  # fmt: skip


# Edges


def gradients_of_edges(torch: Any) -> Any:
    edge, grad, x = torch.autograd.graph.get_gradient_edge, torch.autograd.grad, _leaf(torch, 2)
    y = x * 2
    u, v = y.split(1)
    print([type(edge(x)).__name__, edge(x)._fields, type(edge(x).node).__name__])
    print(edge(y).node is y.grad_fn, edge(u).output_nr, edge(v).output_nr)
    print(grad(y.sum(), [edge(x), edge(y)], retain_graph=True))
    print(grad((u + v * 3).sum(), [edge(v), edge(u), x], retain_graph=True))
    unused = edge(_leaf(torch, 1))
    return [attempt(lambda: edge(torch.ones(1))), attempt(lambda: edge(None)),
            attempt(lambda: grad(y.sum(), [unused], retain_graph=True)),
            attempt(lambda: grad(y.sum(), unused, allow_unused=True, retain_graph=True)),
            attempt(lambda: grad(y.sum(), unused, materialize_grads=True, retain_graph=True)),
            attempt(lambda: grad(y.sum(), edge(y), materialize_grads=True))]  # fmt: skip


def gradients_from_edges(torch: Any) -> Any:
    edge, grad, backward = (
        torch.autograd.graph.get_gradient_edge,
        torch.autograd.grad,
        torch.autograd.backward,
    )
    x = _leaf(torch, 2)
    y = x * 2
    u, v = y.split(1)
    keep: dict[str, Any] = {"retain_graph": True}
    print(grad(edge(y), x, torch.ones(2), **keep), grad(edge(y.sum()), x, **keep))
    backward([edge(v), u], [torch.ones(1), None], **keep)
    print(x.grad)
    backward(y.sum(), inputs=[edge(x)], **keep)
    backward(y.sum(), inputs=edge(x), **keep)
    print(x.grad, x.grad_fn)
    wrong = torch.autograd.graph.GradientEdge(y.grad_fn, 7)
    return [attempt(lambda: grad(edge(y), x, **keep)),
            attempt(lambda: backward(edge(v), torch.ones(3), **keep)),
            attempt(lambda: backward(edge(v), torch.ones(1, dtype=torch.cfloat), **keep)),
            attempt(lambda: backward(y, edge(y), **keep)),
            attempt(lambda: grad(wrong, x, torch.ones(2)))]  # fmt: skip


def edge_of_a_context(torch: Any) -> Any:
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone(), x * 2

        @staticmethod
        def backward(ctx: Any, first: Any, second: Any) -> Any:
            return first + 5 * second

    x = _leaf(torch, 2)
    _, b = Two.apply(x)
    edge = torch.autograd.graph.GradientEdge(b.grad_fn, 1)
    print(torch.autograd.grad((b * 3).sum(), edge, retain_graph=True))
    print(torch.autograd.grad(edge, x, torch.ones(2)))


# The face of nodes


def what_is_a_node(torch: Any) -> Any:
    x = _leaf(torch, 1)
    node = x.exp().grad_fn
    leaf, base, functions = (
        node.next_functions[0][0],
        torch.autograd.graph.Node,
        torch._C._functions,
    )
    custom = _function(torch, lambda *_: None).apply(x).grad_fn

    class Own(base):  # type: ignore[misc, valid-type]
        pass

    things = [node, leaf, custom, None, 1, base, x, type(node)]
    classes = [type(node), type(leaf), type(custom), int, base, Own, functions.AccumulateGrad,
               functions.DelayedError, torch.autograd.function.BackwardCFunction]  # fmt: skip
    print([isinstance(thing, base) for thing in things])
    print([issubclass(cls, base) for cls in classes], [base in cls.mro() for cls in classes])
    print(isinstance(node, Own), type(leaf) is functions.AccumulateGrad)
    return [attempt(lambda: base()), base.__module__, type(leaf).__module__]


def names_on_nodes(torch: Any) -> Any:
    x = _leaf(torch, 1)
    y = x.exp()
    nodes = [y.grad_fn, y.grad_fn.next_functions[0][0], (x + x).grad_fn]
    return [[name for name in dir(node) if not name.startswith("__")] for node in nodes]


def names_on_contexts(torch: Any) -> Any:
    def note(ctx: Any, grad: Any) -> None:
        ctx.answer = 42

    y = _function(torch, note).apply(_leaf(torch, 1))
    y.backward(retain_graph=True)
    node, one = y.grad_fn, torch.ones(1)
    print([name for name in dir(node) if not name.startswith("__")])
    print(node.apply(one), node._get_user_fn().__name__, node.maybe_clear_saved_tensors())
    return [attempt(lambda: node._is_pure_view), attempt(lambda: node.apply_jvp(one)),
            node._materialize_non_diff_grads, len(node._register_hook(None, print))]  # fmt: skip


def nodes_called_by_hand(torch: Any) -> Any:
    x = _leaf(torch, 2)
    node = (x * 3).grad_fn
    leaf = node.next_functions[0][0]
    print(node(torch.ones(2)), leaf(torch.ones(2)), leaf(None), x.grad)
    calls = [(node, None), (node, 3), (leaf, 3), (node,), (leaf,), (leaf, None, None)]
    return [attempt(lambda: call[0](*call[1:])) for call in calls]


def notes_on_nodes(torch: Any) -> Any:
    x = _leaf(torch, 2)
    y = x * 2
    y.grad_fn.metadata["mine"] = 1
    before = y.grad_fn._sequence_nr()
    y.grad_fn._set_sequence_nr(before + 5)
    leaf = y.grad_fn.next_functions[0][0]
    print(y.grad_fn.metadata, y.grad_fn._sequence_nr() - before, leaf._sequence_nr())
    print([(m.shape, m.dtype, m.device, m.is_nested_tensor) for m in leaf._input_metadata])
    print(leaf.variable is x, leaf is x.exp().grad_fn.next_functions[0][0], leaf.next_functions)
