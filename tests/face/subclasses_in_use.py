"""Classes derived from Tensor where programs use tensors: Functions, modules, backward, views."""

from typing import Any

from tests.face.subclasses import _derived, _kind


def in_functions(torch: Any) -> list[Any]:
    seen = []

    class Square(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            seen.append(_kind(x))
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            seen.append([_kind(x), _kind(grad)])
            return 2 * x * grad

    x = torch.ones(2).as_subclass(_derived(torch)).requires_grad_()
    y = Square.apply(x)
    y.sum().backward()
    return [seen, _kind(y), y.requires_grad, _kind(x.grad), x.grad.tolist()]


def in_modules(torch: Any) -> list[Any]:
    T = _derived(torch)
    layer = torch.nn.Linear(2, 1)
    x = torch.ones(1, 2).as_subclass(T)
    found: list[Any] = [
        _kind(layer(x)),
        _kind(torch.nn.ReLU()(x)),
        _kind(torch.nn.functional.mse_loss(layer(x), torch.zeros(1, 1))),
    ]
    layer.weight = torch.nn.Parameter(torch.ones(1, 2).as_subclass(T))
    found += [_kind(layer(torch.ones(1, 2))), [_kind(p) for p in layer.parameters()]]
    optimiser = torch.optim.SGD(layer.parameters(), lr=0.1, momentum=0.9)
    layer(torch.ones(1, 2)).sum().backward()
    found.append(_kind(layer.weight.grad))
    optimiser.step()
    momentum = optimiser.state[layer.weight]["momentum_buffer"]
    found += [_kind(layer.weight), layer.weight.tolist(), _kind(momentum)]
    optimiser.zero_grad()
    found += [layer.weight.grad is None, _kind(layer.state_dict()["weight"])]
    layer.load_state_dict({"weight": torch.zeros(1, 2), "bias": torch.zeros(1)})
    found += [_kind(layer.weight), layer.weight.tolist()]
    layer.double()
    found += [_kind(layer.weight), str(layer.weight.dtype), layer.weight.requires_grad]
    layer.register_buffer("kept", torch.ones(1).as_subclass(T))
    return [*found, _kind(layer.kept), _kind(layer.state_dict()["kept"])]


def in_backward(torch: Any) -> list[Any]:
    T = _derived(torch)
    seen: list[Any] = []
    x = torch.ones(2).as_subclass(T).requires_grad_()
    x.register_hook(lambda grad: seen.append(_kind(grad)))
    y = x * 2
    y.register_hook(lambda grad: grad.as_subclass(T))
    torch.autograd.backward(y.sum())
    found: list[Any] = [_kind(x.grad)]
    x.grad = None
    torch.autograd.backward([(x * 3).sum()], [torch.tensor(1.0).as_subclass(T)])
    found.append(_kind(x.grad))

    def pack(tensor: Any) -> Any:
        seen.append(_kind(tensor))
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        z = (x * x).sum()
    z.backward()
    found.append(_kind(torch.autograd.grad((x**3).sum(), x, create_graph=True)))
    with torch.no_grad():
        quiet = x * 1
    x.grad = torch.zeros(2).as_subclass(T)
    (x * 1).sum().backward()
    return [*found, seen, _kind(quiet), quiet.requires_grad, _kind(x.grad), x.grad.tolist()]


def as_views(torch: Any) -> list[Any]:
    T = _derived(torch)
    base = torch.zeros(2, 2).as_subclass(T)
    view = base[0]
    view.add_(1)
    leaf = torch.ones(2, 2, requires_grad=True)
    made = (leaf * 1).as_subclass(T)
    row = made[0]
    row.mul_(3)
    made.sum().backward()
    e = torch.ones(3).as_subclass(T)
    e[1] = 5
    e[e > 4] = 7
    found = [
        _kind(view),
        view._is_view(),
        base.tolist(),
        leaf.grad.tolist(),
        made.grad_fn.name(),
        row.grad_fn.name(),
        e.tolist(),
        e._version,
        e.detach().data_ptr() == e.data_ptr(),
    ]
    e.data = torch.zeros(3)
    double = torch.ones(2).as_subclass(T).double().requires_grad_()
    (double.float() * 2).sum().backward()
    half = torch.ones(2, dtype=torch.float16).as_subclass(T)
    return [
        *found,
        _kind(e),
        e.tolist(),
        _kind(double.grad),
        str(double.grad.dtype),
        _kind(half + half),
        (half + half).tolist(),
    ]


def in_expressions(torch: Any) -> list[Any]:
    T = _derived(torch)
    a = torch.ones(2).as_subclass(T)
    values, places = a.sort()
    return [
        _kind(sum([a, a])),
        _kind(max(a)),
        bool(a[0]),
        float(a[0]),
        int(a.sum()),
        len(a),
        [_kind(one) for one in a],
        1.0 in a,
        _kind(torch.as_tensor(a)),
        _kind(values),
        _kind(places),
        _kind(a.numpy()),
        _kind(torch.stack([a, a])),
    ]
