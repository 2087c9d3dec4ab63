"""`torch.autograd.forward_ad`: levels, dual tensors, what is refused, what carries a tangent."""

import warnings
from typing import Any

from tests.observe import attempt


def _parts(torch: Any) -> Any:
    """The module, a tensor and a direction."""
    with warnings.catch_warnings():  # what PyTorch loads at first is deprecated
        warnings.simplefilter("ignore")
        with torch.autograd.forward_ad.dual_level():
            torch.autograd.forward_ad.make_dual(torch.ones(1), torch.ones(1))
    return torch.autograd.forward_ad, torch.tensor([1.0, 2.0]), torch.tensor([0.5, -1.0])


def names(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    return [sorted(fw.__all__), fw.UnpackedDualTensor._fields, fw._is_fwd_grad_enabled()]


def levels(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    seen: list[Any] = [fw._current_level, attempt(lambda: fw.make_dual(x, v))]
    seen += [fw.unpack_dual(x).tangent, attempt(fw.exit_dual_level)]
    with fw.dual_level() as number:
        seen += [number, fw._current_level, attempt(fw.enter_dual_level)]
        seen += [attempt(lambda: fw.exit_dual_level(level=1))]
        d = fw.make_dual(x, v)
        seen += [attempt(lambda: fw.unpack_dual(d, level=n)) for n in (-1, 0, 1)]
        seen += [attempt(lambda: fw.make_dual(x, v, level=n)) for n in (-1, 0, 1)]
        y = d * 2
    seen += [repr(y), attempt(lambda: fw.unpack_dual(y)), fw._current_level]
    seen += [fw.enter_dual_level(), fw.exit_dual_level(level=0), fw._current_level]

    @fw.dual_level()  # type: ignore[untyped-decorator]
    def inside() -> str:
        return repr(fw.make_dual(x, v))

    return [*seen, inside(), inside()]


def refused(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    with fw.dual_level():
        d = fw.make_dual(x, v)
        whole = torch.ones(2, dtype=torch.int64)
        return [
            attempt(lambda: fw.make_dual(one, other))
            for one, other in (
                (x, torch.ones(3)),
                (x, torch.ones(2, 1)),
                (x, whole),
                (whole, whole),
                (whole, v),
                (x, None),
                (1.0, v),
                (x, 1.0),
                (d, v),
                (x, d),
            )
        ] + [attempt(lambda: fw.unpack_dual(3))]


def made(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    seen = []
    with fw.dual_level():
        d = fw.make_dual(x, v)
        seen += [repr(d), d._is_view(), d._base is x, d.is_leaf, d.requires_grad]
        primal, tangent = fw.unpack_dual(d)
        seen += [primal is x, primal is d, primal._is_view(), tangent is v, repr(primal)]
        seen += [repr(fw.unpack_dual(x)), fw.unpack_dual(x).primal is x]
        a, b = x.clone().requires_grad_(), v.clone().requires_grad_()
        d = fw.make_dual(a, b)
        seen += [repr(d), d.is_leaf, repr(fw.unpack_dual(d))]
        seen += [repr(fw.make_dual(x, v.double())), repr(fw.make_dual(x, v + 0j))]
        seen += [repr(fw.make_dual(x + 0j, v))]
    return seen


def layouts(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    x, seen = torch.arange(6.0).view(2, 3), []
    tangents = (torch.ones(2, 3), torch.ones(3, 2).t(), torch.ones(3).expand(2, 3))
    with fw.dual_level():
        for one in (x, x.t().contiguous().t(), torch.zeros(2, 6)[:, ::2]):
            for tangent in tangents:
                found = fw.unpack_dual(fw.make_dual(one, tangent)).tangent
                seen.append([found is tangent, list(found.stride()), found.tolist()])
        d = fw.make_dual(x, tangents[2])
        for made in (d.t() * 1, d.sum(0, keepdim=True).expand(2, 3), d.flatten()):
            seen.append([list(fw.unpack_dual(made).tangent.stride()), repr(made)])
    return seen


def switched_off(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    seen = []
    with fw.dual_level():
        d = fw.make_dual(x, v)
        with fw._set_fwd_grad_enabled(False):
            seen += [repr(d), repr(d * 2), repr(fw.unpack_dual(d)), fw._is_fwd_grad_enabled()]
        seen += [repr(d), repr(d * 2)]
        with torch.no_grad():
            seen += [repr(d * 2), repr(d[0] * d)]
        with torch.inference_mode():
            seen += [repr(d * 2), fw._is_fwd_grad_enabled()]
        seen += [repr(d.exp())]
    return seen


def cut_off(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    with fw.dual_level():
        d = fw.make_dual(x, v)
        made = torch.zeros(2).copy_(d)
        return [
            repr(one)
            for one in (
                d.detach(),
                d.data,
                d.long(),
                d > 1,
                d.argmax(),
                d.round(),
                d.sign(),
                torch.zeros_like(d),
                d.new_tensor([1.0]),
                d.numpy().tolist(),
                torch.nn.Parameter(d),
                torch.as_tensor(d),
                made,
                made.detach_(),
                d.requires_grad_(),
            )
        ]


def copies(torch: Any) -> Any:
    import copy
    import pickle

    fw, x, v = _parts(torch)
    with fw.dual_level():
        d = fw.make_dual(x, v)
        return [repr(copy.copy(d)), repr(copy.deepcopy(d)), repr(pickle.loads(pickle.dumps(d)))]


def results_into(torch: Any) -> Any:
    fw, x, v = _parts(torch)
    with fw.dual_level():
        d, out = fw.make_dual(x, v), torch.empty(2)
        seen = [attempt(lambda: torch.mul(d, d, out=out))]
        seen += [attempt(lambda: torch.mul(x, x, out=d)), attempt(lambda: x.clone().set_(d))]
    return seen


def operators(torch: Any) -> Any:
    """A few operators of every kind, and composites."""
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(
            torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.tensor([[1.0, 0.0], [2.0, -1.0]])
        )
        w = torch.tensor([[2.0, 1.0], [0.0, 1.0]])
        b = fw.make_dual(torch.tensor([1.0, -1.0]), torch.tensor([0.0, 4.0]))
        return [
            repr(one)
            for one in (
                x * w,
                w - x,
                x / b,
                x**2,
                2**b,
                x @ w,
                w @ x,
                x @ x,
                torch.addmm(b, x, w, beta=2, alpha=3),
                torch.nn.functional.linear(w, x, b),
                x.sum(),
                x.mean(0),
                x.max(1).values,
                x.sort(descending=True).values,
                torch.cat([x, w]),
                torch.stack([b, b * 2]),
                torch.where(x > 2, x, b),
                x.masked_fill(x > 2, 7.0),
                torch.nn.functional.pad(x, (1, 0), value=3.0),
                x.softmax(0),
                torch.linalg.det(w + x.double()).float(),
                torch.einsum("ij,j->i", x, b),
                x.std(),
                torch.nn.functional.cross_entropy(x, torch.tensor([0, 1])).half(),
                b.double(),
                b + 1j,
                (b + 1j).abs(),
                b.half(),
            )
        ]


def complex_numbers(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        z = fw.make_dual(torch.tensor([3 + 4j, 1 - 2j]), torch.tensor([1 + 1j, 2j]))
        return [
            [one.tolist().__repr__(), repr(fw.unpack_dual(one).tangent)]
            for one in (z * z, z.conj() * 1, z.real * 1, z.imag * 1, z.sum(), z / 2)
        ] + [repr(fw.unpack_dual(one).tangent) for one in (z.abs(), z.angle(), torch.sgn(z))]
