"""What programs ask in passing: devices, accelerators, backends, compile."""

import copy
import pickle
import warnings
from importlib import import_module
from typing import Any

import numpy as np

from tests.observe import attempt


def devices(torch: Any) -> list[str]:
    strings = [
        "cpu", "cuda", "cuda:1", "mps", "cpu:0", "meta", "xpu", "hpu:3", "foo", "cuda:x",
        "cuda:-1", "CPU", "", "cpu:", "cuda:01", " cuda", "cuda:1:2", "vulkan",
    ]  # fmt: skip
    return [attempt(lambda s=s: repr(torch.device(s))) for s in strings]


def device_arguments(torch: Any) -> list[str]:
    device = torch.device
    calls = [
        lambda: device(1), lambda: device(-1), lambda: device("cuda", 1), lambda: device(True),
        lambda: device("cuda:1", 1), lambda: device(type="cuda", index=2), lambda: device(None),
        lambda: device("cpu", None), lambda: device(device("cuda", 1)), lambda: device(1.5),
        lambda: device("cpu", index="a"), lambda: device(device="cuda"), lambda: device("cpu", -1),
    ]  # fmt: skip
    return [attempt(call) for call in calls]


def device_values(torch: Any) -> list[Any]:
    one, other = torch.device("cuda:1"), torch.device("cuda", 1)
    with torch.device("cpu") as entered:
        pass
    return [
        str(one), one.type, one.index, torch.device("cpu").index, one == other, one == "cuda:1",
        hash(one) == hash(other), torch.device("cpu") == torch.device("cpu:0"), repr(type(one)),
        repr(pickle.loads(pickle.dumps(one))), repr(copy.deepcopy(one)), str(entered),
        isinstance(one, torch.device), str(torch.ones(1).device), len({one, other}),
    ]  # fmt: skip


def moving(torch: Any) -> list[str]:
    x = torch.ones(2)
    calls = [
        lambda: x.to("cuda"), lambda: x.cuda(), lambda: x.to("mps"), lambda: x.to("cpu"),
        lambda: x.to(torch.device("cuda:1")), lambda: torch.ones(2, device="cuda"),
        lambda: torch.tensor([1.0], device="cuda:0"), lambda: torch.nn.Linear(1, 1).to("cuda"),
        lambda: x.to("xpu"), lambda: x.to("foo"), lambda: x.to("cpu:0"), lambda: x.to(0),
        lambda: torch.ones(2, device=0), lambda: torch.as_tensor(x, device="cuda"),
        lambda: x.to(device="cuda:1", dtype=torch.float64), lambda: x.cpu(), lambda: x.is_cuda,
    ]  # fmt: skip
    return [attempt(call) for call in calls]


def cuda(torch: Any) -> list[Any]:
    c = torch.cuda
    c.manual_seed(0)
    c.manual_seed_all(0)
    c.empty_cache()
    return [
        c.is_available(), c.device_count(), c.is_initialized(), c.memory_allocated(),
        c.max_memory_allocated(), c.memory_reserved(), c.get_arch_list(), c.get_rng_state_all(),
        c.is_bf16_supported(), attempt(c.current_device), attempt(c.get_device_name),
        attempt(c.init), attempt(lambda: c.get_device_properties(0)),
        attempt(lambda: c.manual_seed("a")),
    ]  # fmt: skip


def accelerators(torch: Any) -> list[Any]:
    a = torch.accelerator
    with a.device_index(None):
        found = [a.is_available(), a.device_count(), a.current_accelerator()]
    found += [torch.xpu.is_available(), torch.mps.device_count(), torch.xpu.device_count()]
    calls = [a.current_device_index, a.synchronize, a.empty_cache, a.device_index(0).__enter__]
    return found + [attempt(call) for call in calls]


def groups_of_processes(torch: Any) -> list[Any]:
    d = torch.distributed
    calls = [d.get_rank, d.get_world_size, d.get_backend, d.barrier]
    calls.append(lambda: d.all_reduce(torch.ones(1)))
    return [d.is_initialized(), d.is_torchelastic_launched(), *[attempt(call) for call in calls]]


