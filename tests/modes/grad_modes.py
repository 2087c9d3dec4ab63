"""Grad mode: managers, decorators, generators, classes, threads and the names around them."""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np

from tests.observe import attempt


def names_of_the_module(torch: Any) -> Any:
    modes = torch.autograd.grad_mode
    names = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode"]
    names += ["set_multithreading_enabled", "_force_original_view_tracking"]
    names += ["_unsafe_preserve_version_counter"]
    for name in names:
        one = getattr(modes, name)
        print(name, one.__module__, one.__qualname__, hasattr(torch.autograd, name))
    for name in ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"):
        print(getattr(torch, name) is getattr(modes, name))


def what_managers_show(torch: Any) -> Any:
    modes = [torch.no_grad(), torch.enable_grad(), torch.set_grad_enabled(True)]
    modes += [torch.inference_mode(), torch.autograd.set_multithreading_enabled(True)]
    for mode in modes:
        print(repr(mode), type(mode.clone()).__name__, mode.clone() is mode)
        print(mode.__enter__(), mode.__exit__(None, None, None))


def grad_mode_is_by_thread_and_nested(torch: Any) -> Any:
    seen = []
    with torch.no_grad():
        with torch.enable_grad():
            seen.append(torch.is_grad_enabled())
            with torch.set_grad_enabled(False):
                seen.append(torch.is_grad_enabled())
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    return [*seen, torch.is_grad_enabled()]


def one_manager_twice(torch: Any) -> Any:
    guard, seen = torch.no_grad(), []
    for _ in range(2):
        with guard:
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
    with guard:
        with guard:
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
    seen.append(torch.is_grad_enabled())
    torch.set_grad_enabled(True)
    setting = torch.set_grad_enabled(False)
    seen.append(torch.is_grad_enabled())
    with setting:
        seen.append(torch.is_grad_enabled())
    seen.append(torch.is_grad_enabled())
    with setting:
        seen.append(torch.is_grad_enabled())
    return [*seen, torch.is_grad_enabled()]


def set_grad_enabled_everywhere(torch: Any) -> Any:
    x = torch.ones(1, requires_grad=True)
    print(repr(torch.set_grad_enabled(False)), (x * 2).requires_grad)
    print(repr(torch.set_grad_enabled(mode=True)), (x * 2).requires_grad)
    for wrong in (1, None, "yes", 0.0):
        print(attempt(lambda: torch.set_grad_enabled(wrong)), torch.is_grad_enabled())

    @torch.set_grad_enabled(False)
    def decorated() -> Any:
        return torch.is_grad_enabled()

    print(torch.is_grad_enabled(), decorated(), torch.is_grad_enabled())
    guard = torch.set_grad_enabled(False)
    print(torch.is_grad_enabled())

    @guard
    def again() -> Any:
        return torch.is_grad_enabled()

    print(torch.is_grad_enabled(), again(), torch.is_grad_enabled())
    with torch.no_grad():
        torch.set_grad_enabled(True)
        print(torch.is_grad_enabled())
    print(torch.is_grad_enabled())


def decorators_keep_the_function(torch: Any) -> Any:
    def plain(a: int, *, b: int = 2) -> Any:
        "What it does."
        return a, b, torch.is_grad_enabled()

    for decorator in (torch.no_grad, torch.no_grad(), torch.enable_grad, torch.enable_grad()):
        made = decorator(plain)
        print(made.__name__, made.__doc__, made.__wrapped__ is plain, inspect.signature(made))
        with torch.no_grad():
            print(made(1, b=3), torch.is_grad_enabled())
        print(made(1), attempt(lambda: made()))


def decorated_methods(torch: Any) -> Any:
    class Made:
        @torch.no_grad()
        def method(self) -> Any:
            return torch.is_grad_enabled()

        @staticmethod
        @torch.no_grad()
        def static() -> Any:
            return torch.is_grad_enabled()

        @classmethod
        @torch.no_grad()
        def of_class(cls) -> Any:
            return cls.__name__, torch.is_grad_enabled()

        @property
        @torch.no_grad()
        def shown(self) -> Any:
            return torch.is_grad_enabled()

    return [Made().method(), Made.static(), Made.of_class(), Made().shown]


