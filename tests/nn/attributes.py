"""What a module owns, and the errors of assigning and registering."""

from typing import Any

from tests.observe import attempt


def _layer(torch: Any) -> Any:
    layer = torch.nn.Linear(2, 3)
    layer.register_buffer("mean", torch.zeros(2))
    layer.register_buffer("skipped", None, persistent=False)
    layer.add_module("act", torch.nn.ReLU())
    return layer


def fresh_dictionary(torch: Any) -> Any:
    own = torch.nn.Module().__dict__
    return {name: repr(value) for name, value in own.items()}


def assigning(torch: Any) -> Any:
    layer = _layer(torch)
    values = {
        "weight": [torch.zeros(3, 2), "text", 3],
        "mean": [3, torch.ones(2), None],
        "act": [3, None],
    }
    return [
        attempt(lambda n=name, v=value: setattr(layer, n, v))
        for name, several in values.items()
        for value in several
    ]


def registering_parameters(torch: Any) -> Any:
    layer, parameter = _layer(torch), torch.nn.Parameter(torch.zeros(2))
    computed = parameter * 2
    cases = [("weight", torch.zeros(3)), ("w", torch.zeros(3)), ("w.x", None), ("", None),
             (3, None), ("forward", None), ("w", computed), ("w", torch.nn.ReLU()),
             ("mean", parameter), ("ok", parameter), ("none", None)]  # fmt: skip
    return [attempt(lambda c=case: layer.register_parameter(*c)) for case in cases]


def registering_buffers(torch: Any) -> Any:
    layer, tensor = _layer(torch), torch.zeros(3)
    cases = [("weight", tensor), ("b", 3), ("b.c", tensor), ("", tensor), (3, tensor),
             ("forward", tensor), ("b", torch.nn.ReLU()), ("b", tensor)]  # fmt: skip
    return [attempt(lambda c=case: layer.register_buffer(*c)) for case in cases]


def registering_modules(torch: Any) -> Any:
    layer, relu = _layer(torch), torch.nn.ReLU()
    cases = [("weight", relu), ("a.b", relu), ("", relu), (3, relu), ("a", 3), ("a", None),
             ("b", relu)]  # fmt: skip
    shown = [attempt(lambda c=case: layer.add_module(*c)) for case in cases]
    layer.register_module("c", torch.nn.Tanh())
    return [*shown, list(dict(layer.named_children()))]


def before_init(torch: Any) -> Any:
    def made(body: Any) -> str:
        kind = type("Early", (torch.nn.Module,), {"__init__": body})
        return attempt(kind)

    parameter = torch.nn.Parameter(torch.zeros(2))
    return [
        made(lambda self: setattr(self, "a", parameter)),
        made(lambda self: setattr(self, "a", torch.nn.ReLU())),
        made(lambda self: self.register_buffer("c", torch.zeros(2))),
        made(lambda self: self.register_parameter("c", None)),
        made(lambda self: self.add_module("c", None)),
        made(lambda self: self.missing),
    ]


def missing_names(torch: Any) -> Any:
    layer = _layer(torch)
    return [
        attempt(lambda: layer.missing),
        attempt(lambda: delattr(layer, "missing")),
        attempt(lambda: torch.nn.Module()(3)),
        attempt(lambda: torch.nn.Module(3)),
        attempt(lambda: torch.nn.Module(key=3)),
    ]


def moving_between(torch: Any) -> Any:
    """A name means one thing: assigning moves it."""
    module = torch.nn.Module()
    module.x = 3
    module.x = torch.nn.Parameter(torch.zeros(1))
    where = [[*module._parameters, "x" in module.__dict__]]
    del module.x
    module.register_buffer("x", torch.zeros(1), persistent=False)
    module.x = torch.nn.ReLU()
    where.append([*module._modules, *module._buffers, *module._non_persistent_buffers_set])
    del module.x
    module.x = torch.nn.Buffer(torch.zeros(1))
    where.append([*module._modules, *module._buffers, *module.state_dict()])
    return [*where, hasattr(module, "y"), "x" in dir(module)]


def parameters_made(torch: Any) -> Any:
    nn, whole = torch.nn, torch.tensor([1])
    base = torch.zeros(2)
    parameter = nn.Parameter(base)
    base[0] = 3.0
    print(parameter, nn.Parameter(), nn.Parameter(whole, requires_grad=False), sep="\n")
    return [
        attempt(lambda: nn.Parameter(whole)),
        attempt(lambda: nn.Parameter([1.0])),
        attempt(lambda: nn.Parameter(3.0)),
        parameter._version, parameter.is_leaf, nn.Parameter(parameter * 2).is_leaf,
        type(parameter * 2).__name__, type(parameter.detach()).__name__,
        isinstance(torch.zeros(1), nn.Parameter), isinstance(nn.Buffer(base), nn.Buffer),
        isinstance(base, nn.Buffer), isinstance(nn.Buffer(base), torch.Tensor),
        nn.Buffer(base, persistent=False).persistent,
    ]  # fmt: skip


def parameters_freeze(torch: Any) -> Any:
    parameter = torch.nn.Parameter(torch.ones(2))
    seen = [parameter.requires_grad, (parameter * 2).requires_grad]
    parameter.requires_grad_(False)
    seen += [parameter.requires_grad, (parameter * 2).requires_grad]
    parameter.requires_grad = True
    half = torch.nn.Parameter(torch.ones(2, dtype=torch.float16))
    return [*seen, (parameter * 2).requires_grad, (half * 2).requires_grad,
            torch.nn.Parameter(torch.ones(1, dtype=torch.complex64)).requires_grad]  # fmt: skip


def parameters_copied(torch: Any) -> Any:
    import copy
    import pickle

    parameter = torch.nn.Parameter(torch.zeros(2))
    parameter.grad = torch.ones(2)
    deep, flat = copy.deepcopy(parameter), pickle.loads(pickle.dumps(parameter))
    deep.data.fill_(5.0)
    return [
        [type(p).__name__, p.requires_grad, p.grad is None, p.tolist()] for p in (deep, flat)
    ] + [parameter.tolist()]


class Odd:
    """Answers to no name that it does not know, and not by AttributeError."""

    def __getattr__(self, name: str) -> Any:
        raise ValueError(name)


def objects_that_answer_anything(torch: Any) -> Any:
    layer, odd = _layer(torch), Odd()
    layer.settings = odd
    return [isinstance(odd, torch.nn.Parameter), layer.settings is odd, len(layer.state_dict())]
