"""torch.utils.checkpoint: what runs how often, what is refused, and in which words."""

import importlib
from collections.abc import Callable
from typing import Any

from tests.observe import attempt, rounded


def _short(tensor: Any) -> Any:
    """Three digits: elementary functions differ in the last place."""
    return rounded(tensor, 3)


def _of(torch: Any) -> Any:
    return importlib.import_module(f"{torch.__name__}.utils.checkpoint")


def _logged(log: list[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: Any, **kwargs: Any) -> Any:
        log.append(name)
        return function(*args, **kwargs)

    return called


def _free(torch: Any) -> Callable[..., Any]:
    """`checkpoint` without a nested pass."""
    return lambda *args, **options: _of(torch).checkpoint(*args, use_reentrant=False, **options)


def runs_twice(torch: Any) -> Any:
    log: list[str] = []
    shown = []
    for reentrant in (False, True):
        x = torch.ones(2, requires_grad=True)
        f = _logged(log, "f", lambda t: (t * t).exp())
        y = _of(torch).checkpoint(f, x, use_reentrant=reentrant)
        shown.append([list(log), type(y.grad_fn).__name__])
        y.sum().backward()
        shown.append([list(log), _short(x.grad)])
    return shown


def use_reentrant_not_said(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = _of(torch).checkpoint(lambda t: t * 2, x)
    z = _of(torch).checkpoint_sequential([torch.sin, torch.exp], 2, x)
    return [type(y.grad_fn).__name__, type(z.grad_fn).__name__]


def refused_arguments(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    call = _of(torch).checkpoint
    pair = lambda: (torch.no_grad(), torch.no_grad())  # noqa: E731
    tries: list[Callable[[], Any]] = [
        lambda: call(lambda t, k: t * 2, x, use_reentrant=True, k=3, j=4),
        lambda: call(torch.sin, x, use_reentrant=True, context_fn=pair),
        lambda: call(torch.sin, x, use_reentrant=True, debug=True),
        lambda: call(torch.sin, x, use_reentrant=False, determinism_check="bad"),
        lambda: call(lambda t: t.sin(), x, use_reentrant=False, more=1).shape,
        lambda: call(lambda t: t.sin(), x, use_reentrant=False, context_fn=lambda: 3),
        lambda: call(3, x, use_reentrant=False),
        lambda: _of(torch).detach_variable([x]),
        lambda: _of(torch).checkpoint_sequential([torch.sin], 1, x, False, more=1),
        lambda: _of(torch).checkpoint_sequential([torch.sin], 0, x, False),
        lambda: _of(torch).checkpoint_sequential([torch.sin], 2, x, False),
    ]
    for one in tries:
        print(attempt(one).replace("refused_arguments.<locals>.", ""))


def _unsteady(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that does something else after its first call."""
    calls: list[int] = []

    def function(t: Any) -> Any:
        calls.append(1)
        return first(t) if len(calls) == 1 else then(t)

    return function


def what_differs_is_found(torch: Any) -> Any:
    x = torch.ones(4, requires_grad=True)

    def steady(t: Any) -> Any:
        return t.sin().sin().sin()

    others = [
        lambda t: t.reshape(2, 2).sin().sin().sin(),
        lambda t: t.to(torch.float64).sin().sin().sin(),
        lambda t: t.sin(),
        lambda t: steady(t).sin().sin(),
    ]
    for other in others:
        for early in (True, False):
            for check in ("default", "none"):
                if other is others[0] and check == "none":
                    continue
                with _of(torch).set_checkpoint_early_stop(early):
                    y = _free(torch)(_unsteady(steady, other), x, determinism_check=check)
                x.grad = None
                print(attempt(lambda: y.sum().backward()))
                print(x.grad)


def values_that_differ_are_used(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    f = _unsteady(lambda t: (t * 2).sin(), lambda t: (t * 3).sin())
    _free(torch)(f, x).sum().backward()
    return _short(x.grad)


def saved_tensors_read_twice(torch: Any) -> Any:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            ctx.save_for_backward(t)
            return t.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.saved_tensors[0] + ctx.saved_tensors[0]

    x = torch.ones(2, requires_grad=True)
    y = _free(torch)(lambda t: Twice.apply(t.sin()), x)
    return attempt(lambda: y.sum().backward())


def saved_constants_are_the_same_objects(torch: Any) -> Any:
    seen: list[Any] = []

    class Keep(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any, constant: Any) -> Any:
            ctx.save_for_backward(constant, t)
            return t.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            seen.extend(ctx.saved_tensors)
            return grad, None

    x, constant = torch.ones(2, requires_grad=True), torch.ones(2)
    made: list[Any] = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: t, lambda t: made.append(t.clone()) or made[-1]
    ):
        Keep.apply(x, constant).sum().backward()
    _free(torch)(Keep.apply, x, constant).sum().backward()
    return [seen[0] is made[0], seen[1] is made[1], seen[2] is constant, seen[3] is x]


def saved_attributes_are_recomputed(torch: Any) -> Any:
    log: list[str] = []
    x = torch.ones(2, requires_grad=True)
    y = _free(torch)(_logged(log, "f", lambda t: t.sin().exp()), x)
    result = y.grad_fn._saved_result
    print(log, _short(result), result.grad_fn is y.grad_fn, result.requires_grad)
    kept = y.grad_fn.next_functions[0][0]._saved_self
    print(log, kept is x, kept.requires_grad, kept.grad_fn)
    y.sum().backward()
    print(log, attempt(lambda: y.grad_fn._saved_result))


def retained_graphs_recompute(torch: Any) -> Any:
    log: list[str] = []
    x = torch.ones(2, requires_grad=True)
    y = _free(torch)(_logged(log, "f", lambda t: t.sin().exp()), x).sum()
    for keep in (True, True, False):
        y.backward(retain_graph=keep)
        print(log, _short(x.grad))
    print(attempt(lambda: y.backward()))


def input_written_to(torch: Any) -> Any:
    for reentrant in (False, True):
        x = torch.ones(2, requires_grad=True).clone()
        y = _of(torch).checkpoint(lambda t: t.sin(), x, use_reentrant=reentrant)
        x.mul_(2)
        print(attempt(lambda: y.sum().backward()))


def anything_goes_in_and_out(torch: Any) -> Any:
    x, t, u = (torch.full((2,), v, requires_grad=True) for v in (1.0, 2.0, 3.0))

    def function(x: Any, given: Any, word: str, *, k: int, t: Any) -> Any:
        return {"tensor": x * given["u"] * t.sin(), "word": word * k}

    result = _free(torch)(function, x, {"u": u}, "s", k=3, t=t)
    print(result["word"])
    result["tensor"].sum().backward()
    print(_short(x.grad), _short(t.grad), _short(u.grad))


def reentrant_outputs(torch: Any) -> Any:
    x, u = (torch.full((2,), v, requires_grad=True) for v in (1.0, 3.0))

    def function(x: Any, given: Any, word: str) -> Any:
        return x * given["u"], 3, word, None, [x * 2], x.detach(), x > 0

    result = _of(torch).checkpoint(function, x, {"u": u}, "s", use_reentrant=True)
    print(result)
    result[0].sum().backward()
    print(_short(x.grad), _short(u.grad))


def nothing_requires_gradients(torch: Any) -> Any:
    call = _of(torch).checkpoint
    layer = torch.nn.Linear(2, 2)
    plain, x = torch.ones(2), torch.ones(2, requires_grad=True)
    for reentrant in (False, True):
        print(call(torch.sin, plain, use_reentrant=reentrant).requires_grad)
        print(call(layer, plain, use_reentrant=reentrant).requires_grad)
        with torch.no_grad():
            print(call(torch.sin, x, use_reentrant=reentrant).requires_grad)
    call(lambda: layer(plain), use_reentrant=False).sum().backward()
    return _short(layer.weight.grad)


def detached_results(torch: Any) -> Any:
    for reentrant in (False, True):
        x = torch.ones(2, requires_grad=True)
        mixed = _of(torch).checkpoint(lambda t: (t * 1, t.detach()), x, use_reentrant=reentrant)
        print([t.requires_grad for t in mixed])
        mixed[0].sum().backward()
        print(_short(x.grad))
        y = _of(torch).checkpoint(lambda t: t.detach(), x, use_reentrant=reentrant)
        print(y.requires_grad, attempt(lambda: y.sum().backward()))


def contexts(torch: Any) -> Any:
    log: list[str] = []

    class Noted:
        def __init__(self, name: str) -> None:
            self.name = name

        def __enter__(self) -> None:
            log.append(f"{self.name} in, recording {torch.is_grad_enabled()}")

        def __exit__(self, *error: Any) -> None:
            log.append(f"{self.name} out, left early {error[0] is not None}")

    def pair() -> Any:
        log.append("asked")
        return Noted("forward"), Noted("again")

    x = torch.ones(2, requires_grad=True)
    for early in (True, False):
        y = _free(torch)(lambda t: t.sin().exp(), x, context_fn=pair, early_stop=early).sum()
        y.backward(retain_graph=True)
        y.backward()
        print(log)
        log.clear()
    with torch.no_grad():
        _free(torch)(torch.sin, x, context_fn=pair)
    print(log)


def early_stop(torch: Any) -> Any:
    module, log = _of(torch), []  # type: tuple[Any, list[str]]
    x = torch.ones(2, requires_grad=True)

    def function(t: Any) -> Any:
        result = t.sin().exp()
        log.append("exp")
        return result + 1

    def ran(**options: Any) -> int:
        log.clear()
        _free(torch)(function, x, **options).sum().backward()
        return len(log)

    print(ran(), ran(early_stop=False))
    for setting in (True, False):
        with module.set_checkpoint_early_stop(setting):
            print(ran(), ran(early_stop=not setting))
            with module.set_checkpoint_early_stop(not setting):
                print(ran())
            log.clear()
            y = _free(torch)(function, x)
        y.sum().backward()
        print(log)


def nothing_to_recompute(torch: Any) -> Any:
    log: list[str] = []
    x = torch.ones(2, requires_grad=True)
    _free(torch)(_logged(log, "f", lambda t: t + 1), x).sum().backward()
    return [log, _short(x.grad)]


def random_numbers(torch: Any) -> Any:
    for reentrant in (False, True):
        for preserve in (True, False):
            torch.manual_seed(1)
            x = torch.ones(2, requires_grad=True)
            options = {"use_reentrant": reentrant, "preserve_rng_state": preserve}
            y = _of(torch).checkpoint(lambda t: t * torch.rand(2), x, **options)
            between = torch.rand(1).item()
            y.sum().backward()
            print(torch.equal(y.detach(), x.grad), between, torch.rand(1).item())


def dropout_is_the_same(torch: Any) -> Any:
    layers = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout(0.5), torch.nn.Tanh())
    x = torch.randn(4, 3)
    shown = []
    for checkpointed in (False, True):
        torch.manual_seed(1)
        layers.zero_grad()
        y = _free(torch)(layers, x) if checkpointed else layers(x)
        y.sum().backward()
        shown.append(_short(layers[0].weight.grad))
    return shown


def fork_rng(torch: Any) -> Any:
    fork = torch.random.fork_rng
    with fork():
        print(torch.rand(1).item())
    print(torch.rand(1).item())
    with fork(enabled=False):
        print(torch.rand(1).item())

    @fork()
    def drawn() -> Any:
        return torch.rand(1).item()

    print(drawn(), drawn(), torch.rand(1).item())
    print(attempt(lambda: fork(devices=[0]).__enter__()))
    print(attempt(lambda: fork(device_type="nowhere").__enter__()))


def states_of_generators(torch: Any) -> Any:
    generator = torch.Generator().manual_seed(3)
    state = generator.get_state()
    print(type(state).__name__, state.dtype, list(state.shape), generator.initial_seed())
    first = torch.rand(2, generator=generator)
    print(generator.set_state(state) is generator)
    print(torch.equal(torch.rand(2, generator=generator), first))
    other = torch.Generator().set_state(torch.get_rng_state())
    print(torch.equal(torch.rand(2, generator=other), torch.rand(2)))
    print(torch.equal(torch.default_generator.get_state(), torch.get_rng_state()))
    for wrong in (5, torch.zeros(5), torch.zeros(5, dtype=torch.uint8)):
        print(attempt(lambda: generator.set_state(wrong)))
        print(attempt(lambda: torch.set_rng_state(wrong)))


def reentrant_is_for_backward_only(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    call = _of(torch).checkpoint
    y = call(torch.exp, x, use_reentrant=True)
    print(attempt(lambda: torch.autograd.grad(y.sum(), x)))
    print(attempt(lambda: y.sum().backward(inputs=[x])))
    z = call(torch.exp, x, use_reentrant=True).sum()
    z.backward(retain_graph=True)
    z.backward()
    print(_short(x.grad), attempt(lambda: z.backward()))


def errors_of_the_function(torch: Any) -> Any:
    def fails(t: Any) -> Any:
        raise ValueError("inside")

    x = torch.ones(2, requires_grad=True)
    for reentrant in (False, True):
        print(attempt(lambda: _of(torch).checkpoint(fails, x, use_reentrant=reentrant)))
        y = _of(torch).checkpoint(_unsteady(torch.sin, fails), x, use_reentrant=reentrant)
        print(attempt(lambda: y.sum().backward()), torch.is_grad_enabled())
        y = _of(torch).checkpoint(torch.sin, x, use_reentrant=reentrant)
        print((y * y).requires_grad)


def second_derivatives(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = _free(torch)(lambda t: t.exp() * t, x)
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    return [_short(first), _short(second)]


def sequences(torch: Any) -> Any:
    layers = torch.nn.Sequential(*(torch.nn.Linear(2, 2) for _ in range(5)))
    for segments in (1, 2, 3, 5):
        for reentrant in (False, True):
            log: list[str] = []
            hooks = [
                layer.register_forward_hook(lambda *_, n=n, log=log: log.append(str(n)))
                for n, layer in enumerate(layers)
            ]
            x = torch.ones(1, 2, requires_grad=True)
            _of(torch).checkpoint_sequential(layers, segments, x, reentrant).sum().backward()
            print(segments, log, _short(x.grad))
            for hook in hooks:
                hook.remove()


def hooks_around_and_inside(torch: Any) -> Any:
    x, log = torch.ones(2, requires_grad=True), []  # type: tuple[Any, list[str]]
    noted = (
        lambda t: log.append("packed") or t,
        lambda t: log.append("unpacked") or t,
    )
    hooks = torch.autograd.graph.saved_tensors_hooks

    def inside(t: Any) -> Any:
        with hooks(*noted):
            result = t.sin()
        return result.exp()

    with hooks(*noted):
        y = _free(torch)(lambda t: t.sin().exp(), x)
        z = y * y
    z.sum().backward()
    print(log)
    log.clear()
    _free(torch)(inside, x).sum().backward()
    print(log, _short(x.grad))
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        print(attempt(lambda: _free(torch)(torch.sin, x)))


def written_in_place_inside(torch: Any) -> Any:
    def function(t: Any) -> Any:
        result = (t * 2).sin_()
        return result.mul_(result.exp())

    x = torch.ones(2, requires_grad=True)
    _free(torch)(function, x).sum().backward()
    _free(torch)(function, x).mul_(2).sum().backward()
    return _short(x.grad)


def parameter_used_inside_and_outside(torch: Any) -> Any:
    weight, x = torch.randn(2, 2, requires_grad=True), torch.randn(2, 2, requires_grad=True)
    (_free(torch)(lambda t: weight @ t, x) @ weight.t()).sum().backward()
    return [_short(weight.grad), _short(x.grad)]


def groups(torch: Any) -> Any:
    group, log = _of(torch).GraphExecGroup, []  # type: tuple[Any, list[str]]
    both = _logged(log, "both", lambda t: (t.sin(), t.cos()))
    x = torch.ones(1, requires_grad=True)
    sin, cos = _free(torch)(both, x)
    with group():
        sin.backward()
        cos.backward()
        print(log, attempt(lambda: group().__enter__()))
    sin, cos = _free(torch)(both, x)
    with group():
        sin.backward(retain_graph=True)
        print(attempt(sin.backward))
    print(_short(x.grad))


# Checkpoints in checkpoints.


def _with_and_without_early_stop(torch: Any, show: Callable[[list[str]], Any]) -> Any:
    for early in (True, False):
        with _of(torch).set_checkpoint_early_stop(early):
            print(show([]))


def nested_to_a_depth(torch: Any) -> Any:
    def nest(depth: int, log: list[str]) -> Callable[[Any], Any]:
        if depth == 0:
            return _logged(log, "0", lambda t: t.sin().exp())
        inner = nest(depth - 1, log)
        return _logged(log, str(depth), lambda t: _free(torch)(inner, t.cos()).sin())

    def show(log: list[str]) -> Any:
        for depth in range(5):
            x = torch.ones(1, requires_grad=True)
            nest(depth, log)(x).backward()
            log.append(f"{x.grad.item():.4f}")
        return log

    _with_and_without_early_stop(torch, show)


def nested_siblings(torch: Any) -> Any:
    def show(log: list[str]) -> Any:
        f = _logged(log, "f", lambda t: t.sin())
        g = _logged(log, "g", lambda t: t.cos().sin())
        h = _logged(log, "h", lambda t: _free(torch)(g, _free(torch)(f, t)))
        x = torch.ones(1, requires_grad=True)
        return _short(torch.autograd.grad(_free(torch)(h, x), x)[0]), log

    _with_and_without_early_stop(torch, show)


def nested_second_derivative(torch: Any) -> Any:
    def show(log: list[str]) -> Any:
        f = _logged(log, "f", lambda t: (t**2).sum())
        h = _logged(log, "h", lambda t: _free(torch)(f, t).sin().exp())
        x = torch.ones(1, requires_grad=True)
        (first,) = torch.autograd.grad(_free(torch)(h, x), x, create_graph=True)
        (second,) = torch.autograd.grad(first, x)
        return _short(first), _short(second), log

    _with_and_without_early_stop(torch, show)


def nested_gradients_inside(torch: Any) -> Any:
    def show(log: list[str]) -> Any:
        f = _logged(log, "f", lambda t: t.sin().exp().sin())

        def slope(t: Any) -> Any:
            log.append("slope")
            return torch.autograd.grad(f(t), t, create_graph=True)[0] * 2

        def slope_of_checkpoint(t: Any) -> Any:
            return torch.autograd.grad(_free(torch)(f, t), t, create_graph=True)[0]

        x = torch.ones(1, requires_grad=True)
        found = [torch.autograd.grad(_free(torch)(slope, x), x)[0]]
        nested = _free(torch)(lambda t: _free(torch)(slope, t), x)
        found.append(torch.autograd.grad(nested, x)[0])
        found.append(torch.autograd.grad(_free(torch)(slope_of_checkpoint, x), x)[0])
        return [_short(t) for t in found], log

    _with_and_without_early_stop(torch, show)


def nested_objects_and_keywords(torch: Any) -> Any:
    def show(log: list[str]) -> Any:
        f = _logged(log, "f", lambda given, *, k=None: (given["t"].sin() * k.exp(), 5))

        def outer(given: Any, *, k: Any) -> Any:
            log.append("outer")
            result, number = _free(torch)(f, given, k=k.sin())
            return result.exp() * number

        x, k = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
        _free(torch)(outer, {"t": x}, k=k).backward()
        return _short(x.grad), _short(k.grad), log

    _with_and_without_early_stop(torch, show)


def nested_pass_in_a_hook(torch: Any) -> Any:
    def show(log: list[str]) -> Any:
        def both(t: Any) -> Any:
            log.append("both")
            inner = t.sin().cos()
            return inner, inner.sin()

        x = torch.tensor(1.0, requires_grad=True)
        inner, outer = _free(torch)(both, x)
        outer.grad_fn.register_hook(lambda *_: inner.backward(retain_graph=True))
        outer.backward(retain_graph=True)
        return _short(x.grad), log

    _with_and_without_early_stop(torch, show)


def nested_unneeded(torch: Any) -> Any:
    def show(log: list[str]) -> Any:
        f = _logged(log, "f", lambda t: t.sin())

        def outer(t: Any) -> Any:
            log.append("outer")
            _free(torch)(f, t)
            return t + 1

        x = torch.ones(1, requires_grad=True)
        _free(torch)(outer, x).backward()
        return log

    _with_and_without_early_stop(torch, show)


def nested_kinds(torch: Any) -> Any:
    call = _of(torch).checkpoint
    for outer_kind in (True, False):
        for inner_kind in (True, False):
            log: list[str] = []
            f = _logged(log, "f", lambda t: t.sin())

            def outer(t: Any, f: Any = f, kind: bool = inner_kind, log: Any = log) -> Any:
                log.append("outer")
                return call(f, t.exp(), use_reentrant=kind).cos()

            x = torch.ones(1, requires_grad=True)
            call(outer, x, use_reentrant=outer_kind).backward()
            print(_short(x.grad), log)