def saved_where_nothing_is_recorded(torch: Any) -> list[Any]:
    class Number(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(2.0)
            return x * 2

    class Returned(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

    plain, leaf = torch.ones(1), torch.ones(1, requires_grad=True)
    calls = [lambda f=f, x=x: f.apply(x) for f in (Number, Returned) for x in (plain, leaf)]
    found = [attempt(call) for call in [*calls, lambda: Number.apply(2.0)]]
    with torch.no_grad():
        return found + [attempt(call) for call in calls]


def warnings_of_old_masks(torch: Any) -> list[Any]:
    t, mask = torch.tensor([1, 2, 3]), torch.tensor([1, 0, 1], dtype=torch.uint8)
    leaf = torch.ones(1, requires_grad=True)
    calls = [
        lambda: t[mask], lambda: t[mask.numpy()], lambda: t[None][:, mask],
        lambda: torch.where(mask, t, t), lambda: float(leaf), lambda: f"{leaf.sum():.1f}",
        lambda: type(torch.nn.Parameter(leaf)), lambda: t.bool() + np.bool_(True),
    ]  # fmt: skip
    found = []
    for call in calls * 2:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            shown = str(call())
        found.append([shown, *[str(one.message).partition(" (Trigger")[0] for one in caught]])
    return found


def negative_zeros(torch: Any) -> list[Any]:
    F = torch.nn.functional
    calls = [
        torch.relu, F.elu, F.selu, F.celu, lambda x: x.clamp(min=0), lambda x: x.clamp(max=0),
        lambda x: x.clamp(-1, 1), F.relu6, F.hardtanh, lambda x: F.hardtanh(x, 0, 1),
        lambda x: (x - 2) % 2, lambda x: torch.remainder(x + 2, -2), lambda x: x % 3,
    ]  # fmt: skip
    tensors = [torch.tensor([-0.0, 0.0] * n, dtype=torch.float64) for n in (1, 20)]
    return [[str(call(x)[:2].tolist()), str(call(x[0]).item())] for call in calls for x in tensors]


def backends(torch: Any) -> list[Any]:
    import_of = torch.backends
    cudnn = import_of.cudnn
    before = [cudnn.enabled, cudnn.benchmark, cudnn.deterministic, cudnn.allow_tf32]
    cudnn.benchmark, cudnn.deterministic = True, True
    set_to = [cudnn.benchmark, cudnn.deterministic]
    cudnn.benchmark, cudnn.deterministic = False, False
    with cudnn.flags(enabled=True, deterministic=True):
        inside = cudnn.deterministic
    return [
        before, set_to, inside, cudnn.deterministic, cudnn.is_available(), cudnn.version(),
        import_of.mps.is_available(), import_of.mps.is_built(), import_of.cuda.is_built(),
        import_of.cuda.matmul.allow_tf32,
    ]  # fmt: skip


def versions(torch: Any) -> list[Any]:
    return [torch.__version__.partition("+")[0], torch.version.cuda, torch.version.hip]


def missing_names(torch: Any) -> list[str]:
    said = [
        attempt(lambda: torch.no_such_name),
        attempt(lambda: torch.zeross),
        attempt(lambda: torch.nn.Linaer),
        str(hasattr(torch, "no_such_name")),
    ]
    return [text.replace("'seegrad'", "'torch'") for text in said]


def modules_by_name(torch: Any) -> Any:
    """Modules that programs import names from."""
    functional, types, returned, versions, handing, attention = (
        import_module(f"{torch.__name__}.{name}")
        for name in (
            "functional", "types", "return_types", "torch_version", "utils.dlpack", "nn.attention",
        )
    )  # fmt: skip
    seen: list[Any] = [sorted(functional.__all__), sorted(types.__all__)]
    seen.append(functional.einsum is torch.einsum)
    seen.append(isinstance(torch.ones(2).max(0), returned.max))
    version = versions.TorchVersion("2.13.0+cpu")
    for other in (
        "2.9", "2.13", "2.13.0+cpu", "2.13.1", "2.13.0rc1", "2.14.0a0", "1.13.post2", "x", (1, 9),
        (2, 13), (3,), "2.13.0+cu9", "2.13.0.dev20",
    ):  # fmt: skip
        seen.append([version < other, version <= other, version > other, version >= other,
                     version == other, version != other])  # fmt: skip
    seen += [type(torch.__version__).__name__, torch.__version__ > "2.9", str(version)]
    x = torch.arange(3.0)
    handing.from_dlpack(handing.to_dlpack(x))[0] = 5
    seen += [x.tolist(), handing.from_dlpack(x).tolist()]
    kernels = attention.SDPBackend
    for given in (kernels.MATH, [kernels.MATH, kernels.FLASH_ATTENTION]):
        with attention.sdpa_kernel(given):
            seen.append(torch.nn.functional.scaled_dot_product_attention(*[x.view(1, 1, 3)] * 3))
    with_number = attention.sdpa_kernel(3)
    return [*seen[:-2], [one.tolist() for one in seen[-2:]], attempt(with_number.__enter__)]
