"""Classes that are asked: of what, in which order, with which arguments; and modes."""

from collections.abc import Callable
from operator import setitem
from typing import Any

from tests.observe import attempt


def _shown(value: Any) -> Any:
    """An argument in words that are the same for both libraries."""
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(_shown, value)]
    if isinstance(value, dict):
        return {name: _shown(one) for name, one in value.items()}
    if isinstance(value, (int, float, str, slice)) or value is None:
        return repr(value)
    return type(value).__name__


class _Log:
    """Classes of one library that write down what they are asked."""

    def __init__(self, torch: Any, answer: Any = "answer") -> None:
        self.torch = torch
        self.lines: list[Any] = []
        log = self

        def asked(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            log.write(func, types, args, kwargs)
            return answer

        body = {"__torch_function__": classmethod(asked)}
        self.Sub: Any = type("Sub", (torch.Tensor,), dict(body))
        self.Duck: Any = type("Duck", (), dict(body))

    def write(self, func: Any, types: Any, args: Any, kwargs: Any) -> None:
        name = self.torch.overrides.resolve_name(func) or func.__name__
        named = None if kwargs is None else _shown(kwargs)
        self.lines.append([name, [t.__name__ for t in types], _shown(args), named])

    def of(self, *calls: Callable[[], Any]) -> list[Any]:
        found = []
        for call in calls:
            self.lines.clear()
            outcome = attempt(call)
            found.append([*self.lines, outcome])
        return found


def symbols(torch: Any) -> list[Any]:
    log = _Log(torch)
    s, t = torch.ones(2).as_subclass(log.Sub), torch.ones(2)
    return log.of(
        lambda: s + 1,
        lambda: 1 + s,
        lambda: t + s,
        lambda: s + t,
        lambda: s - 1,
        lambda: 1 - s,
        lambda: s * 2,
        lambda: 2 * s,
        lambda: t * s,
        lambda: s / 2,
        lambda: 2 / s,
        lambda: s // 2,
        lambda: 2 // s,
        lambda: s % 2,
        lambda: 2 % s,
        lambda: s**2,
        lambda: 2**s,
        lambda: s @ s,
        lambda: t @ s,
        lambda: -s,
        lambda: +s,
        lambda: abs(s),
        lambda: ~s,
        lambda: s < 1,
        lambda: s > 1,
        lambda: s <= t,
        lambda: s >= 1,
        lambda: s == 1,
        lambda: t == s,
        lambda: s != 1,
        lambda: s & s,
        lambda: s | 1,
        lambda: s ^ 1,
        lambda: s << 1,
        lambda: 1 << s,
        lambda: s >> 1,
        lambda: t - s,
        lambda: t / s,
        lambda: t**s,
        lambda: t % s,
        lambda: t // s,
    )


def in_place_symbols(torch: Any) -> list[Any]:
    log = _Log(torch)
    s, t = torch.ones(2).as_subclass(log.Sub), torch.ones(2)
    return log.of(
        lambda: s.__iadd__(1),
        lambda: t.__iadd__(s),
        lambda: t.add_(s),
        lambda: s.__isub__(1),
        lambda: s.__imul__(1),
        lambda: s.__itruediv__(1),
        lambda: t.mul_(s),
        lambda: s.__ipow__(2),
        lambda: s.__ifloordiv__(2),
        lambda: s.__imod__(2),
        lambda: s.__iand__(1),
        lambda: s.__ior__(1),
        lambda: s.__ixor__(1),
        lambda: s.__ilshift__(1),
        lambda: s.__irshift__(1),
    )


def special_methods(torch: Any) -> list[Any]:
    log = _Log(torch)
    s, t = torch.ones(2).as_subclass(log.Sub), torch.ones(2)
    return log.of(
        lambda: bool(s),
        lambda: int(s),
        lambda: float(s),
        lambda: len(s),
        lambda: list(iter(s)),
        lambda: 1 in s,
        lambda: repr(s),
        lambda: str(s),
        lambda: f"{s}",
        lambda: hash(s) == hash(s),
        lambda: [1, 2][s],
        lambda: reversed(s),
        lambda: complex(s),
        lambda: s[0],
        lambda: s[1:],
        lambda: t[s],
        lambda: setitem(s, 0, 1),
        lambda: setitem(t, 0, s),
        lambda: s.__delitem__(0),
        lambda: s[0, None],
    )


def attributes(torch: Any) -> list[Any]:
    log = _Log(torch)
    s, t = torch.ones(2).as_subclass(log.Sub), torch.ones(2)
    names = [
        "shape",
        "grad",
        "T",
        "dtype",
        "device",
        "requires_grad",
        "is_leaf",
        "grad_fn",
        "data",
        "ndim",
        "_version",
        "real",
        "is_cuda",
        "layout",
        "_base",
        "retains_grad",
        "mT",
        "H",
        "grad_dtype",
        "itemsize",
        "nbytes",
        "name",
        "output_nr",
        "is_sparse",
    ]
    found = [log.of(lambda: getattr(s, name)) for name in names]
    return found + log.of(
        lambda: setattr(s, "grad", None),
        lambda: setattr(s, "data", t),
        lambda: setattr(s, "requires_grad", True),
        lambda: delattr(s, "grad"),
        lambda: setattr(t, "grad", s),
    )


def methods(torch: Any) -> list[Any]:
    log = _Log(torch)
    s, t = torch.ones(2).as_subclass(log.Sub), torch.ones(2)
    return log.of(
        lambda: s.add(1, alpha=2),
        lambda: t.add(s),
        lambda: s.sum(),
        lambda: s.requires_grad_(),
        lambda: s.backward(),
        lambda: s.detach(),
        lambda: s.size(),
        lambda: s.dim(),
        lambda: s.item(),
        lambda: s.numpy(),
        lambda: s.tolist(),
        lambda: s.to("cpu"),
        lambda: s.double(),
        lambda: s.view(-1),
        lambda: s.reshape(2, 1),
        lambda: s.retain_grad(),
        lambda: s.register_hook(print) and None,
        lambda: s.new_tensor([1]),
        lambda: s.new_zeros(2),
        lambda: s.split(1),
        lambda: s.norm(),
        lambda: s.type(),
        lambda: s.stride(),
        lambda: s.data_ptr(),
        lambda: s.numel(),
        lambda: s.is_contiguous(),
        lambda: s.exp_(),
        lambda: s._is_view(),
        lambda: s.untyped_storage(),
        lambda: s.is_inference(),
        lambda: t.type_as(s),
        lambda: t.expand_as(s),
        lambda: t.copy_(s),
        lambda: t.view_as(s),
        lambda: s.transpose(0, 0),
        lambda: s.unsqueeze(0),
        lambda: s.max(0, keepdim=True),
        lambda: s.clone(),
        lambda: s.mul(other=2),
        lambda: t.where(s, t),
        lambda: s.unique(),
        lambda: s.zero_(),
        lambda: s.multiply(2),
        lambda: s.element_size(),
        lambda: s.t(),
    )


def functions(torch: Any) -> list[Any]:
    log = _Log(torch)
    s, d, t = torch.ones(2).as_subclass(log.Sub), log.Duck(), torch.ones(2)
    return log.of(
        lambda: torch.add(s, 1),
        lambda: torch.add(s, 1, alpha=2),
        lambda: torch.add(input=s, other=t),
        lambda: torch.add(t, d),
        lambda: torch.mean(d),
        lambda: torch.mean(d, 0, keepdim=True),
        lambda: torch.cat([t, d]),
        lambda: torch.cat((d, s), dim=0),
        lambda: torch.stack([d]),
        lambda: torch.einsum("i->", d),
        lambda: torch.where(d, t, t),
        lambda: torch.zeros_like(d),
        lambda: torch.ones(2).shape,
        lambda: torch.max(d, 0),
        lambda: torch.split(d, 1),
        lambda: torch.norm(d),
        lambda: torch.is_tensor(d),
        lambda: torch.is_floating_point(d),
        lambda: torch.numel(d),
        lambda: torch.result_type(d, t),
        lambda: torch.equal(d, t),
        lambda: torch.allclose(d, t),
        lambda: torch.tensordot(d, t, 1),
        lambda: torch.unique(d),
        lambda: torch.atleast_1d(d),
        lambda: torch.exp(d),
        lambda: torch.exp_(d),
        lambda: torch.add(t, other=d),
        lambda: torch.add(t, t, out=s),
        lambda: torch.dot(t, d),
        lambda: torch.rand_like(d),
        lambda: torch.full_like(d, 1),
        lambda: torch.detach(d),
        lambda: torch.relu(d),
        lambda: torch.softmax(d, 0),
        lambda: torch.matmul(d, d),
        lambda: torch.eq(t, d),
        lambda: t + d,
        lambda: d + t,
        lambda: t.add(d),
        lambda: t[d],
    )


def functions_of_nn(torch: Any) -> list[Any]:
    log = _Log(torch)
    d, t, F = log.Duck(), torch.ones(2), torch.nn.functional
    return log.of(
        lambda: F.relu(d),
        lambda: F.linear(d, t),
        lambda: F.pad(d, (1, 1)),
        lambda: F.gelu(d),
        lambda: F.one_hot(d),
        lambda: F.binary_cross_entropy(d, t),
        lambda: F.nll_loss(d, t),
        lambda: F.cosine_similarity(d, t),
        lambda: F.softplus(d),
        lambda: F.elu(d),
        lambda: F.leaky_relu(d),
        lambda: F.relu_(d),
        lambda: F.cross_entropy(d, t),
        lambda: F.dropout(d),
    )


def order_of_asking(torch: Any) -> list[Any]:
    lines: list[str] = []

    def make(name: str, base: Any, answer: Any) -> Any:
        def asked(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            lines.append(f"{name} of {[t.__name__ for t in types]}")
            return answer

        body = {"__torch_function__": classmethod(asked), "__module__": "m"}
        return type(name, (base,), body)

    A = make("A", torch.Tensor, NotImplemented)
    B = make("B", A, NotImplemented)
    C = make("C", torch.Tensor, "by C")
    D = make("D", object, NotImplemented)
    a, b, c = (torch.ones(2).as_subclass(cls) for cls in (A, B, C))
    d = D()
    calls: list[Callable[[], Any]] = [
        lambda: torch.add(a, b),
        lambda: torch.cat([a, b, c]),
        lambda: torch.add(a, a),
        lambda: torch.add(a, d),
        lambda: a + d,
        lambda: d + a,
        lambda: a + 1,
        lambda: a.sum(),
        lambda: a.T,
        lambda: a[0],
        lambda: torch.nn.functional.relu(d),
        lambda: a.grad,
        lambda: torch.ones(2).add(d),
        lambda: a**2,
        lambda: 2 - a,
        lambda: a == 1,
        lambda: torch.norm(a),
        lambda: a.backward(),
        lambda: torch.add(c, a),
        lambda: a @ a,
    ]
    found = []
    for call in calls:
        lines.clear()
        outcome = attempt(call)
        found.append([*lines, outcome])
    return found


def unasked(torch: Any) -> list[Any]:
    disabled = torch._C._disabled_torch_function_impl
    Quiet = type("Quiet", (torch.Tensor,), {"__torch_function__": disabled})
    Duck = type("Duck", (), {"__torch_function__": disabled})
    log = _Log(torch)
    q, s = torch.ones(2, 2).as_subclass(Quiet), torch.ones(2, 2).as_subclass(log.Sub)
    found = [
        type(q).__name__,
        type(q + 1).__name__,
        type(q.T).__name__,
        type(q[0]).__name__,
        attempt(lambda: torch.mean(Duck())),
        torch._C._is_torch_function_enabled(),
    ]
    for block in (torch._C.DisableTorchFunctionSubclass, torch._C.DisableTorchFunction):
        with block():
            found += [
                type(s + 1).__name__,
                type(torch.add(s, 1)).__name__,
                type(s.T).__name__,
                torch.overrides.has_torch_function((s,)),
                torch._C._is_torch_function_enabled(),
            ]
    return [*found, log.lines, torch._C._is_torch_function_enabled()]


def modes(torch: Any) -> list[Any]:
    log = _Log(torch)
    t, F = torch.ones(2, 2), torch.nn.functional

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            log.write(func, types, args, kwargs)
            return func(*args, **(kwargs or {}))

    def inside(call: Callable[[], Any], block: Any = Mode) -> Callable[[], Any]:
        def run() -> Any:
            with block():
                result = call()
            return type(result).__name__

        return run

    leaf = torch.ones(1, requires_grad=True)
    calls = [
        lambda: torch.add(t, 1),
        lambda: t + 1,
        lambda: torch.ones(2),
        lambda: torch.tensor([1.0]),
        lambda: t.T,
        lambda: t.shape,
        lambda: t[0],
        lambda: setattr(t, "grad", None),
        lambda: F.relu(t),
        lambda: torch.zeros(2, dtype=torch.int64),
        lambda: torch.rand(2),
        lambda: torch.arange(3),
        lambda: torch.manual_seed(0),
        lambda: torch.is_tensor(t),
        lambda: torch.get_default_dtype(),
        lambda: torch.eye(2),
        lambda: leaf.sum().backward(),
        lambda: torch.numel(t),
        lambda: repr(t),
        lambda: t * t,
    ]
    found = log.of(*[inside(call) for call in calls])
    found += log.of(inside(inside(lambda: t + 1)))
    with torch.no_grad():
        found += log.of(inside(lambda: t * 2))
    base = torch.overrides.BaseTorchFunctionMode
    found += log.of(inside(lambda: t + 1, base), lambda: t + 1)
    with torch._C.DisableTorchFunctionSubclass():
        found += log.of(inside(lambda: t + 1))
    with torch._C.DisableTorchFunction():
        found += log.of(inside(lambda: t + 1))
    return found


def modes_that_do_not_know(torch: Any) -> list[Any]:
    t = torch.ones(2)

    class Silent(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return NotImplemented

        def __repr__(self) -> str:
            return "Silent()"

    class Bare(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        pass

    def inside(block: Any, call: Callable[[], Any]) -> str:
        def run() -> Any:
            with block():
                return call()

        return attempt(run)

    return [
        inside(Silent, lambda: torch.add(t, 1)),
        inside(Silent, lambda: torch.norm(t)),
        inside(Silent, lambda: t + 1),
        inside(Bare, lambda: torch.add(t, 1)),
    ]


def names_of_overrides(torch: Any) -> list[Any]:
    o, log = torch.overrides, _Log(torch)
    s, d, t = torch.ones(2).as_subclass(log.Sub), log.Duck(), torch.ones(2)
    named = [
        torch.add,
        torch.Tensor.add,
        torch.Tensor.grad.__get__,
        torch.nn.functional.relu,
        torch.norm,
        torch.Tensor.__rsub__,
        torch.Tensor.backward,
        len,
        torch.ones,
        torch.Tensor.add_,
        torch.einsum,
        torch.Tensor.T.__get__,
    ]

    def mine(x: Any, y: int = 1) -> Any:
        if o.has_torch_function((x,)):
            return o.handle_torch_function(mine, (x,), x, y=y)
        return "plain"

    @o.wrap_torch_function(lambda a, b=0: (a,))
    def wrapped(a: Any, b: int = 0) -> str:
        return "plain"

    p = torch.nn.Parameter(t)
    return [
        [o.resolve_name(f) for f in named],
        [o.is_tensor_method_or_property(f) for f in named],
        [o.is_tensor_like(v) for v in (1, t, d, p, s, "a")],
        [o.has_torch_function((v,)) for v in (1, t, d, p, s, "a")],
        log.of(lambda: mine(d), lambda: mine(t), lambda: wrapped(s, 2), lambda: wrapped(1)),
        attempt(lambda: o.handle_torch_function(len, (1,), 1)),
        torch.add in o.get_ignored_functions(),
        torch.ones in o.get_ignored_functions(),
        torch.add in o.get_overridable_functions()[torch],
        torch.Tensor.add in o.get_overridable_functions()[torch.Tensor],
        torch.nn.functional.relu in o.get_overridable_functions()[torch.nn.functional],
    ]