def decorated_recursion(torch: Any) -> Any:
    @torch.no_grad()
    def down(depth: int) -> list[Any]:
        inner = down(depth - 1) if depth else []
        return [torch.is_grad_enabled(), *inner, torch.is_grad_enabled()]

    @torch.enable_grad()
    def back(depth: int) -> list[Any]:
        return [torch.is_grad_enabled(), *(forth(depth - 1) if depth else [])]

    @torch.no_grad()
    def forth(depth: int) -> list[Any]:
        return [torch.is_grad_enabled(), *(back(depth - 1) if depth else [])]

    return [down(2), back(3), torch.is_grad_enabled()]


def decorated_errors(torch: Any) -> Any:
    @torch.no_grad()
    def fails() -> None:
        raise ValueError(str(torch.is_grad_enabled()))

    return [attempt(fails), torch.is_grad_enabled()]


def decorated_classes(torch: Any) -> Any:
    for decorator in (torch.no_grad, torch.no_grad(), torch.inference_mode()):

        @decorator
        class Made:
            def __init__(self, value: Any = None) -> None:
                self.inside = torch.is_grad_enabled(), value

            def asked(self) -> Any:
                return torch.is_grad_enabled()

        print(Made(3).inside, Made(3).asked(), Made(value=4).inside, torch.is_grad_enabled())


def generators_between_values(torch: Any) -> Any:
    seen: list[Any] = []

    @torch.no_grad()
    def steps() -> Iterator[Any]:
        for _ in range(3):
            yield torch.is_grad_enabled()

    for inside in steps():
        seen += [inside, torch.is_grad_enabled()]
    with torch.no_grad():
        iterator = torch.enable_grad()(lambda: (yield torch.is_grad_enabled()))()
        seen += [next(iterator), torch.is_grad_enabled(), next(iterator, "end")]
        seen.append(torch.is_grad_enabled())
    print(inspect.isgeneratorfunction(steps), inspect.isgenerator(steps()), steps.__name__)
    return seen


def generators_that_change_the_mode(torch: Any) -> Any:
    @torch.no_grad()
    def steps() -> Iterator[Any]:
        yield torch.is_grad_enabled()
        with torch.enable_grad():
            yield torch.is_grad_enabled()
            yield torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    seen: list[Any] = []
    for inside in steps():
        seen += [inside, torch.is_grad_enabled()]
    return seen


def generators_that_are_talked_to(torch: Any) -> Any:
    @torch.no_grad()
    def echo() -> Any:
        got = yield ("start", torch.is_grad_enabled())
        while got is not None:
            try:
                got = yield (got, torch.is_grad_enabled())
            except KeyError as error:
                got = f"caught {error}"
        return "end", torch.is_grad_enabled()

    talk = echo()
    print(next(talk), torch.is_grad_enabled())
    print(talk.send(5), torch.is_grad_enabled())
    print(talk.throw(KeyError("key")), torch.is_grad_enabled())
    try:
        talk.send(None)
    except StopIteration as stop:
        print(stop.value, torch.is_grad_enabled())
    print(attempt(lambda: next(talk)))


def generators_that_recover(torch: Any) -> Any:
    class Signal(Exception):
        pass

    seen: list[Any] = []

    @torch.no_grad()
    def work() -> Any:
        try:
            yield torch.is_grad_enabled()
        except Signal:
            seen.append(torch.is_grad_enabled())
            yield torch.is_grad_enabled()
        finally:
            seen.append(("end", torch.is_grad_enabled()))

    talk = work()
    seen += [next(talk), talk.throw(Signal()), torch.is_grad_enabled()]
    print(attempt(lambda: next(talk)))
    fatal = work()
    next(fatal)
    print(attempt(lambda: fatal.throw(ValueError("passed on"))), torch.is_grad_enabled())
    return seen


def generators_that_are_closed(torch: Any) -> Any:
    seen: list[Any] = []

    def make(decorator: Any) -> Any:
        @decorator
        def work() -> Any:
            try:
                yield 1
                yield 2
            except GeneratorExit:
                seen.append(("exit", torch.is_grad_enabled()))
                raise
            finally:
                seen.append(("end", torch.is_grad_enabled()))

        return work

    for decorator in (torch.no_grad(), torch.enable_grad()):
        for mode in (True, False):
            with torch.set_grad_enabled(mode):
                talk = make(decorator)()
                next(talk)
                talk.close()
                seen.append(torch.is_grad_enabled())
                talk = make(decorator)()
                next(talk)
                del talk
                seen.append(torch.is_grad_enabled())
                talk = make(decorator)()
                talk.close()
                seen.append(attempt(lambda: next(talk)))
    return seen


