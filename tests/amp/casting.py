"""Which functions compute in which type under autocast, and with what result."""

import warnings
from collections.abc import Callable
from typing import Any

from tests.observe import attempt, edges, rounded

Case = tuple[str, Callable[..., Any], tuple[Any, ...]]


def _operands(torch: Any) -> dict[str, Any]:
    torch.manual_seed(0)
    sizes: dict[str, tuple[int, ...]] = {
        "A": (4, 4), "B": (4, 4), "v": (4,), "T": (2, 4, 4), "image": (1, 2, 6, 6),
        "sound": (1, 2, 6), "solid": (1, 2, 4, 4, 4), "w1": (3, 2, 3), "w2": (3, 2, 3, 3),
        "w3": (3, 2, 3, 3, 3), "u1": (2, 3, 3), "u2": (2, 3, 3, 3),
        "u3": (2, 3, 3, 3, 3)}  # fmt: skip
    made = {name: torch.rand(size) + 0.1 for name, size in sizes.items()}
    made["square"] = made["A"] @ made["A"].T + 4 * torch.eye(4)
    return made


def _cases(torch: Any) -> list[Case]:
    F, made = torch.nn.functional, _operands(torch)
    A, B, v, T, square = (made[name] for name in ("A", "B", "v", "T", "square"))
    image, sound, solid = made["image"], made["sound"], made["solid"]
    places, signs, twos = torch.tensor([0, 1, 2, 3]), torch.ones(4), {"output_size": 2}
    cases: list[Case] = [
        *[(name, getattr(torch, name), (A,)) for name in (
            "exp", "sum", "prod", "mean", "norm", "trace", "tanh", "rsqrt", "cov")],
        *[(name, getattr(torch, name), (A, B)) for name in (
            "add", "div", "pow", "matmul", "mm", "inner", "cdist", "dist", "maximum", "kron")],
        *[(name, getattr(F, name), (A, B)) for name in (
            "linear", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div",
            "cross_entropy", "binary_cross_entropy_with_logits", "poisson_nll_loss",
            "hinge_embedding_loss", "soft_margin_loss", "cosine_similarity")],
        *[(name, getattr(torch.linalg, name), (square,)) for name in (
            "inv", "det", "qr", "svd", "svdvals", "eigh", "eigvals", "cholesky")],
        *[(name, getattr(torch.fft, name), (A,)) for name in ("fft", "rfft2", "irfft")],
        ("at", lambda a, b: a @ b, (A, B)), ("mv", torch.mv, (A, v)), ("dot", torch.dot, (v, v)),
        ("matmul vectors", torch.matmul, (v, v)), ("matmul batch", torch.matmul, (T, A)),
        ("bmm", torch.bmm, (T, T)), ("baddbmm", torch.baddbmm, (T, T, T)),
        ("addmm", torch.addmm, (A, A, B)), ("addbmm", torch.addbmm, (A, T, T)),
        ("method", lambda a, b: a.mm(b), (A, B)), ("addmv", torch.addmv, (v, A, v)),
        ("einsum", lambda a, b: torch.einsum("ij,jk->ik", a, b), (A, B)),
        ("bias", F.linear, (A, B, v)), ("bilinear", F.bilinear, (A, A, T)),
        ("conv1d", F.conv1d, (sound, made["w1"])), ("conv2d", F.conv2d, (image, made["w2"])),
        ("conv3d", F.conv3d, (solid, made["w3"])),
        ("up1", F.conv_transpose1d, (sound, made["u1"])),
        ("up2", F.conv_transpose2d, (image, made["u2"])),
        ("up3", F.conv_transpose3d, (solid, made["u3"])),
        ("attention", F.scaled_dot_product_attention, (T, T, T)),
        ("softmax", lambda a: F.softmax(a, -1), (A,)),
        ("log_softmax", lambda a: F.log_softmax(a, -1), (A,)),
        ("layer_norm", lambda a: F.layer_norm(a, (4,)), (A,)),
        ("group_norm", lambda a: F.group_norm(a, 1), (image,)),
        ("prelu", F.prelu, (A - 0.5, v[:1])), ("gelu", F.gelu, (A,)),
        ("classes", lambda a: F.cross_entropy(a, places), (A,)),
        ("nll_loss", lambda a: F.nll_loss(a, places), (A,)),
        ("binary", lambda a, b: F.binary_cross_entropy(a, b), (A * 0.8, B * 0.8)),
        ("cosine loss", lambda a, b: F.cosine_embedding_loss(a, b, signs), (A, B)),
        ("multi_margin_loss", lambda a: F.multi_margin_loss(a, places), (A,)),
        ("triplet", F.triplet_margin_loss, (A, B, B + 1)),
        ("avg_pool2d", lambda a: F.avg_pool2d(a, 2), (image,)),
        ("avg_pool3d", lambda a: F.avg_pool3d(a, 2), (solid,)),
        ("max_pool3d", lambda a: F.max_pool3d(a, 2), (solid,)),
        ("adaptive", lambda a: F.adaptive_avg_pool3d(a, **twos), (solid,)),
        ("grid_sample", lambda a, g: F.grid_sample(a, g, align_corners=False),
         (image, image[:, :, :4, :2].reshape(1, 4, 2, 2))),
        ("reflect", lambda a: F.pad(a, (1, 1), mode="reflect"), (sound,)),
        ("replicate", lambda a: F.pad(a, (1, 1, 1, 1), mode="replicate"), (image,)),
        ("constant", lambda a: F.pad(a, (1, 1)), (sound,)),
        ("solve", torch.linalg.solve, (square, B)),
        ("quantile", lambda a: torch.quantile(a, 0.5), (A,)),
        ("cat", lambda a, b: torch.cat([a, b]), (A, B)),
        ("where", lambda a, b: torch.where(a > b, a, b), (A, B)),
    ]  # fmt: skip
    return cases


