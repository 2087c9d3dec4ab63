"""Custom Functions: what may be saved, marked, returned, and what is refused."""

from typing import Any

from tests.observe import attempt, edges, rounded


def _one(torch: Any) -> Any:
    return torch.ones(1, requires_grad=True)


def _function(torch: Any, forward: Any, backward: Any = None, name: str = "Custom") -> Any:
    """A Function class from two plain functions; backward doubles unless told otherwise."""
    body = {"forward": staticmethod(forward),
            "backward": staticmethod(backward or (lambda ctx, *grads: grads[0] * 2))}  # fmt: skip
    return type(name, (torch.autograd.Function,), body)


def missing_methods(torch: Any) -> Any:
    function = torch.autograd.Function
    no_backward = type("NoBackward", (function,), {"forward": staticmethod(lambda ctx, x: x * 1)})
    nothing = type("Nothing", (function,), {})
    output = no_backward.apply(_one(torch))
    return [attempt(lambda: output.backward()), attempt(lambda: nothing.apply(_one(torch)))]


def old_style_is_refused(torch: Any) -> Any:
    double = _function(torch, lambda ctx, x: x * 2, name="Double")
    instance = double()
    return attempt(lambda: instance(_one(torch)))


def wrong_number_of_arguments(torch: Any) -> Any:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2

    x = _one(torch)
    texts = [attempt(lambda: Double.apply(x, x)), attempt(lambda: Double.apply())]
    return [text.replace("_function.<locals>.", "").split("Double.")[-1] for text in texts]


