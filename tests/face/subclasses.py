"""Classes derived from Tensor: what keeps the class, and what does not."""

import copy
import pickle
from typing import Any

from tests.observe import attempt


def _derived(torch: Any, name: str = "Length", base: Any = None) -> Any:
    return type(name, (base or torch.Tensor,), {"__module__": __name__})


def _kind(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(_kind, value)]
    return type(value).__name__


def making(torch: Any) -> list[Any]:
    T = _derived(torch)
    x = torch.ones(2, requires_grad=True)
    plain = torch.ones(2)
    t = x.as_subclass(T)
    made = torch.Tensor._make_subclass(T, plain, True)
    plain.add_(1)
    return [
        type(t.grad_fn).__name__,
        t._is_view(),
        t.requires_grad,
        _kind(T([1, 2])),
        _kind(T(2, 3)),
        T([1.0, 2.0]).tolist(),
        _kind(T(plain)),
        _kind(T()),
        T(plain).data_ptr() == plain.data_ptr(),
        [made.tolist(), made.is_leaf, made.requires_grad, made._is_view(), made._version],
        plain.as_subclass(T)._is_view(),
        isinstance(t, torch.Tensor),
        torch.is_tensor(t),
        attempt(lambda: torch.Tensor._make_subclass(int, x)),
        attempt(lambda: x.as_subclass(int)),
        attempt(lambda: x.as_subclass(3)),
        attempt(lambda: torch.Tensor._make_subclass(T, [1])),
        _kind(t.as_subclass(torch.Tensor)),
        _kind(x),
    ]


def printing(torch: Any) -> list[str]:
    T = _derived(torch)
    t = torch.ones(2).as_subclass(T)
    leaf = torch.ones(2).as_subclass(T).requires_grad_()
    return [
        repr(t),
        str(t),
        f"{t}",
        repr(leaf),
        repr(leaf * 2),
        attempt(lambda: f"{t.sum():.2f}"),
        repr(t.long()),
        repr(torch.ones(2, 2).as_subclass(T)),
        repr(t.double()),
        repr(T([])),
    ]


def results(torch: Any) -> list[Any]:
    T = _derived(torch)
    t, plain, F = torch.ones(2, 2).as_subclass(T), torch.ones(2, 2), torch.nn.functional
    out = torch.zeros(2, 2)
    values = [
        t + 1,
        1 + t,
        t - t,
        2 - t,
        plain + t,
        plain * t,
        t @ plain,
        plain @ t,
        -t,
        t**2,
        2**t,
        t // 2,
        t == 1,
        t < 2,
        t.sum(),
        t.mean(0),
        t.max(0),
        t.max(0).values,
        t.sort(),
        t.split(1),
        t.unbind(),
        t.T,
        t.mT,
        t[0],
        t[0, 0],
        t[t > 0],
        t[:, None],
        t.view(-1),
        t.reshape(4),
        t.clone(),
        t.detach(),
        t.data,
        t.double(),
        t.to(torch.float64),
        t.long(),
        t.exp(),
        t.exp_(),
        t.add_(1),
        torch.add(t, 1),
        torch.exp(t),
        torch.cat([t, plain]),
        torch.stack([plain, t]),
        torch.zeros_like(t),
        torch.where(t > 0, t, plain),
        torch.einsum("ij->i", t),
        F.relu(t),
        F.softmax(t, 0),
        F.linear(plain, t),
        F.mse_loss(t, plain),
        torch.broadcast_tensors(t, plain),
        torch.meshgrid(t[0], plain[0], indexing="ij"),
        t.new_zeros(2),
        t.new_tensor([1]),
        t.shape,
        t.size(),
        t.dtype,
        t.tolist(),
        t.grad,
        t.numpy(),
        t.norm(),
        torch.norm(t),
        torch.add(plain, 1, out=out),
        torch.add(t, 1, out=out),
        t.requires_grad_(),
        list(t),
        torch.unique(t),
        t.topk(1),
        torch.var_mean(t),
        t.cummax(0),
        t.aminmax(),
        t.to("cpu"),
        t.cpu(),
        t.contiguous(),
        t.expand(2, 2),
        t.unsqueeze(0),
        t.squeeze(),
        t.type(torch.float64),
        t.numel(),
        t.dim(),
        t.is_contiguous(),
        t.repeat(1, 2),
        torch.rand_like(t),
        torch.full_like(t, 2),
        torch.normal(t, plain),
        t.bernoulli(),
        plain.type_as(t),
        plain.expand_as(t),
        plain.to(t),
        t.nonzero(),
        t.any(),
        t.argmax(),
    ]
    return [_kind(v) for v in values]


def in_place(torch: Any) -> list[Any]:
    T = _derived(torch)
    t, plain = torch.ones(2).as_subclass(T), torch.ones(2)
    kept, first = plain, t
    t += 1
    plain += t
    other = torch.ones(2)
    other.add_(first)
    other[0] = first[0]
    return [
        _kind(t),
        t is first,
        t._version,
        _kind(plain),
        plain is kept,
        kept.tolist(),
        _kind(other),
        other.tolist(),
        _kind(first.mul_(2)),
        first.mul_(1) is first,
        _kind(first.data.zero_()),
    ]


