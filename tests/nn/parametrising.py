"""Parametrised weights, weight normalisation and spectral normalisation."""

import copy
import pickle
import warnings
from typing import Any

from tests.observe import attempt


def _kinds(torch: Any) -> dict[str, Any]:
    class Symmetric(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.triu() + x.triu(1).transpose(-1, -2)

        def right_inverse(self, x: Any) -> Any:
            return x.triu()

    class Twice(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x * 2

    class Product(torch.nn.Module):
        def forward(self, a: Any, b: Any) -> Any:
            return a @ b

        def right_inverse(self, x: Any) -> Any:
            return x, torch.eye(x.shape[1])

    class Odd(torch.nn.Module):
        def __init__(self, forward: Any, inverse: Any) -> None:
            super().__init__()
            self.forward, self.right_inverse = forward, inverse

    return {"Symmetric": Symmetric, "Twice": Twice, "Product": Product, "Odd": Odd}


def _state(module: Any) -> Any:
    shown = [repr(module), type(module).__name__, list(module.state_dict())]
    return [*shown, [name for name, _ in module.named_parameters()], module.weight.tolist()]


def one_two_and_none(torch: Any) -> Any:
    P, kinds = torch.nn.utils.parametrize, _kinds(torch)
    torch.manual_seed(0)
    layer = torch.nn.Linear(3, 3)
    before = layer.weight
    seen = [P.register_parametrization(layer, "weight", kinds["Symmetric"]()) is layer]
    seen += [_state(layer), layer.parametrizations.weight.original is before]
    layer(torch.ones(2, 3)).sum().backward()
    seen.append(layer.parametrizations.weight.original.grad.tolist())
    layer.weight = torch.ones(3, 3)
    seen.append(layer.parametrizations.weight.original.tolist())
    with P.cached():
        first = layer.weight
        with P.cached():
            seen.append(layer.weight is first)
        seen.append(layer.weight is first)
    seen += [layer.weight is layer.weight, P.type_before_parametrizations(layer).__name__]
    P.register_parametrization(layer, "weight", kinds["Twice"]())
    seen += [_state(layer), attempt(lambda: setattr(layer, "weight", torch.ones(3, 3)))]
    twin = copy.deepcopy(layer)
    seen += [_state(twin), attempt(lambda: pickle.dumps(layer))]
    seen.append([P.is_parametrized(layer, name) for name in (None, "weight", "bias")])
    P.remove_parametrizations(layer, "weight")
    return [*seen, _state(layer), layer.weight is before, P.is_parametrized(layer)]


def several_originals(torch: Any) -> Any:
    P, kinds = torch.nn.utils.parametrize, _kinds(torch)
    torch.manual_seed(0)
    layer, other = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    P.register_parametrization(layer, "weight", kinds["Product"]())
    P.transfer_parametrizations_and_params(layer, other)
    seen = [_state(layer), _state(other)]
    seen.append(
        attempt(lambda: P.remove_parametrizations(layer, "weight", leave_parametrized=False))
    )
    return [*seen, _state(P.remove_parametrizations(layer, "weight"))]


def refused(torch: Any) -> Any:
    P, kinds = torch.nn.utils.parametrize, _kinds(torch)
    odd = kinds["Odd"]
    whole = [
        odd(lambda x: x.double(), lambda x: x), odd(lambda x: x[:1], lambda x: x),
        odd(lambda x: 3, lambda x: x), odd(lambda x: x, lambda x: 3),
        odd(lambda x: x, lambda x: x.double()), odd(lambda x: x, lambda x: x[:1]),
    ]  # fmt: skip
    seen = []
    for number, one in enumerate(whole):
        layer, other = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
        P.register_parametrization(other, "weight", kinds["Twice"]())
        seen.append(attempt(lambda m=layer, p=one: P.register_parametrization(m, "weight", p)))
        if number not in (3, 4):
            seen.append(type(layer).__name__)
        seen.append(attempt(lambda m=other, p=one: P.register_parametrization(m, "weight", p)))
    layer = torch.nn.Linear(2, 2)
    seen.append(attempt(lambda: P.register_parametrization(layer, "no", kinds["Twice"]())))
    return [*seen, attempt(lambda: P.remove_parametrizations(layer, "weight"))]


def norms(torch: Any) -> Any:
    warnings.simplefilter("ignore", FutureWarning)
    utils, nn, seen = torch.nn.utils, torch.nn, []
    makers = [
        (lambda: nn.Linear(3, 2), (4, 3)), (lambda: nn.Conv2d(2, 3, 3), (1, 2, 5, 5)),
        (lambda: nn.ConvTranspose2d(2, 3, 3), (1, 2, 5, 5)),
    ]  # fmt: skip
    places = utils.parametrizations
    for norm in (utils.weight_norm, utils.spectral_norm, places.weight_norm, places.spectral_norm):
        for make, shape in makers:
            for options in ({}, {"dim": 1}, {"dim": None}):
                torch.manual_seed(1)
                module = norm(make().double(), **options)
                x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
                module(x).square().sum().backward()
                gradients = [round(float(p.grad.sum()), 8) for p in (x, *module.parameters())]
                module.eval()
                sums = [round(value.sum().item(), 8) for value in (module(x), module.weight)]
                seen.append([list(module.state_dict()), gradients, sums])
    return seen


def norms_put_away(torch: Any) -> Any:
    warnings.simplefilter("ignore", FutureWarning)
    utils, seen = torch.nn.utils, []
    for put, remove in (
        (utils.weight_norm, utils.remove_weight_norm),
        (utils.spectral_norm, utils.remove_spectral_norm),
    ):
        torch.manual_seed(0)
        layer = put(torch.nn.Linear(2, 2))
        seen.append(attempt(lambda m=layer, f=put: f(m)))
        seen += [_state(remove(layer)), attempt(lambda m=layer, f=remove: f(m))]
        seen.append(attempt(lambda f=put: f(torch.nn.Linear(2, 2), n_power_iterations=0)))
    places = utils.parametrizations
    linear = torch.nn.Linear(2, 2)
    seen.append(attempt(lambda: places.spectral_norm(linear, dim=3)))
    seen.append(attempt(lambda: places.spectral_norm(linear, "no")))
    new, old = places.weight_norm(torch.nn.Linear(2, 2)), utils.weight_norm(torch.nn.Linear(2, 2))
    return [*seen, str(new.load_state_dict(old.state_dict()))]