def generators_that_do_not_close(torch: Any) -> Any:
    @torch.no_grad()
    def stubborn() -> Any:
        try:
            yield 1
        except GeneratorExit:
            yield 2

    talk = stubborn()
    next(talk)
    print(attempt(lambda: talk.close()), torch.is_grad_enabled())

    @torch.no_grad()
    def returning() -> Any:
        try:
            yield 1
        except GeneratorExit:
            return 5

    talk = returning()
    next(talk)
    print(attempt(lambda: talk.close()))


def generators_that_recurse(torch: Any) -> Any:
    @torch.enable_grad()
    def enabled(depth: int) -> Iterator[Any]:
        if depth:
            yield ("on", torch.is_grad_enabled())
            yield from disabled(depth - 1)
            yield ("on", torch.is_grad_enabled())

    @torch.no_grad()
    def disabled(depth: int) -> Iterator[Any]:
        if depth:
            yield ("off", torch.is_grad_enabled())
            yield from enabled(depth - 1)
            yield ("off", torch.is_grad_enabled())

    return [list(enabled(4)), list(disabled(3)), torch.is_grad_enabled()]


def generators_that_fail(torch: Any) -> Any:
    @torch.no_grad()
    def fails() -> Any:
        yield 1
        raise ValueError("in the generator")

    talk = fails()
    next(talk)
    return [attempt(lambda: next(talk)), torch.is_grad_enabled(), attempt(lambda: next(talk))]


def coroutines(torch: Any) -> Any:
    @torch.no_grad()
    async def work() -> Any:
        return torch.is_grad_enabled()

    @torch.no_grad()
    async def values() -> AsyncIterator[Any]:
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    async def main() -> list[Any]:
        return [await work(), [one async for one in values()], torch.is_grad_enabled()]

    print(inspect.iscoroutinefunction(work), inspect.isasyncgenfunction(values))
    return asyncio.run(main())


def managers_inside_coroutines(torch: Any) -> Any:
    async def work(seen: list[Any]) -> None:
        with torch.no_grad():
            seen.append(torch.is_grad_enabled())
            await asyncio.sleep(0)
            seen.append(torch.is_grad_enabled())

    async def main() -> list[Any]:
        seen: list[Any] = []
        await asyncio.gather(work(seen), work(seen))
        return [*seen, torch.is_grad_enabled()]

    return asyncio.run(main())


def multithreading(torch: Any) -> Any:
    autograd = torch.autograd
    print(autograd.is_multithreading_enabled())
    with autograd.set_multithreading_enabled(False) as given:
        print(autograd.is_multithreading_enabled(), given)
    print(autograd.is_multithreading_enabled())
    autograd.set_multithreading_enabled(False)
    print(autograd.is_multithreading_enabled())
    with autograd.set_multithreading_enabled(True):
        print(autograd.is_multithreading_enabled())
    print(autograd.is_multithreading_enabled())
    autograd.set_multithreading_enabled(True)
    print(autograd.is_multithreading_enabled())
    x = torch.ones(2, requires_grad=True)
    with autograd.set_multithreading_enabled(False):
        (x * x).sum().backward()
    print(x.grad)

    @autograd.set_multithreading_enabled(False)
    def called() -> Any:
        return autograd.is_multithreading_enabled()

    print(autograd.is_multithreading_enabled(), called())
    autograd.set_multithreading_enabled(True)
    seen: list[Any] = []
    with autograd.set_multithreading_enabled(False):
        thread = threading.Thread(target=lambda: seen.append(autograd.is_multithreading_enabled()))
        thread.start()
        thread.join()
    print(seen)


def multithreading_is_a_bool(torch: Any) -> Any:
    print(attempt(lambda: torch.autograd.set_multithreading_enabled(1)))
    print(torch.autograd.is_multithreading_enabled())


def view_replay(torch: Any) -> Any:
    def written(x: Any) -> Any:
        out = x.clone().view(-1)
        out.add_(1)
        return out.grad_fn

    x = torch.ones(2, 2, requires_grad=True)
    replay, asked = (
        torch.autograd._force_original_view_tracking,
        torch.autograd.is_view_replay_enabled,
    )
    print(asked(), written(x))
    with replay(False):
        print(asked(), written(x))
    with replay(True):
        print(asked(), written(x))
        with replay(False):
            print(asked(), written(x))
        print(asked())
    print(asked(), written(x))
    with replay(False):
        replay(True)
        print(asked(), written(x))
    print(asked())
    replay(True)
    print(asked(), written(x))
    replay(False)
    print(asked(), written(x))