def gradients(torch: Any) -> list[Any]:
    T = _derived(torch)
    leaf = torch.ones(2).as_subclass(T).requires_grad_()
    y = leaf * leaf
    names = [
        type(y.grad_fn).__name__,
        type(y.grad_fn.next_functions[0][0]).__name__,
        y._is_view(),
        y.is_leaf,
        leaf.is_leaf,
    ]
    seen = []
    y.register_hook(lambda g: seen.append(_kind(g)))
    leaf.register_hook(lambda g: seen.append(_kind(g)))
    y.sum().backward()
    first = [_kind(leaf.grad), leaf.grad.tolist()]
    found = torch.autograd.grad((leaf * leaf).sum(), [leaf])
    (again,) = torch.autograd.grad((leaf**3).sum(), leaf, create_graph=True)
    (second,) = torch.autograd.grad(again.sum(), leaf)
    base = torch.ones(2, requires_grad=True)
    (base.as_subclass(T) * 3).sum().backward()
    z = leaf.clone()
    z[0].mul_(5)
    z.sum().backward()
    w = leaf * 2
    w.retain_grad()
    w.sum().backward()
    with torch.no_grad():
        quiet = leaf * 2
    return [
        names,
        seen,
        first,
        _kind(found),
        _kind(again),
        _kind(second),
        second.tolist(),
        _kind(base.grad),
        base.grad.tolist(),
        leaf.grad.tolist(),
        _kind(w.grad),
        _kind(quiet),
        quiet.requires_grad,
        attempt(lambda: leaf.add_(1)),
        attempt(lambda: leaf.detach().requires_grad),
    ]


def derived_twice(torch: Any) -> list[Any]:
    T = _derived(torch)
    Sub, Other = _derived(torch, "Sub", T), _derived(torch, "Other")
    t, s, o = (torch.ones(2).as_subclass(cls) for cls in (T, Sub, Other))
    return [
        _kind(t + s),
        _kind(s + t),
        _kind(torch.ones(2) + s),
        attempt(lambda: t + o),
        attempt(lambda: torch.add(s, o)),
        attempt(lambda: torch.cat([t, o])),
        _kind(torch.cat([t, s])),
    ]


def parameters(torch: Any) -> list[Any]:
    T = _derived(torch)
    P = _derived(torch, "Weight", torch.nn.Parameter)
    p = P(torch.ones(2))
    kept = torch.nn.Parameter(torch.ones(2).as_subclass(T))
    net = torch.nn.Module()
    net.first, net.second = p, kept
    (net.first * net.second).sum().backward()
    return [
        _kind(p),
        _kind(p * 2),
        isinstance(p, torch.nn.Parameter),
        repr(p),
        _kind(kept),
        isinstance(kept, torch.nn.Parameter),
        kept.is_leaf,
        kept.requires_grad,
        repr(kept),
        [n for n, _ in net.named_parameters()],
        _kind(p.grad),
        _kind(kept.grad),
        _kind(p.data),
        _kind(p.detach()),
        _kind(copy.deepcopy(p)),
        attempt(lambda: torch.nn.Parameter(p)),
        _kind(torch.nn.Parameter(torch.nn.Parameter(torch.ones(1)))),
    ]


def copies(torch: Any) -> list[Any]:
    T = _derived(torch)
    globals()["Length"] = T  # pickle looks the class up here
    t = torch.ones(2).as_subclass(T)
    t.note = "kept"
    back = pickle.loads(pickle.dumps(t))
    del globals()["Length"]
    return [
        _kind(copy.copy(t)),
        _kind(back),
        back.note,
        back.tolist(),
    ]


def with_attributes_and_methods(torch: Any) -> list[Any]:
    class Named(torch.Tensor):  # type: ignore[misc]
        @staticmethod
        def __new__(cls: Any, data: Any, label: str = "") -> Any:
            return torch.Tensor._make_subclass(cls, torch.as_tensor(data))

        def __init__(self, data: Any, label: str = "") -> None:
            self.label = label

        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            found = super().__torch_function__(func, types, args, kwargs)
            labels = [a.label for a in args if hasattr(a, "label")]
            if isinstance(found, cls) and labels:
                found.label = f"{func.__name__}({', '.join(labels)})"
            return found

        def double(self) -> Any:
            return super().add(self)

        def __add__(self, other: Any) -> Any:
            return super().__add__(other)

    a, b = Named([1.0, 2.0], "a"), Named([3.0, 4.0], label="b")
    return [
        (a + b).label,
        (a * b).label,
        a.double().label,
        torch.mul(a, b).label,
        (a - 1).label,
        (2 * a).label,
        a.sum().label,
        a[0].label,
        (a + b).tolist(),
        type((a + b).double()).__name__,
        a.clone().label,
    ]


def documented_duck(torch: Any) -> list[Any]:
    handled: dict[Any, Any] = {}

    class Scalar:
        def __init__(self, n: int, value: float) -> None:
            self.n, self.value = n, value

        def __repr__(self) -> str:
            return f"Scalar({self.n}, {self.value})"

        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if func not in handled or not all(
                issubclass(t, (torch.Tensor, Scalar)) for t in types
            ):
                return NotImplemented
            return handled[func](*args, **(kwargs or {}))

    handled[torch.mean] = lambda input: float(input.value) / input.n
    handled[torch.add] = lambda input, other: Scalar(
        input.n, input.value + getattr(other, "value", 1)
    )
    handled[torch.Tensor.add] = handled[torch.add]
    handled[torch.nn.functional.relu] = lambda input, inplace: ("relu", inplace)
    d = Scalar(5, 2.0)
    return [
        torch.mean(d),
        repr(torch.add(d, d)),
        torch.nn.functional.relu(d),
        attempt(lambda: torch.mul(d, d)),
        attempt(lambda: torch.nn.functional.softmax(d, 0)),
        attempt(lambda: torch.sum(d)),
    ]
