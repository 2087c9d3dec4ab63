"""Views of dual tensors, and writes in place: the tangent is treated as the value is."""

from typing import Any

from tests.observe import attempt


def _dual(torch: Any, *shape: int) -> Any:
    fw = torch.autograd.forward_ad
    size = 1
    for n in shape:
        size *= n
    x = torch.arange(1.0, size + 1).view(shape)
    return fw.make_dual(x, (x * 10).clone())


def views(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        d = _dual(torch, 2, 3)
        t = fw.unpack_dual(d).tangent
        seen = []
        for view in (
            d[0],
            d.t(),
            d.view(3, 2),
            d[:, 1:],
            d.diagonal(),
            d.unbind()[1],
            d.expand(2, 2, 3),
        ):
            found = fw.unpack_dual(view).tangent
            seen.append([repr(view), found._is_view(), found._base is t])
        d.mul_(2)
        return [*seen, repr(d[0]), repr(d.t()[0])]


def of_views_of_views(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        d = _dual(torch, 2, 3)
        v = d.t()[1:]
        v.mul_(3)
        w = v[0]
        w.zero_()
        return [repr(d), repr(v), repr(w)]


def written(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        seen = []
        for write in (
            lambda d: d.mul_(3),
            lambda d: d.add_(d),
            lambda d: d.mul_(d),
            lambda d: d.exp_(),
            lambda d: d.zero_(),
            lambda d: d.fill_(2.0),
            lambda d: d.copy_(torch.ones(3)),
            lambda d: d.clamp_(2.0, 5.0),
            lambda d: d.index_fill_(0, torch.tensor([1]), 4.0),
            lambda d: d.masked_fill_(d > 2, 0.0),
            lambda d: d.scatter_(0, torch.tensor([0]), torch.ones(1)),
            lambda d: d.__setitem__(0, 9.0),
            lambda d: d.__setitem__(slice(1, None), d[:2] * 1),
            lambda d: d.pow_(2).div_(4),
            lambda d: d.sub_(1, alpha=2),
            lambda d: d.normal_().mul_(0),
            lambda d: d.lerp_(torch.ones(3), 0.25),
            lambda d: d.resize_(3),
        ):
            for manager in (torch.enable_grad, torch.no_grad):
                d = _dual(torch, 3)
                t = fw.unpack_dual(d).tangent
                with manager():
                    result = attempt(lambda: repr(write(d)))
                seen.append([result[:10], repr(d), fw.unpack_dual(d).tangent is t, repr(t)])
    return seen


def given(torch: Any) -> Any:
    """A tensor without a tangent gets one by a write; so does the base of a view."""
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        d, seen = _dual(torch, 3), []
        for manager in (torch.enable_grad, torch.no_grad):
            with manager():
                a = torch.ones(3)
                a.add_(d)
                b = torch.zeros(2, 3)
                b[0].copy_(d)
                c = torch.zeros(2, 3)
                earlier = c[1]
                c[1] = d * 2
                e = torch.zeros(3)
                e[1] = d[0]
                f = torch.ones(3).mul_(d)
                g = torch.zeros(3, 3)
                g.t()[0] = d
            seen += [repr(one) for one in (a, b, b[1], c, earlier, e, f, g)]
    return seen


def reshaped(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        seen = []
        for change in ("t_", "unsqueeze_", "squeeze_", "transpose_", "swapaxes_"):
            args = {"unsqueeze_": (0,), "transpose_": (0, 1), "swapaxes_": (1, 0)}.get(change, ())
            d = _dual(torch, 1, 3)
            getattr(d, change)(*args)
            seen += [repr(d), list(fw.unpack_dual(d).tangent.shape), repr(d.mul_(2))]
            view = _dual(torch, 2, 3)[:1]
            getattr(view, change)(*args)
            seen += [repr(view)]
    return seen


def leaves(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    x = torch.ones(2, requires_grad=True)
    t = torch.ones(2, requires_grad=True)
    with fw.dual_level():
        d = fw.make_dual(x, torch.ones(2))
        seen = [attempt(lambda: d.mul_(2))]
        seen += [attempt(lambda: fw.make_dual(torch.ones(2), t).mul_(2))]
        e = fw.make_dual(torch.ones(2), torch.ones(2)).requires_grad_()
        return [*seen, attempt(lambda: e.mul_(2))]


def histories(torch: Any) -> Any:
    """Tangents written to in place keep a graph of their own."""
    fw = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    t = torch.tensor([3.0, 5.0], requires_grad=True)
    with fw.dual_level():
        d = fw.make_dual(x * 1, t * 1)
        d.mul_(x)
        d[0].exp_()
        tangent = fw.unpack_dual(d).tangent
        first = torch.autograd.grad(tangent.sum(), (x, t), retain_graph=True)
        second = torch.autograd.grad(d.sum(), x)
        return [repr(one) for one in (*first, *second)]
