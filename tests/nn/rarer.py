"""Modules that are rare: lazy ones, synchronised norms, clusters of classes, old names."""

import copy
import pickle
from typing import Any

from tests.observe import attempt, rounded


def lazy(torch: Any) -> Any:
    """What they are before and after their first input."""
    nn, seen = torch.nn, []
    for name, args, size in (
        ("Linear", (3,), (2, 4)), ("Linear", (3, False), (4,)),
        *((f"{kind}{d}d", (4, 2), (1, 2, 5, 4, 3)[: d + 2])
          for kind in ("Conv", "ConvTranspose") for d in (1, 2, 3)),
        *((f"{kind}Norm{d}d", (), (2, 3, 2, 3, 1)[: d + 2])
          for kind in ("Batch", "Instance") for d in (1, 2, 3)),
    ):  # fmt: skip
        module = getattr(nn, f"Lazy{name}")(*args)
        before = [
            repr(module),
            repr(module.state_dict()),
            module.cls_to_become.__name__,
            module.has_uninitialized_params(),
            attempt(lambda m=module: m(torch.ones(()))),
        ]
        x = torch.randn(*size, dtype=torch.float64)
        out = module.double()(x)
        seen.append([before, repr(module), rounded(out, 5), type(module).__name__,
                     [rounded(p, 5) for p in module.parameters()],
                     [(p.shape, str(p.dtype)) for p in module.state_dict().values()]])  # fmt: skip
    return seen


def lazy_states(torch: Any) -> Any:
    nn = torch.nn
    layer, other = nn.LazyLinear(3), nn.LazyLinear(3)
    told = [repr(other.load_state_dict(layer.state_dict())), repr(other.weight)]
    layer.load_state_dict(nn.Linear(5, 3).state_dict())
    told += [repr(layer), layer.weight.shape, attempt(lambda: layer(torch.ones(2, 4)).shape),
             layer(torch.ones(2, 5)).shape, repr(layer)]  # fmt: skip
    copied = copy.deepcopy(other)
    return [
        told, copied(torch.ones(1, 4)).shape, repr(other), repr(pickle.loads(pickle.dumps(other))),
        attempt(lambda: nn.Linear(2, 3).load_state_dict(other.state_dict())),
        attempt(lambda: nn.LazyLinear(3).load_state_dict({})), attempt(lambda: other()),
        attempt(lambda: other.weight.shape), attempt(other.share_memory),
        attempt(lambda: nn.LazyConv1d(3, 2, groups=2)(torch.ones(1, 3, 5))),
        other.half().weight.dtype.itemsize, sorted(vars(copied)),
        len(torch.optim.SGD(other.parameters(), 0.1).param_groups[0]["params"]),
    ]  # fmt: skip


def lazy_of_their_own(torch: Any) -> Any:
    nn = torch.nn
    uninitialized = nn.parameter.UninitializedParameter

    class Table(nn.modules.lazy.LazyModuleMixin, nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.rows = uninitialized()

        def forward(self, x: Any, k: Any = None) -> Any:
            return x @ self.rows

    class Learnt(Table):
        def initialize_parameters(self, x: Any, k: Any = None) -> None:
            if self.has_uninitialized_params():
                self.rows.materialize((x.shape[1], k))
                torch.nn.init.ones_(self.rows)

    class Forgetful(Table):
        def initialize_parameters(self, x: Any) -> None:
            pass

    made, buffer = Learnt(), nn.parameter.UninitializedBuffer(dtype=torch.float64)
    x = torch.ones(1, 3)
    seen = [rounded(made(x, k=2)), type(made).__name__, repr(made.rows), rounded(made(x)),
            attempt(lambda: Table()(x)), attempt(lambda: Forgetful()(x)),
            [nn.parameter.is_lazy(v) for v in (uninitialized(), buffer, made.rows, 3)],
            isinstance(buffer, nn.Buffer), isinstance(uninitialized(), nn.Parameter)]  # fmt: skip
    buffer.materialize((2,))
    return [*seen, type(buffer).__name__, buffer.shape, str(buffer.dtype), buffer.requires_grad,
            uninitialized(requires_grad=False).requires_grad]  # fmt: skip


def clusters(torch: Any) -> Any:
    nn = torch.nn
    layer = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 10, 15], 2.0, head_bias=True)
    x, y = torch.randn(4, 8, requires_grad=True), torch.tensor([1, 7, 12, 19])
    output, loss = layer(x, y)
    loss.backward()
    seen = [repr(layer), rounded(output, 4), rounded(loss, 4), rounded(x.grad, 4),
            [rounded(p.grad, 4) for p in layer.parameters()], rounded(layer.log_prob(x), 4),
            rounded(layer.predict(3 * x)), type(output.grad_fn).__name__,
            rounded(layer(x[0], y[0]).output, 4)]  # fmt: skip
    cuts = ([], [10, 5], [5, 20], [0, 5], [5.5], [5, 5])
    targets = (y[:2], y[0], y[:, None], y + 1, y - 5)
    return [seen, *(attempt(lambda c=c: nn.AdaptiveLogSoftmaxWithLoss(8, 20, c)) for c in cuts),
            *(attempt(lambda t=t: layer(x, t)) for t in targets),
            attempt(lambda: layer(x[..., None], y)), attempt(lambda: layer(x[0], y))]  # fmt: skip