def grad_mode_inside(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        print("forward", torch.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad)
        return x * 2

    def backward(ctx: Any, grad: Any) -> Any:
        print("backward", torch.is_grad_enabled(), grad.requires_grad)
        return grad * 2

    function, x = _function(torch, forward, backward), _one(torch)
    function.apply(x).backward()
    torch.autograd.grad(function.apply(x), x, create_graph=True)
    with torch.no_grad():
        print(function.apply(x))
    print(function.apply(torch.ones(1)))


def input_returned(torch: Any) -> Any:
    function, x = _function(torch, lambda ctx, x: x, name="Id"), _one(torch)
    y = function.apply(x)
    seen = [y is x, y.data_ptr() == x.data_ptr(), y._is_view(), y._base is x, y.is_leaf]
    y.sum().backward()
    plain = torch.ones(1)
    print(y, x.grad)
    return [*seen, attempt(lambda: y.add_(1)), function.apply(plain) is plain]


def view_returned(torch: Any) -> Any:
    function = _function(torch, lambda ctx, x: x.view(-1), lambda ctx, g: g.view(2, 2), "Flat")
    x = torch.ones(2, 2, requires_grad=True)
    y = function.apply(x * 1)
    return [y._is_view(), attempt(lambda: y.mul_(2))]


def _increment(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    return _function(torch, forward, lambda ctx, grad: grad * 3, "Increment")


def dirty_inputs(torch: Any) -> Any:
    function, leaf = _increment(torch), torch.ones(2, requires_grad=True)
    refused = attempt(lambda: function.apply(leaf))
    inner = (source := torch.ones(2, requires_grad=True)) * 1
    result = function.apply(inner)
    inner.sum().backward()
    plain = torch.ones(2)
    print(source.grad, inner)
    return [refused, result is inner, function.apply(plain) is plain, plain.requires_grad]


def dirty_views(torch: Any) -> Any:
    function, leaf = _increment(torch), torch.ones(2, requires_grad=True)
    base = leaf * 1
    view = base[0:1]
    result = function.apply(view)
    base.sum().backward()
    print(leaf.grad, base, result)
    unbound = (leaf * 1).unbind()[0]
    return [result is view, attempt(lambda: function.apply(leaf[0:1])),
            attempt(lambda: function.apply(unbound))]  # fmt: skip


def dirty_and_not_returned(torch: Any) -> Any:
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(x)
        x.mul_(2)
        return x + y

    function, y = _function(torch, forward), torch.ones(2, requires_grad=True)
    leaf = torch.ones(2, requires_grad=True)
    inner = torch.ones(2, requires_grad=True) * 1
    plain = torch.ones(2)
    texts = [attempt(lambda: function.apply(t, y)) for t in (leaf, inner, plain)]
    with torch.no_grad():
        texts.append(attempt(lambda: function.apply(leaf, y)))
    return [*texts, type(inner.grad_fn).__name__, rounded(inner)]


def dirty_and_untouched(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x * 1

    def outsider(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(torch.ones(1))
        return x * 1

    return [attempt(lambda: _function(torch, forward).apply(_one(torch) * 1)),
            attempt(lambda: _function(torch, outsider).apply(_one(torch) * 1))]  # fmt: skip


def written_and_not_marked(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        return x.add_(1)

    leaf = _one(torch)
    inner = leaf * 1
    result = _function(torch, forward, name="Writes").apply(inner)
    return [result is inner, result._is_view(), type(inner.grad_fn).__name__, inner._version,
            type(result.grad_fn).__name__]  # fmt: skip


def outputs_without_gradient(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(b)
        return a, b

    def backward(ctx: Any, grad_a: Any, grad_b: Any) -> Any:
        print(grad_a, grad_b)
        return grad_a

    a, b = _function(torch, forward, backward).apply(_one(torch))
    print(a.requires_grad, b.requires_grad, b.grad_fn, b.is_leaf)
    a.backward()


def outputs_of_other_types(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        return x * 1, x > 0, x.long(), 5, None, "text"

    def backward(ctx: Any, *grads: Any) -> Any:
        print(grads)
        return grads[0]

    outputs = _function(torch, forward, backward).apply(_one(torch))
    outputs[0].backward()
    return [getattr(output, "requires_grad", output) for output in outputs]


def missing_gradients(torch: Any) -> Any:
    def forward(ctx: Any, x: Any, fill: bool) -> Any:
        ctx.set_materialize_grads(fill)
        return x * 2, x * 3

    def backward(ctx: Any, a: Any, b: Any) -> Any:
        print(a, b)
        return b, None

    function, x = _function(torch, forward, backward), _one(torch)
    function.apply(x, True)[1].backward()
    function.apply(x, False)[1].backward()
    return rounded(x.grad)


def needed_gradients(torch: Any) -> Any:
    def forward(ctx: Any, a: Any, factor: float, b: Any) -> Any:
        print("forward", ctx.needs_input_grad)
        return a * b * factor

    def backward(ctx: Any, grad: Any) -> Any:
        print("backward", ctx.needs_input_grad)
        return grad, None, grad

    function, x, y = _function(torch, forward, backward), _one(torch), _one(torch)
    function.apply(x, 2.0, torch.ones(1)).backward()
    torch.autograd.grad(function.apply(x, 2.0, y), x)
    function.apply(x, 2.0, y).backward(inputs=[y])
    with torch.no_grad():
        function.apply(x, 2.0, y)


def differentiable_once(torch: Any) -> Any:
    once = torch.autograd.function.once_differentiable

    @once
    def backward(ctx: Any, grad: Any) -> Any:
        print(torch.is_grad_enabled())
        return grad * 2

    function, x = _function(torch, lambda ctx, x: x * x, backward), _one(torch)
    (plain,) = torch.autograd.grad(function.apply(x), x, create_graph=True)
    weight = _one(torch)
    (heavy,) = torch.autograd.grad(function.apply(x) * weight, x, create_graph=True)
    return [plain.requires_grad, heavy.requires_grad, attempt(lambda: heavy.backward())]


def what_may_be_saved(torch: Any) -> Any:
    def run(*values: Any) -> str:
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(*values)
            return x * 2

        def backward(ctx: Any, grad: Any) -> Any:
            print(ctx.saved_tensors)
            return grad

        return attempt(lambda: _function(torch, forward, backward).apply(_one(torch)).backward())

    return [run(3), run(None), run([1]), run(), run(torch.ones(1) * 5)]


def saved_by_a_function(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        ctx.save_for_backward(x, y)
        ctx.number = 7
        return y

    def backward(ctx: Any, grad: Any) -> Any:
        x, y = ctx.saved_tensors
        return grad * 2

    function, x = _function(torch, forward, backward, "Saves"), _one(torch)
    y = function.apply(x)
    node = y.grad_fn
    print(node.saved_tensors, node.number, node.needs_input_grad)
    same = [node.saved_tensors[0] is x, node.saved_tensors[1] is y]
    y.backward()
    freed = [attempt(lambda: node.saved_tensors), attempt(lambda: y.backward())]
    z = function.apply(x)
    z.mul_(3)
    w = function.apply(x)
    with torch.no_grad():
        x.add_(1)
    return [same, freed, attempt(lambda: z.backward()), attempt(lambda: w.backward())]


def context_set_up_apart(torch: Any) -> Any:
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, factor: float = 2) -> Any:
            print(torch.is_grad_enabled())
            return x * factor

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            print(type(inputs), inputs, output)
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.factor, None

    x = _one(torch)
    Scale.apply(x, 5).backward()
    print(x.grad, Scale.apply(x))


def containers_returned(torch: Any) -> Any:
    def run(make: Any) -> Any:
        result = _function(torch, lambda ctx, x: make(x)).apply(_one(torch))
        inside = list(result) if isinstance(result, tuple) else [result]
        return [type(result).__name__, [getattr(i, "requires_grad", None) for i in inside]]

    makers = [lambda x: [x * 1, x * 2], lambda x: (x * 1,), lambda x: {"a": x * 1},
              lambda x: None, lambda x: 3.0, lambda x: (x * 1, [x * 2])]  # fmt: skip
    return [run(make) for make in makers]


def one_tensor_twice(torch: Any) -> Any:
    function = _function(torch, lambda ctx, a, b, rest: a * b * rest[0],
                         lambda ctx, grad: (grad, grad * 2, None))  # fmt: skip
    x, hidden = _one(torch), _one(torch)
    y = function.apply(x, x, [hidden])
    y.backward()
    plain = function.apply(torch.ones(1), torch.ones(1), [hidden])
    return [rounded(x.grad), hidden.grad, edges(y.grad_fn), plain.requires_grad]


def errors_come_through(torch: Any) -> Any:
    def broken(ctx: Any, grad: Any) -> Any:
        raise KeyError("boom")

    x = _one(torch)
    inner = x * x
    outer = _function(torch, lambda ctx, x: x * 1, broken).apply(inner)
    texts = [attempt(lambda: outer.backward()), attempt(lambda: outer.backward())]
    inner.backward()
    return [*texts, rounded(x.grad)]


def context_is_the_node(torch: Any) -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        seen.append(ctx)
        return x * 1

    def backward(ctx: Any, grad: Any) -> Any:
        print(ctx is seen[0])
        return grad

    y = _function(torch, forward, backward, "Seen").apply(_one(torch))
    y.backward()
    return [y.grad_fn is seen[0], type(seen[0]).__name__]