def view_replay_through_chains(torch: Any) -> Any:
    def chain(node: Any) -> list[str]:
        names = []
        while node is not None:
            names.append(type(node).__name__)
            node = node.next_functions[0][0] if node.next_functions else None
        return names

    makes = {
        "select": lambda b: b[0], "slice": lambda b: b[:, 1:], "t": lambda b: b.t(),
        "view_select": lambda b: b.view(-1)[1], "permute": lambda b: b.permute(1, 0)[0],
        "expand": lambda b: b[0].unsqueeze(0).squeeze(0), "diagonal": lambda b: b.diagonal(),
        "as_strided": lambda b: b.as_strided((2,), (1,)), "unfold": lambda b: b.unfold(0, 2, 1)[0],
    }  # fmt: skip
    for name, make in makes.items():
        for while_made in (True, False):
            for while_written in (True, False):
                for while_read in (True, False):
                    x = torch.arange(4.0).reshape(2, 2).requires_grad_()
                    base = x.clone()
                    with torch.autograd._force_original_view_tracking(while_made):
                        view = make(base)
                    with torch.autograd._force_original_view_tracking(while_written):
                        base.mul_(2)
                    with torch.autograd._force_original_view_tracking(while_read):
                        names = chain(view.grad_fn)
                    view.sum().backward()
                    if while_made or while_written or while_read:
                        print(name, while_made, while_written, while_read, names, x.grad.tolist())


