"""Weights that are kept orthogonal: values, gradients, what is trained, what is refused."""

from typing import Any

from tests.observe import attempt, rounded

WAYS = [(way, base) for way in ("householder", "matrix_exp", "cayley") for base in (True, False)]


def _plain(torch: Any, value: Any) -> Any:
    """Rounded, a complex tensor as pairs; the sign of a zero is no matter."""
    if value.is_complex():
        value = torch.view_as_real(value)
    return [str(value.dtype), list(value.shape), rounded(value + 0.0)]


def _orthogonal(torch: Any, *args: Any, **options: Any) -> Any:
    return torch.nn.utils.parametrizations.orthogonal(*args, **options)


def _seen(torch: Any, module: Any) -> Any:
    weight = module.weight
    scale = torch.arange(weight.numel(), dtype=torch.float64).view(weight.shape)
    total = (weight * scale.to(weight.dtype)).sum()
    (total.real if weight.is_complex() else total).backward()
    original = module.parametrizations.weight.original
    return [
        repr(module), list(module.state_dict()), weight.grad_fn.name(),
        _plain(torch, weight), _plain(torch, original), _plain(torch, original.grad),
    ]  # fmt: skip


def of_every_shape(torch: Any) -> Any:
    seen: list[Any] = []
    for kind, shapes in (
        (torch.float64, [(3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 3)]),
        (torch.complex128, [(2, 2), (3, 2)]),
    ):
        for shape in shapes:
            for way, base in [(None, True), *WAYS]:
                if kind is torch.complex128 and way == "householder":
                    continue
                torch.manual_seed(0)
                module = torch.nn.Module()
                module.weight = torch.nn.Parameter(torch.randn(shape, dtype=kind))
                same = _orthogonal(torch, module, "weight", way, use_trivialization=base)
                seen += [same is module, _seen(torch, module), torch.rand(1).item()]
    return seen


def of_layers(torch: Any) -> Any:
    seen = []
    for make in (lambda: torch.nn.Linear(4, 3), lambda: torch.nn.Conv2d(2, 2, 3)):
        torch.manual_seed(0)
        seen.append(_seen(torch, _orthogonal(torch, make().double())))
    module = torch.nn.Module()
    module.register_buffer("table", torch.eye(2).flip(0))
    return [*seen, _orthogonal(torch, module, "table").table.tolist(), list(module.state_dict())]


def assigned_and_trained(torch: Any) -> Any:
    seen: list[Any] = []
    for sizes in ((4, 3), (2, 3), (3, 3)):
        for way, base in WAYS:
            torch.manual_seed(2)
            layer = torch.nn.Linear(*sizes).double()
            _orthogonal(torch, layer, "weight", way, use_trivialization=base)
            given = torch.nn.init.orthogonal_(torch.empty_like(layer.weight))
            for value in (torch.ones_like(given), given):
                seen.append(attempt(lambda m=layer, v=value: setattr(m, "weight", v)))
                seen.append(_plain(torch, layer.weight))
            step = torch.optim.SGD(layer.parameters(), 0.1)
            for _ in range(3):
                step.zero_grad()
                layer(torch.arange(sizes[0]).double()).square().sum().backward()
                step.step()
            seen.append(_plain(torch, layer.weight))
            torch.nn.utils.parametrize.remove_parametrizations(layer, "weight")
            seen += [list(layer.state_dict()), _plain(torch, layer.weight)]
    return seen


def refused(torch: Any) -> Any:
    complex_layer = torch.nn.Linear(3, 2, dtype=torch.complex64)
    layer = torch.nn.Linear(3, 2)
    seen = [
        attempt(lambda: _orthogonal(torch, layer, "bias")),
        attempt(lambda: _orthogonal(torch, layer, "no")),
        attempt(lambda: _orthogonal(torch, layer, "weight", "qr")),
        attempt(lambda: _orthogonal(torch, complex_layer, "weight", "householder")),
    ]
    _orthogonal(torch, layer)
    return [*seen, attempt(lambda: setattr(layer, "weight", torch.ones(3, 2)))]
