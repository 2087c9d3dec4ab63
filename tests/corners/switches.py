"""What ends or switches: gradients that are undefined, hooks that are refused, set versions."""

from typing import Any

from tests.observe import attempt, rounded


def undefined_gradients(torch: Any) -> Any:
    undefine = torch._C._functions.UndefinedGrad()
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    seen = []
    y = x * x
    y.register_hook(lambda grad: seen.append(grad))
    out = undefine(y)
    out.sum().backward()
    with torch.no_grad():
        inside = undefine(x)
    return [
        seen,
        x.grad,
        out.grad_fn.name(),
        out._is_view(),
        [inside.requires_grad, inside is x],
        undefine(torch.ones(1)).requires_grad,
        attempt(lambda: undefine()),
        attempt(lambda: undefine(x, x)),
        attempt(lambda: undefine(3)),
        attempt(lambda: torch.autograd.grad(undefine(x * 2).sum(), x, allow_unused=True)),
    ]


def materialised_when_undefined(torch: Any) -> Any:
    seen = []

    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, materialise: bool) -> Any:
            ctx.set_materialize_grads(materialise)
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            seen.append(None if grad is None else grad.tolist())
            return grad, None

    x = torch.ones(2, requires_grad=True)
    for materialise in (True, False):
        torch._C._functions.UndefinedGrad()(Identity.apply(x, materialise)).sum().backward()
    return seen, None if x.grad is None else x.grad.tolist()


def delayed_errors(torch: Any) -> Any:
    delayed = torch._C._functions.DelayedError
    x = torch.ones(2, requires_grad=True)
    first, second = delayed("no gradient here", 2)(x, x * 2)
    return [
        attempt(lambda: (first + second).sum().backward()),
        [first.grad_fn.name(), second.output_nr, first.grad_fn is second.grad_fn],
        attempt(lambda: delayed("not here either", 1)(x).sum().backward()),
        attempt(lambda: delayed("text", 2)(x)),
        [issubclass(delayed, torch.autograd.graph.Node), x.grad],
    ]


def versions_set_by_hand(torch: Any) -> Any:
    set_versions = torch._C._autograd._unsafe_set_version_counter
    x = torch.ones(2)
    part = x[:1]
    set_versions((x,), (5,))
    found = [x._version, part._version]
    y = torch.ones(2, requires_grad=True) * 1
    z = y * y
    y.add_(1)
    set_versions([y], [0])
    z.sum().backward()  # nobody notices
    return [
        found,
        attempt(lambda: set_versions((x,), (-1,))),
        attempt(lambda: set_versions((x,), (1, 2))),
        x._version,
    ]


def hooks_refused(torch: Any) -> Any:
    inside = torch._C._autograd
    hooks = torch.autograd.graph.saved_tensors_hooks
    message = inside._saved_tensors_hooks_get_disabled_error_message

    def enter() -> None:
        with hooks(lambda t: t, lambda t: t):
            pass

    found = [message()]
    inside._saved_tensors_hooks_disable("not now")
    found += [message(), inside._saved_tensors_hooks_is_enabled(), attempt(enter)]
    with torch.autograd.graph.disable_saved_tensors_hooks("nor here"):
        found += [message(), attempt(enter)]
    found.append(message())
    inside._saved_tensors_hooks_enable()
    found += [message(), attempt(enter)]
    return found


def detached_by_the_node(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    names = [y._grad_fn.name(), x._grad_fn]
    y._grad_fn = None
    x._grad_fn = None
    whole = torch.ones(2, requires_grad=True) * 1
    return [
        names,
        [y.requires_grad, y.is_leaf, x.requires_grad],
        attempt(lambda: setattr(whole[:1], "_grad_fn", None)),
        attempt(lambda: setattr(whole, "_grad_fn", 3)),
        attempt(lambda: delattr(whole, "_grad_fn")),
    ]


def post_accumulate_hooks_exchanged(torch: Any) -> Any:
    seen: list[str] = []
    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append("first"))
    x._post_accumulate_grad_hooks = {0: lambda leaf: seen.append("second")}
    x.sum().backward()
    return seen, len(x._post_accumulate_grad_hooks)


def multithreading(torch: Any) -> Any:
    found = [torch._C._is_multithreading_enabled()]
    with torch.autograd.set_multithreading_enabled(False):
        found.append(torch._C._is_multithreading_enabled())
        torch._C._set_multithreading_enabled(True)
        found.append(torch._C._is_multithreading_enabled())
    return [*found, torch._C._is_multithreading_enabled()]


def the_root_is_not_asked_for(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    total = y.sum()
    found = []

    def look(grad: Any) -> None:
        ask = torch._C._will_engine_execute_node
        found.append([ask(total.grad_fn), ask(y.grad_fn)])

    y.register_hook(look)
    total.backward(retain_graph=True)
    total.backward(inputs=[x], retain_graph=True)
    torch.autograd.backward([total, y.sum()])
    return found


def warned_of_once(torch: Any) -> Any:
    before = torch.is_warn_always_enabled()
    found = []
    for always in (True, False):
        torch.set_warn_always(always)
        found.append(torch.is_warn_always_enabled())
    torch.set_warn_always(before)
    return found, attempt(lambda: torch.set_warn_always(1))


def powers_to_the_end(torch: Any) -> Any:
    found = []
    for exponent in (2, 3, 0.5, 1):
        x = torch.tensor([2.0, 0.5], requires_grad=True)
        derivative = x**exponent
        for _ in range(4):
            if not derivative.requires_grad:
                break
            (derivative,) = torch.autograd.grad(derivative.sum(), x, create_graph=True)
            found.append([exponent, rounded(derivative, 4), derivative.requires_grad])
    return found


def shapes_of_gradients(torch: Any) -> Any:
    shapes = torch.autograd._calculate_shape
    x = torch.ones(3, 1, requires_grad=True)
    edge = torch.autograd.graph.get_gradient_edge(x * 2)
    batch = {"is_grads_batched": True}
    return [
        shapes(x, torch.ones(2, 5), False),
        shapes(x, torch.ones(4, 3, 1), True),
        shapes(edge, torch.ones(3, 1), False),
        attempt(lambda: shapes(edge, torch.ones(3, 1), True)),
        attempt(lambda: torch.autograd.grad(x.sum(), x, torch.ones(2, 2), **batch)),
        attempt(lambda: torch.autograd.grad(x * 2, x, torch.ones(2, 3, 4), **batch)),
    ]


def resized(torch: Any) -> Any:
    from_module = __import__(f"{torch.__name__}.autograd._functions", fromlist=["Resize"])
    x = torch.arange(4.0).view(2, 2).requires_grad_()
    y = from_module.Resize.apply(x.t(), (4,))
    (y * torch.arange(4.0)).sum().backward()
    return [
        rounded(y),
        rounded(x.grad),
        y.grad_fn.name(),
        attempt(lambda: from_module.Resize.apply(x, (5,))),
    ]
