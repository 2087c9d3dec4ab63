"""`nn.utils`: clipping gradients, parameters as one vector."""

from typing import Any

from tests.observe import attempt, rounded


def _with_grads(torch: Any, *grads: list[float]) -> list[Any]:
    several = []
    for grad in grads:
        parameter = torch.nn.Parameter(torch.zeros(len(grad)).double())
        parameter.grad = torch.tensor(grad).double()
        several.append(parameter)
    return several


def clipping_norms(torch: Any) -> Any:
    clip = torch.nn.utils.clip_grad_norm_
    seen = []
    for kind in (2.0, 1, float("inf"), "inf", 3.0):
        several = _with_grads(torch, [3.0, 4.0], [12.0])
        seen.append([rounded(clip(several, 1.0, norm_type=kind)),
                     [rounded(p.grad) for p in several]])  # fmt: skip
    (single,) = _with_grads(torch, [0.3, 0.4])
    bare = torch.nn.Parameter(torch.zeros(2))
    wrong = _with_grads(torch, [float("nan")])
    return [*seen, rounded(clip(single, 1.0)), rounded(single.grad), rounded(clip([], 1.0)),
            rounded(clip([bare], 1.0)),
            rounded(clip((p for p in _with_grads(torch, [3.0, 4.0])), 1.0)),
            attempt(lambda: clip(wrong, 1.0, error_if_nonfinite=True))]  # fmt: skip


def clipping_values(torch: Any) -> Any:
    several = _with_grads(torch, [3.0, -4.0], [0.5])
    torch.nn.utils.clip_grad_value_(several, 2)
    return [rounded(p.grad) for p in several]


def vectors(torch: Any) -> Any:
    utils, layer = torch.nn.utils, torch.nn.Linear(2, 1)
    vector = utils.parameters_to_vector(layer.parameters())
    seen = [rounded(vector), vector.requires_grad]
    new = torch.arange(3.0)
    utils.vector_to_parameters(new, layer.parameters())
    new[0] = 9.0
    return [*seen, rounded(layer.weight), rounded(layer.bias), layer.weight.requires_grad,
            attempt(lambda: utils.vector_to_parameters([1.0], layer.parameters())),
            attempt(lambda: utils.vector_to_parameters(torch.arange(2.0), layer.parameters())),
            attempt(lambda: utils.parameters_to_vector([]))]  # fmt: skip


def clipping_in_halves(torch: Any) -> Any:
    utils = torch.nn.utils
    (single,) = _with_grads(torch, [3.0, 4.0])
    utils.clip_grads_with_norm_([single], 1.0, torch.tensor(10.0))
    return [
        rounded(single.grad),
        rounded(utils.clip_grad_norm([single], 9.0)),
        rounded(utils.clip_grad_norm_(iter([]), 1.0)),
        rounded(utils.clip_grad_norm_((p for p in []), 1.0)),
        rounded(utils.get_total_norm([torch.ones(3), torch.ones(2).double()], foreach=True)),
    ]


def fusing(torch: Any) -> Any:
    nn, utils = torch.nn, torch.nn.utils
    norm, flat = nn.BatchNorm2d(4), nn.BatchNorm1d(4)
    for each in (norm, flat):
        nn.init.uniform_(each.running_mean)
        nn.init.uniform_(each.running_var)
    layers = [nn.Conv2d(3, 4, 3), nn.ConvTranspose2d(3, 4, 3, bias=False), nn.Linear(3, 4)]
    refused = [
        attempt(lambda: utils.fuse_conv_bn_eval(layers[0], norm)),
        attempt(lambda: utils.fuse_linear_bn_eval(layers[2].eval(), nn.BatchNorm1d(3).eval())),
    ]
    for each in (norm, flat, *layers):
        each.eval()
    fused = [utils.fuse_conv_bn_eval(layers[0], norm),
             utils.fuse_conv_bn_eval(layers[1], norm, transpose=True),
             utils.fuse_linear_bn_eval(layers[2], flat)]  # fmt: skip
    return [refused, [[repr(f), rounded(f.weight, 4), rounded(f.bias, 4)] for f in fused]]


def without_initial_numbers(torch: Any) -> Any:
    skip = torch.nn.utils.skip_init
    made = skip(torch.nn.Linear, 2, 3, dtype=torch.float64)
    return [repr(made), str(made.weight.dtype), rounded(torch.rand(1)),
            attempt(lambda: skip(torch.nn.ReLU))]  # fmt: skip
