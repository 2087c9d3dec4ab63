"""no_grad, enable_grad and set_grad_enabled, as managers, decorators and per thread."""

import threading
from typing import Any

from tests.observe import attempt


def blocks(torch: Any) -> Any:
    x = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        y = x * 2
        print(y.requires_grad, y.is_leaf, y.grad_fn)
        print(torch.zeros(1, requires_grad=True).requires_grad)
        with torch.enable_grad():
            print((x * 2).requires_grad)
        y.requires_grad_()
        print(y.requires_grad)
    return torch.is_grad_enabled()


def decorators(torch: Any) -> Any:
    @torch.no_grad()
    def called() -> bool:
        return bool(torch.is_grad_enabled())

    @torch.no_grad
    def bare() -> bool:
        return bool(torch.is_grad_enabled())

    @torch.set_grad_enabled(False)
    def set_off() -> bool:
        return bool(torch.is_grad_enabled())

    return [called(), bare(), set_off(), torch.is_grad_enabled()]


def generators(torch: Any) -> Any:
    @torch.no_grad()
    def steps() -> Any:
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    iterator = steps()
    return [next(iterator), torch.is_grad_enabled(), next(iterator)]


def function_form(torch: Any) -> Any:
    torch.set_grad_enabled(False)
    off = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        inside = torch.is_grad_enabled()
    return [off, inside, torch.is_grad_enabled()]


def errors_leave_the_block(torch: Any) -> Any:
    def fails() -> None:
        with torch.no_grad():
            raise ValueError("inside")

    return [attempt(fails), torch.is_grad_enabled()]


def backward_in_a_block(torch: Any) -> Any:
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    with torch.no_grad():
        y.backward()
    print(x.grad)


def each_thread_has_its_own(torch: Any) -> Any:
    seen: list[bool] = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    return seen


def threads_accumulate(torch: Any) -> Any:
    x = torch.ones(1, requires_grad=True)
    z = x * x
    threads = [threading.Thread(target=lambda: z.backward(retain_graph=True)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(x.grad)
