"""What people save, made by either library, and what can be told of it."""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

DTYPES = """float16 bfloat16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 bool
""".split()


def of_every_dtype(torch: Any) -> Any:
    base = torch.arange(6).reshape(2, 3) - 2
    return {name: base.to(getattr(torch, name)) for name in DTYPES}


def of_every_shape(torch: Any) -> Any:
    x = torch.arange(24.0).reshape(2, 3, 4)
    return [
        torch.tensor(3), torch.tensor(2.5, requires_grad=True), torch.empty(0), torch.empty(0, 3),
        torch.empty(2, 0, 3), x, x.t() if x.ndim < 3 else x.transpose(0, 2), x[1], x[:, 1:, ::2],
        x.permute(2, 0, 1)[1:], torch.ones(3).expand(2, 3), x.as_strided((3, 2), (1, 5), 2),
        torch.arange(6)[1::2], x[0, 0, 3], x.numel(), x.shape, x[1:1],
    ]  # fmt: skip


def sharing(torch: Any) -> Any:
    x = torch.arange(6.0)
    p = torch.nn.Parameter(x)
    return [x, x[2:], x.view(2, 3).t(), {"p": p, "again": p, "data": p.data}, x.detach()[:1]]


def marked(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    x.note, x.more = "text", {"a": [1]}
    p = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    q = torch.nn.Parameter(torch.ones(2))
    q.note = (1, "b")
    across = torch.nn.Parameter(torch.ones(2, 3).t())
    return [x, x * 2, p, q, across, torch.nn.Buffer(torch.zeros(1)), torch.nn.Buffer(x.detach())]


def conjugate(torch: Any) -> Any:
    made = [torch.tensor([1 + 2j, 3 - 4j]) for _ in range(4)]
    return [made[0].conj(), made[1].conj().imag, made[2].conj()[1:], made[3].real]


def plain(torch: Any) -> Any:
    ordered = OrderedDict([("b", 1), ("a", 2)])
    ordered._metadata = OrderedDict(version=1)  # type: ignore[attr-defined]
    return {
        "numbers": [0, 1, -1, 255, 256, 65535, 65536, 2**31, -(2**31), 2**70, -(2**70), 1.5, -0.0],
        "far": [float("inf"), float("-inf"), 1e308, 5e-324, 1 + 2j, True, False, None],
        "texts": ["", "a", "ß한글\0\n", "\ud800", "x" * 300],
        "bytes": [b"a\xff\0", bytearray(b"xy"), b"x" * 300],
        "tuples": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, (4, [5]))],
        "others": [{1, 2}, set(), Counter("aab"), ordered],
        "keys": {(1, "a"): 2, 1.5: 3, None: 4, True: 5, -7: 6},
        "torch": [torch.Size([1, 2]), torch.Size([]), torch.float32, torch.bfloat16, torch.bool,
                  torch.device("cpu"), torch.device("cuda", 1), torch.strided],
        7: "a key that is a number",
    }  # fmt: skip


def cyclic(torch: Any) -> Any:
    inner: list[Any] = [torch.ones(1)]
    inner.append(inner)
    return {"me": inner, "again": inner}


def large(torch: Any) -> Any:
    """More things than the short instructions of a pickle can number."""
    return [{"name": f"layer {n}", "weight": torch.full((2,), float(n))} for n in range(300)]


def states(torch: Any) -> Any:
    torch.manual_seed(0)
    nn = torch.nn
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    made: dict[str, Any] = {"model": net.state_dict()}
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad"):
        options = {"momentum": 0.9} if name == "SGD" else {}
        optimiser = getattr(torch.optim, name)(net.parameters(), lr=0.01, **options)
        schedule = torch.optim.lr_scheduler.StepLR(optimiser, 2)
        for _ in range(3):
            optimiser.zero_grad()
            net(torch.ones(4, 3) * torch.arange(4.0)[:, None]).sum().backward()
            optimiser.step()
            schedule.step()
        made[name] = [optimiser.state_dict(), schedule.state_dict()]
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser)
    plateau.step(1.0)
    made["plateau"] = plateau.state_dict()
    made["random"] = [torch.get_rng_state(), torch.Generator().manual_seed(3).get_state()]
    return made


def storages(torch: Any) -> Any:
    return [torch.arange(3.0).storage(), torch.ones(2, dtype=torch.int16).untyped_storage()]


VALUES: dict[str, Callable[[Any], Any]] = {
    made.__name__: made
    for made in (*(of_every_dtype, of_every_shape, sharing, marked, plain, cyclic, large, states),)
}


class Told:
    """Describes values: tensors by all that is seen of them, and which memory they share."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.seen: dict[int, int] = {}
        self.memories: dict[int, int] = {}
        self.kept: list[Any] = []  # so that no other thing gets the number of one that is gone

    def __call__(self, value: Any) -> Any:
        if isinstance(value, self.torch.Tensor):
            return self.tensor(value)
        if isinstance(value, (list, dict, set)):
            self.kept.append(value)
            number = self.seen.setdefault(id(value), len(self.seen))
            if number < len(self.seen) - 1:
                return "again", number
        kind = type(value).__name__
        if isinstance(value, dict):
            extra = self(vars(value)) if getattr(value, "__dict__", None) else None
            return kind, [(self(key), self(one)) for key, one in value.items()], extra
        if isinstance(value, (list, tuple)):
            return kind, [self(one) for one in value]
        return kind, repr(value)

    def tensor(self, value: Any) -> Any:
        hung = {
            name: getattr(value, name)
            for name in ("note", "more", "persistent", "_is_buffer")
            if hasattr(value, name)
        }
        memory = value.untyped_storage().data_ptr()
        if value.is_conj() or value.is_neg() or not value.numel():
            memory = -len(self.memories) - 1  # of its own, once it is resolved
        resolved = value.resolve_conj().resolve_neg().detach()
        return {
            "class": type(value).__name__,
            "dtype": repr(value.dtype),
            "shape": tuple(value.shape),
            "strides": value.stride(),
            "offset": None if memory < 0 else value.storage_offset(),
            "values": repr(resolved.to(self.torch.complex128).tolist()),
            "needs": (value.requires_grad, value.is_leaf),
            "hung": self(hung),
            "memory": self.memories.setdefault(memory, len(self.memories)),
        }
