"""Default numbers of all modules after a seed, and `nn.init`."""

from typing import Any

from tests.observe import attempt, rounded


def defaults(torch: Any) -> Any:
    nn = torch.nn
    made = [nn.Linear(3, 2), nn.Linear(40, 3, bias=False), nn.Bilinear(2, 3, 2), nn.PReLU(2),
            nn.Embedding(4, 5), nn.Embedding(4, 2, padding_idx=1),
            nn.Linear(2, 2, dtype=torch.float64)]  # fmt: skip
    return [rounded(p) for module in made for p in module.parameters()]


def drawn(torch: Any) -> Any:
    init, empty = torch.nn.init, torch.empty
    several = [init.uniform_(empty(3), 1, 2), init.normal_(empty(20), 1.0, 2.0),
               init.xavier_uniform_(empty(3, 4), 2.0), init.xavier_normal_(empty(3, 4, 2)),
               init.kaiming_uniform_(empty(3, 4), 0.1, "fan_out"),
               init.kaiming_normal_(empty(3, 4), nonlinearity="relu"),
               init.trunc_normal_(empty(5)), init.trunc_normal_(empty(30), 0.5, 0.1, 0.4, 0.7),
               init.trunc_normal_(empty(3), mean=10.0),
               init.trunc_normal_(empty(9), a=1.0)]  # fmt: skip
    generator = torch.Generator().manual_seed(3)
    several.append(init.uniform_(empty(3), generator=generator))
    return [rounded(tensor, 5) for tensor in several]


def constants(torch: Any) -> Any:
    init, weight = torch.nn.init, torch.nn.Parameter(torch.empty(2, 3))
    seen = [rounded(init.constant_(weight, 3)), rounded(init.eye_(weight)),
            rounded(init.ones_(weight)), rounded(init.zeros_(weight))]  # fmt: skip
    return [*seen, weight.grad_fn is None, weight.requires_grad]


def gains(torch: Any) -> Any:
    gain = torch.nn.init.calculate_gain
    names = ["relu", "tanh", "selu", "linear", "sigmoid", "conv2d", "leaky_relu"]
    return [*(gain(name) for name in names), gain("leaky_relu", 0.2),
            attempt(lambda: gain("foo")), attempt(lambda: gain("leaky_relu", "a")),
            attempt(lambda: gain("leaky_relu", True))]  # fmt: skip


def refused(torch: Any) -> Any:
    init, line, square = torch.nn.init, torch.empty(3), torch.empty(3, 3)
    return [attempt(f) for f in (
        lambda: init.xavier_uniform_(line), lambda: init.kaiming_uniform_(line),
        lambda: init.kaiming_uniform_(square, mode="foo"), lambda: init.eye_(line),
        lambda: init.kaiming_uniform_(torch.empty(0, 3)),
        lambda: init.kaiming_normal_(square, nonlinearity="foo"))]  # fmt: skip


def rarer_ones(torch: Any) -> Any:
    init, generator = torch.nn.init, torch.Generator().manual_seed(3)
    filled = [init.dirac_(torch.empty(4, 2, 3)), init.dirac_(torch.empty(4, 2, 2, 3, 2), 2),
              init.orthogonal_(torch.empty(3, 2, 2), 2), init.orthogonal_(torch.empty(5, 2)),
              init.orthogonal_(torch.empty(2, 5), generator=generator),
              init.sparse_(torch.empty(5, 3), 0.3), init.sparse_(torch.empty(5, 3), 1.5),
              init.sparse_(torch.empty(5, 3).double(), -0.5, generator=generator)]  # fmt: skip
    refused = [
        lambda: init.dirac_(torch.empty(4, 2)),
        lambda: init.dirac_(torch.empty(4, 2, 3), 3),
        lambda: init.orthogonal_(torch.empty(3)),
        lambda: init.sparse_(torch.empty(3), 0.1),
    ]
    return [[rounded(each, 4) for each in filled], [attempt(refusal) for refusal in refused]]


def old_names(torch: Any) -> Any:
    """Without the underscore they warn."""
    init = torch.nn.init
    names = ["uniform", "normal", "eye", "xavier_uniform", "xavier_normal", "kaiming_uniform",
             "kaiming_normal", "orthogonal"]  # fmt: skip
    filled = [getattr(init, name)(torch.empty(2, 3)) for name in names]
    filled += [init.constant(torch.empty(2), 3.0), init.dirac(torch.empty(1, 1, 3)),
               init.sparse(torch.empty(2, 2), 0.5)]  # fmt: skip
    return [[rounded(each, 4) for each in filled], init.uniform.__name__]