def _low(operands: tuple[Any, ...], kind: Any) -> list[Any]:
    return [each.to(kind) for each in operands]


def _kind(result: Any) -> Any:
    if isinstance(result, (tuple, list)):
        return [_kind(each) for each in result]
    return str(result.dtype).partition(".")[2]


def _cast_kind(torch: Any, function: Any, operands: Any, fast: Any) -> Any:
    """The type of a result; an error where PyTorch has one that does not name types it knows."""
    try:
        with warnings.catch_warnings(), torch.autocast("cpu", dtype=fast):
            warnings.simplefilter("ignore")
            return _kind(function(*operands))
    except (RuntimeError, NotImplementedError):
        return "refused"


def kinds(torch: Any) -> Any:
    """The types of results for operands of each type, and for mixed ones."""
    seen = {}
    for name, function, operands in _cases(torch):
        of = [operands, *(_low(operands, kind) for kind in (torch.bfloat16, torch.float64))]
        if len(operands) > 1 and name not in ("inner", "bilinear"):
            of.append([*operands[:-1], operands[-1].bfloat16()])
        seen[name] = [_cast_kind(torch, function, each, torch.bfloat16) for each in of]
    return seen


def kinds_of_float16(torch: Any) -> Any:
    return {name: _cast_kind(torch, function, operands, torch.float16)
            for name, function, operands in _cases(torch)
            if name in ("matmul", "linear", "prod", "exp", "mse_loss")}  # fmt: skip


def products(torch: Any) -> Any:
    """Operands are rounded before they are multiplied, the result afterwards."""
    made = _operands(torch)
    with torch.autocast("cpu"):
        y = torch.nn.functional.linear(made["A"], made["B"], made["v"])
        loss = torch.nn.functional.cross_entropy(y, torch.tensor([0, 1, 2, 3]))
    return [rounded(y, 2), round(loss.item(), 4)]


def graph(torch: Any) -> Any:
    """Casts are recorded; that of a parameter once in a block."""
    x, p = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        one, two = p @ x, p @ x
        seen = [edges(one.grad_fn), one.grad_fn.next_functions[0][0]
                is two.grad_fn.next_functions[0][0]]  # fmt: skip
        q = p * 1
        a, b = q @ x, q @ x
        seen.append(a.grad_fn.next_functions[0][0] is b.grad_fn.next_functions[0][0])
        layer = torch.nn.Linear(2, 2)
        y = layer(x)
        seen += [type(y.grad_fn).__name__, edges(y.grad_fn)]
    with torch.autocast("cpu", cache_enabled=False):
        a, b = p @ x, p @ x
        seen.append(a.grad_fn.next_functions[0][0] is b.grad_fn.next_functions[0][0])
    (one.sum() + y.sum()).backward()
    return [*seen, str(p.grad.dtype)[6:], p.grad.tolist(), layer.weight.grad.tolist(),
            layer.bias.grad.tolist()]  # fmt: skip