def synchronised(torch: Any) -> Any:
    nn = torch.nn
    norm = nn.SyncBatchNorm(3)
    model = nn.Sequential(
        nn.BatchNorm1d(3),
        nn.Sequential(nn.BatchNorm2d(3, affine=False), nn.InstanceNorm1d(2)),
        nn.BatchNorm3d(3, track_running_stats=False),
    )
    weight = model.eval()[0].weight
    changed = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    return [repr(norm), list(norm.state_dict()), rounded(norm(torch.randn(2, 3, 2)), 4),
            attempt(lambda: norm(torch.ones(2))), repr(changed), changed is model,
            changed[0].weight is weight, changed[0].training]  # fmt: skip


def old_names(torch: Any) -> Any:
    nn = torch.nn
    across = nn.CrossMapLRN2d(3, alpha=0.1, beta=0.7, k=2)
    parallel = nn.DataParallel(nn.Linear(2, 3), device_ids=[0])
    return [
        repr(nn.Container(a=nn.ReLU())), repr(nn.NLLLoss2d(reduction="sum")), repr(across),
        rounded(across(torch.randn(1, 6, 2, 1)), 4), attempt(lambda: across(torch.ones(1, 2, 3))),
        repr(parallel), list(parallel.state_dict()), parallel(torch.ones(1, 2)).shape,
        parallel.device_ids, repr(nn.Hardtanh(min_value=-2.0, max_value=2.0)),
        repr(nn.EmbeddingBag.from_pretrained(torch.ones(3, 2), mode="sum")),
        rounded(nn.MultiLabelMarginLoss()(torch.zeros(2, 3),
                                          torch.tensor([[0, -1, 1], [1, 2, -1]]))),
    ]  # fmt: skip


def import_paths(torch: Any) -> Any:
    """Names that programs take from the modules below `torch.nn`."""
    modules, nn = torch.nn.modules, torch.nn
    pair, triple = modules.utils._pair, modules.utils._triple
    state = {"module.a": 1, "b": 2}
    modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")

    class Own(modules.conv._ConvNd):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            zero, one = pair(0), pair(1)
            super().__init__(2, 4, pair(3), one, zero, one, False, zero, 1, True, "zeros")

    base = [("pooling", "_MaxPoolNd", nn.MaxPool2d), ("pooling", "_AvgPoolNd", nn.AvgPool1d),
            ("dropout", "_DropoutNd", nn.Dropout), ("padding", "_ConstantPadNd", nn.ZeroPad2d),
            ("conv", "_ConvTransposeNd", nn.ConvTranspose1d),
            ("batchnorm", "_BatchNorm", nn.BatchNorm1d),
            ("instancenorm", "_InstanceNorm", nn.InstanceNorm1d), ("loss", "_Loss", nn.MSELoss),
            ("loss", "_WeightedLoss", nn.NLLLoss), ("batchnorm", "_NormBase", nn.InstanceNorm3d),
            ("linear", "Linear", modules.linear.NonDynamicallyQuantizableLinear)]  # fmt: skip
    paths = [
        ("activation", "MultiheadAttention"),
        ("container", "ParameterList"),
        ("fold", "Fold"),
        ("upsampling", "Upsample"),
        ("pixelshuffle", "PixelShuffle"),
        ("loss", "HuberLoss"),
        ("channelshuffle", "ChannelShuffle"),
        ("adaptive", "AdaptiveLogSoftmaxWithLoss"),
    ]
    return [pair(3), pair([1, 2]), triple("ab"),
            modules.utils._list_with_default([None, 3], [7, 8, 9]),
            modules.utils._reverse_repeat_tuple((1, 2), 2), state, repr(Own()),
            [issubclass(cls, getattr(getattr(modules, place), name)) for place, name, cls in base],
            [getattr(getattr(modules, place), name) is getattr(nn, name) for place, name in paths],
            attempt(lambda: nn.Module(3)), attempt(lambda: nn.Module(a=3))]  # fmt: skip


def gradients_of_convolutions(torch: Any) -> Any:
    seen = []
    for d in (1, 2, 3):
        x, w = torch.randn(2, 4, *[6] * d), torch.randn(6, 2, *[3] * d)
        options = {"stride": 2, "padding": 1, "groups": 2}
        y = getattr(torch.nn.functional, f"conv{d}d")(x, w, **options)
        back = torch.nn.grad
        seen += [
            rounded(getattr(back, f"conv{d}d_input")(x.shape, w, y, **options).sum(), 2),
            rounded(getattr(back, f"conv{d}d_weight")(x, w.shape, y, **options).sum(), 2),
        ]
    return seen


def hooks_on_states(torch: Any) -> Any:
    """Those that are not documented, and that many programs use."""
    model, seen = torch.nn.Sequential(torch.nn.Linear(1, 1)), []
    handle = model._register_state_dict_hook(lambda m, state, prefix, meta: {"only": 1})
    seen.append(model.state_dict())
    handle.remove()
    model._register_load_state_dict_pre_hook(lambda *args: seen.append(len(args)))
    model._register_load_state_dict_pre_hook(lambda m, *rest: seen.append(len(rest)), True)
    model.load_state_dict(model.state_dict())
    model.register_state_dict_post_hook(lambda m, state, prefix, meta: {"only": 1})
    return [
        *seen,
        attempt(model.state_dict),
        attempt(lambda: model.to_empty(device="cpu") is model),
        model.share_memory() is model,
        attempt(lambda: model.cuda()),
        len(list(model.modules(remove_duplicate=False))),
    ]
