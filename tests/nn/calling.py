"""Calling a module, and the hooks around its call."""

import warnings
from typing import Any

from tests.observe import attempt, rounded


def _told(name: str, returned: Any = None) -> Any:
    def hook(*args: Any) -> Any:
        print(name, [type(arg).__name__ for arg in args])
        return returned

    return hook


def order(torch: Any) -> Any:
    layer = torch.nn.Linear(2, 2)
    layer.register_forward_pre_hook(_told("before"))
    layer.register_forward_hook(_told("after 1"))
    layer.register_forward_hook(_told("after 0"), prepend=True)
    layer.register_forward_hook(_told("always"), with_kwargs=True, always_call=True)
    layer.register_forward_pre_hook(_told("before, kwargs"), with_kwargs=True)
    layer.register_forward_pre_hook(_told("first"), prepend=True)
    layer(torch.ones(1, 2))
    layer(input=torch.ones(1, 2))
    print(attempt(lambda: layer(torch.ones(1, 5))))


def changing(torch: Any) -> Any:
    module, ones = torch.nn.Identity(), torch.ones(2)
    handle = module.register_forward_pre_hook(lambda m, args: 2 * args[0])
    seen = [rounded(module(ones))]
    handle.remove()
    handle.remove()
    handle = module.register_forward_pre_hook(
        lambda m, args, kwargs: ((args[0] * 3,), kwargs), with_kwargs=True
    )
    seen.append(rounded(module(ones)))
    handle.remove()
    with module.register_forward_hook(lambda m, args, out: out + 1) as inside:
        seen += [rounded(module(ones)), type(inside).__name__]
    module.register_forward_pre_hook(_told("wrong", 3), with_kwargs=True)
    return [*seen, len(module._forward_hooks), attempt(lambda: module(ones))]


def always_called(torch: Any) -> Any:
    layer = torch.nn.Linear(2, 2)
    layer.register_forward_hook(lambda m, args, out: 1 // 0, always_call=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        first = attempt(lambda: layer(torch.ones(1, 5)))
    told = [[w.category.__name__, str(w.message)] for w in caught]
    return [first, told, attempt(lambda: layer(torch.ones(1, 2)))]


def _show_grads(name: str) -> Any:
    def hook(module: Any, *grads: Any) -> None:
        shown = [[None if g is None else rounded(g) for g in several] for several in grads]
        print(name, type(module).__name__, shown)

    return hook


def backward(torch: Any) -> Any:
    layer = torch.nn.Linear(2, 2)
    layer.register_full_backward_hook(_show_grads("after"))
    layer.register_full_backward_pre_hook(_show_grads("before"))
    y = layer(torch.ones(1, 2))
    names = [type(y.grad_fn).__name__, type(y.grad_fn.next_functions[0][0]).__name__]
    y.sum().backward()
    x = torch.ones(1, 2, requires_grad=True)
    layer(x).sum().backward()
    return [names, rounded(x.grad), rounded(layer.bias.grad)]


def backward_of_several(torch: Any) -> Any:
    class Several(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, a: Any, b: Any, c: Any = None) -> Any:
            return a * 2, b * 3, (a * 2).detach()

    module = Several()

    def ten_times(m: Any, grad_input: Any, grad_output: Any) -> Any:
        _show_grads("after")(m, grad_input, grad_output)
        return tuple(None if g is None else g * 10 for g in grad_input)

    module.register_full_backward_hook(ten_times)
    a, b = (torch.ones(2, requires_grad=True) for _ in "ab")
    out = module(a, b)
    (out[0].sum() + out[1].sum()).backward()
    seen = [rounded(a.grad), rounded(b.grad), [o.requires_grad for o in out]]
    a.grad = b.grad = None
    module(a, 7, c=b)[0].sum().backward()
    module(a, torch.ones(2))[0].sum().backward()
    return [*seen, rounded(a.grad), b.grad is None]


def backward_misuse(torch: Any) -> Any:
    nn, x = torch.nn, torch.ones(1, 2, requires_grad=True)

    def run(register: str, hook: Any) -> str:
        layer = nn.Linear(2, 2)
        getattr(layer, register)(hook)
        return attempt(lambda: layer(x).sum().backward())

    layer = nn.Linear(2, 2)
    layer.register_full_backward_hook(_show_grads("full"))
    old = nn.Linear(2, 2)
    old.register_backward_hook(_show_grads("old"))
    return [
        run("register_full_backward_hook", lambda m, gi, go: (1, 2, 3)),
        run("register_full_backward_pre_hook", lambda m, go: (1, 2, 3)),
        attempt(lambda: layer.register_backward_hook(_told("no"))),
        attempt(lambda: old.register_full_backward_hook(_told("no"))),
    ]


def backward_of_other_outputs(torch: Any) -> Any:
    class Other(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, x: Any, kind: type) -> Any:
            return {"a": x * 2} if kind is dict else [x * 2, x * 3]

    module, x = Other(), torch.ones(1, requires_grad=True)
    module.register_full_backward_hook(_show_grads("never"))
    module(x, dict)["a"].sum().backward()
    module(x, list)[1].sum().backward()
    with torch.no_grad():
        module(x, list)
    return rounded(x.grad)


def backward_without_graph(torch: Any) -> Any:
    frozen = torch.nn.Linear(2, 2).requires_grad_(False)
    frozen.register_full_backward_hook(_show_grads("after"))
    frozen(torch.ones(1, 2))
    x = torch.ones(1, 2, requires_grad=True)
    with torch.no_grad():
        frozen(x)
    y = frozen(x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    torch.autograd.grad(frozen(x).sum(), x, create_graph=True)


def old_backward_hook(torch: Any) -> Any:
    module, x = torch.nn.ReLU(), torch.ones(2, requires_grad=True)
    module.register_backward_hook(_show_grads("old"))
    module(x).sum().backward()
    return rounded(x.grad)