def blocks(torch: Any) -> Any:
    """Nested blocks, decorators, what is asked and what is set."""
    x, on = torch.ones(2, 2), torch.is_autocast_enabled

    @torch.autocast("cpu")
    def decorated(value: Any) -> Any:
        return value @ value

    @torch.autocast(device_type="cpu", enabled=False)
    def plain(value: Any) -> Any:
        return value @ value

    def ask() -> Any:
        return [_kind(x @ x), _kind(plain(x)), on("cpu"), on(),
                str(torch.get_autocast_dtype("cpu")),
                torch.is_autocast_cache_enabled()]  # fmt: skip

    seen = [_kind(decorated(x)), decorated.__name__, ask()]
    with torch.autocast("cpu"):
        seen.append(ask())
        with torch.autocast("cpu", enabled=False):
            seen.append(ask())
        with torch.autocast("cpu", dtype=torch.float16, cache_enabled=False):
            seen.append(ask())
        with torch.autocast("cuda", enabled=False):
            seen.append(ask())
        seen.append(ask())
    torch.set_autocast_dtype("cpu", torch.float16)
    torch.set_autocast_enabled("cpu", True)
    seen.append(ask())
    torch.set_autocast_enabled("cpu", False)
    torch.set_autocast_dtype("cpu", torch.bfloat16)
    try:
        with torch.autocast("cpu"):
            raise KeyError
    except KeyError:
        seen.append(ask())
    return [*seen, str(torch.get_autocast_dtype("cuda")), torch.autocast_increment_nesting(),
            torch.autocast_decrement_nesting(),
            [torch.amp.is_autocast_available(d) for d in ("cpu", "cuda", "ipu")]]  # fmt: skip


def refused(torch: Any) -> Any:
    """Devices and types that are not possible."""
    return [attempt(lambda o=options: torch.autocast(**o)._enabled) for options in (
        {"device_type": "cpu", "dtype": torch.float32}, {"device_type": "cuda"},
        {"device_type": "foo"}, {"device_type": torch.device("cpu")}, {"device_type": "meta"},
        {"device_type": "cuda", "enabled": False})]  # fmt: skip


def old_names(torch: Any) -> Any:
    import importlib

    cuda = importlib.import_module(f"{torch.__name__}.cuda.amp")
    return [cuda.autocast()._enabled, cuda.GradScaler().is_enabled(),
            torch.is_autocast_cpu_enabled(), str(torch.get_autocast_cpu_dtype()),
            str(torch.get_autocast_gpu_dtype()),
            [callable(f) for f in (cuda.custom_fwd(cast_inputs=torch.float32),
                                   cuda.custom_bwd(len))]]  # fmt: skip


def mixed_norms(torch: Any) -> Any:
    """Norms of half precision with parameters of float32, which autocast meets after a layer."""
    x = torch.arange(24.0).reshape(2, 4, 3).bfloat16().requires_grad_()
    nets = (torch.nn.BatchNorm1d(4), torch.nn.GroupNorm(2, 4), torch.nn.LayerNorm(3),
            torch.nn.BatchNorm1d(4).eval())  # fmt: skip
    seen = []
    for net in nets:
        y = net(x)
        grads = torch.autograd.grad((y * y.detach().cos()).sum(), [x, net.weight, net.bias])
        seen.append([_kind(y), rounded(y.float(), 2), [_kind(g) for g in grads],
                     [rounded(g.float(), 0) for g in grads[1:]]])  # fmt: skip
    return seen


def recurrent(torch: Any) -> Any:
    """Layers of float32 in either low precision, padded and packed, on what a layer gives them."""
    nn, seen = torch.nn, []
    warnings.filterwarnings("ignore", "LSTM with projections")
    x = torch.linspace(-1, 1, 60).reshape(5, 3, 4)
    packed = nn.utils.rnn.pack_padded_sequence(x, [5, 3, 2])
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        for options in ({}, {"num_layers": 2, "bidirectional": True}, {"proj_size": 2}):
            if "proj_size" in options and kind is not nn.LSTM:
                continue
            torch.manual_seed(0)
            layer, before = kind(4, 6, **options), nn.Linear(4, 4)
            for fast in (torch.bfloat16, torch.float16):
                given = [x, packed, before(x).to(fast)] if fast is torch.bfloat16 else [packed]
                for one in given:
                    with torch.autocast("cpu", dtype=fast):
                        y, state = layer(one)
                    states = state if kind is nn.LSTM else [state]
                    y = getattr(y, "data", y) if one is packed else y
                    seen.append([_kind(y), _kind(list(states)), rounded(y.float().sum(), 1)])
            with torch.autocast("cpu"):
                layer(x)[0].float().square().sum().backward()
            seen.append([[_kind(p.grad), rounded(p.grad.sum(), 1)] for p in layer.parameters()])
    return seen