def leaves_in_no_grad(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        x.add_(1)
        x += 1
        x[0] = 7
        y = x.view(-1)
        y.mul_(2)
        print(x, x._version, y.requires_grad, attempt(lambda: y.grad_fn))
        z = x.detach()
        z.zero_()
        print(x, x._version, z._version)
    print(attempt(lambda: x.add_(1)), attempt(lambda: y.add_(1)), x.requires_grad)


def what_is_made_in_no_grad(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        print((x * 2).requires_grad, torch.ones(1, requires_grad=True).requires_grad)
        print(torch.nn.Parameter(torch.ones(1)).requires_grad, x.clone().requires_grad)
        print(
            x.detach().requires_grad_().requires_grad, x.view(-1).requires_grad, x[0].requires_grad
        )
        y = x * 2
        y.requires_grad_()
        print(y.is_leaf, (y * 2).requires_grad)
    print((y * 2).grad_fn)


def backward_in_no_grad(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    seen: list[Any] = []
    x.register_hook(lambda g: seen.append((torch.is_grad_enabled(), g.requires_grad)))
    with torch.no_grad():
        y.backward(retain_graph=True)
        seen.append(torch.is_grad_enabled())
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        seen += [g.requires_grad, torch.is_grad_enabled()]
    y.backward()
    return seen


def modes_inside_a_function(torch: Any) -> Any:
    seen: list[Any] = []

    class Double(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            seen.append(torch.is_grad_enabled())
            with torch.enable_grad():
                seen.append((x * 2).requires_grad)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            seen.append(torch.is_grad_enabled())
            with torch.enable_grad():
                seen.append(torch.is_grad_enabled())
            torch.set_grad_enabled(True)
            return grad * 2

    x = torch.ones(1, requires_grad=True)
    Double.apply(x).backward()
    seen.append(torch.is_grad_enabled())
    with torch.no_grad():
        seen.append(Double.apply(x).requires_grad)
    torch.autograd.grad(Double.apply(x), x, create_graph=True)
    with torch.no_grad():
        y = torch.enable_grad()(Double.apply)(x)
        y.backward()
        seen.append(torch.is_grad_enabled())
    return seen


def reentrant_backward_restores_the_mode(torch: Any) -> Any:
    seen: list[Any] = []

    class Inner(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            with torch.enable_grad():
                y = torch.ones(1, requires_grad=True) * 2
                seen.append(torch.is_grad_enabled())
                y.backward()
                seen.append(torch.is_grad_enabled())
            seen.append(torch.is_grad_enabled())
            return grad

    x = torch.ones(1, requires_grad=True)
    for mode in (True, False):
        y = Inner.apply(x)
        with torch.set_grad_enabled(mode):
            y.backward()
            seen.append(torch.is_grad_enabled())
    return seen


def versions_kept(torch: Any) -> Any:
    keep = torch.autograd._unsafe_preserve_version_counter
    x, y = torch.ones(2), torch.ones(2)
    with keep(x) as given:
        x.add_(1)
        print(x._version, given)
    print(x._version)
    with keep((x, y)):
        x.add_(1)
        y.add_(1)
        x.view(-1).add_(1)
        print(x._version, y._version)
    print(x._version, y._version)

    def fails() -> None:
        with keep((x,)):
            x.add_(1)
            raise ValueError("inside")

    print(attempt(fails), x._version)
    a = torch.ones(2, requires_grad=True)
    b = a * 2
    c = b * b
    with keep(b):
        with torch.no_grad():
            b.mul_(3)
    c.sum().backward()
    print(a.grad, b._version)
    guard = keep(y)
    with guard:
        y.add_(1)
    with guard:
        y.add_(1)
    print(y._version)
    print(attempt(lambda: keep(5)), attempt(lambda: keep([y]).__enter__()))


def versions_increased(torch: Any) -> Any:
    increase = torch.autograd.graph.increment_version
    x, y = torch.ones(2), torch.ones(2)
    print(increase(x), x._version)
    print(increase((x, y)), x._version, y._version)
    print(increase([x, y, x]), x._version, y._version, increase([]))
    print(
        x.view(-1)._version, increase(x.view(-1)), x._version, x.detach()._version, x.data._version
    )
    a = torch.ones(2, requires_grad=True)
    b = a.clone()
    c = b * b
    increase(b)
    print(attempt(lambda: c.sum().backward()), b.requires_grad, b.grad_fn)
    increase(a)
    print(a._version, attempt(lambda: increase(5)), attempt(lambda: increase([x, 5])), x._version)
    print(increase(one for one in (x, y)), x._version)


def layout_of_gradients(torch: Any) -> Any:
    policy = torch.autograd.enforce_grad_layout_policy
    print(policy.__module__, attempt(lambda: policy(1)))
    p = torch.ones(2, 3, 4).permute(2, 0, 1).requires_grad_()
    q = torch.ones(4, 2, 3, requires_grad=True)[:, :, :2].detach().requires_grad_()

    def strides() -> Any:
        p.grad = q.grad = None
        ((p * 2).sum() + (q * 2).sum()).backward()
        first = p.grad.stride(), q.grad.stride()
        (p * q.new_ones(4, 2, 3)).sum().backward()
        return first, p.grad.stride()

    for enable in (True, False):
        with policy(enable):
            print(strides())
        with policy(enable=enable):
            print(strides())

    @policy(False)
    def decorated() -> Any:
        return strides()

    print(strides(), decorated(), strides())
    policy(False)
    print(strides())
    with policy():
        print(strides())
    policy(True)
    print(strides())


def settings_as_decorators(torch: Any) -> Any:
    autograd, seen = torch.autograd, []
    pairs = [
        (autograd._force_original_view_tracking, autograd.is_view_replay_enabled),
        (autograd.set_multithreading_enabled, autograd.is_multithreading_enabled),
        (torch.set_grad_enabled, torch.is_grad_enabled),
    ]
    for switch, asked in pairs:
        before = asked()
        for mode in (True, False):
            decorated = switch(mode)(asked)
            seen += [asked(), decorated(), asked()]
        switch(before)
    return seen


def versions_kept_of_a_cut_tensor(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * y
    y.detach_()
    with torch.autograd._unsafe_preserve_version_counter(y):
        y.add_(1)
    print(y._version, attempt(lambda: z.sum().backward())[:60])


def modes_left_behind_in_a_backward(torch: Any) -> Any:
    """What a custom backward or a hook of a leaf switches holds to the end of its node."""
    seen = []

    def switch(tensor: Any) -> None:
        seen.append((torch.is_grad_enabled(), tensor.requires_grad))
        torch.set_grad_enabled(not torch.is_grad_enabled())

    class Switches(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            switch(grad)
            return grad * 2

    for create_graph in (False, True):
        x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
        w.register_hook(switch)
        w.register_post_accumulate_grad_hook(switch)
        y = Switches.apply(Switches.apply(Switches.apply(x)) * w)
        torch.autograd.backward(y.sum(), inputs=[x, w], create_graph=create_graph)
        seen.append((torch.is_grad_enabled(), x.grad.requires_grad, w.grad.requires_grad))
        x.grad = w.grad = None
    return seen


def arrays_of_what_requires_a_gradient(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    asked = [x.numpy, y.__array__, lambda: np.linalg.norm(y), lambda: np.asarray(x)]
    seen = [attempt(lambda f=one: np.asarray(f()).tolist()) for one in asked]
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            seen += [np.asarray(one()).tolist() for one in asked]
            x.numpy()[0] += 1
    return [*seen, x.tolist(), x._version]
