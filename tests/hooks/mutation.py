"""allow_mutation_on_saved_tensors: what is copied, for how long, and what is refused."""

from typing import Any

from tests.observe import attempt, rounded


def _mut(torch: Any) -> Any:
    return torch.autograd.graph.allow_mutation_on_saved_tensors()


def _n(context: Any) -> int:
    return len(list(context.cloned.items()))


def _tid(context: Any) -> int:
    return len(list(context.tid_to_weakhandle.items()))


def written_after_saving(torch: Any) -> Any:
    a = torch.rand(2, 3, requires_grad=True)

    def fn(a):
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        out.sum().backward()
        return a.grad

    r = [attempt(lambda: fn(a))]
    a.grad = None
    with _mut(torch) as c:
        da = fn(a)
        r += [torch.allclose(a * 2, da), _n(c)]
    return r


def through_a_view(torch: Any) -> Any:
    a = torch.rand(2, 3, requires_grad=True)
    with _mut(torch) as c:
        b = a.clone()
        d = b.view_as(b)
        out = (b**2).sum()
        d.sin_()
        out.sum().backward()
        return [torch.allclose(a * 2, a.grad), _n(c)]


def base_or_view(torch: Any) -> Any:
    r = []
    with _mut(torch) as c:
        a = torch.rand(2, 3, requires_grad=True)
        b = a.clone()
        d = b[:1]
        out = b**2
        d *= 10
        out.sum().backward()
        r += [_n(c)]
    r += [_n(c), torch.allclose(a * 2, a.grad)]
    with _mut(torch) as c:
        a = torch.rand(2, 3, requires_grad=True)
        b = a.clone()
        d = b[:]
        out = (d**2).sum()
        b *= 2
        out.backward()
        r += [_n(c), torch.allclose(a * 2, a.grad)]
    return r


def double_backward(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.rand(2, 3, requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        r = [_n(c), _tid(c)]
        (g,) = torch.autograd.grad(out, a, create_graph=True)
        r += [_n(c)]
        (da,) = torch.autograd.grad(g.sum(), a)
        r += [_n(c), _tid(c), torch.allclose(g, 2 * a), rounded(da)]
        del g, da, out
        r.append((_n(c), _tid(c)))
    return r


def saved_no_more(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.randn(2, 3, requires_grad=True).clone()
        out = (a**2).sum()
        r = [_tid(c), _n(c)]
        out.backward()
        a.sin_()
        r += [_n(c), _tid(c)]
        out = (a**2).sum()
        r += [_n(c)]
        a.sin_()
        r += [_n(c)]
        del out
        r += [_n(c), _tid(c)]
    return r


def saved_many_times(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.randn(2, 3, requires_grad=True).clone()
        b = a**2
        d = a**2
        r = [_tid(c)]
        a.sin_()
        r += [_n(c), _tid(c)]
        del b
        r += [_n(c)]
        del d
        r += [_n(c), _tid(c)]
    return r


def several_versions(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.randn(2, 3, requires_grad=True).clone()
        b = a**2
        a.sin_()
        d = a**2
        a.sin_()
        r = [_n(c)]
        del b
        r += [_n(c)]
        del d
        r += [_n(c)]
    return r


def conjugates(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.tensor([1 + 1j], requires_grad=True).clone()
        b = a.conj()
        out = (b**2).sum()
        a.sin_()
        out.abs().backward()
        a = torch.tensor([1 + 1j], requires_grad=True).clone()
        b = a.conj()
        out = (b**2).sum()
        b.sin_()
        out.abs().backward()
    return _n(c)


def out_argument(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.tensor([1.0], requires_grad=True)
        b = torch.tensor([1.0])
        d = torch.tensor([2.0])
        out = a * b
        r = [_tid(c)]
        torch.sin(d, out=b)
        r += [_n(c)]
        out.backward()
        r += [_n(c), rounded(a.grad)]
    return r


def outside(torch: Any) -> Any:
    a = torch.rand(2, 3, requires_grad=True)
    r = []
    with _mut(torch) as c:
        out = (a**2).sum()
    r.append(attempt(lambda: out.backward()))
    with _mut(torch) as c:
        out = (a**2).sum()
    with _mut(torch) as c:
        r.append(attempt(lambda: out.backward()))
    with _mut(torch) as c:
        out = (a**2).sum()
        c.clear()
        r.append(attempt(lambda: out.backward()))
    with _mut(torch) as c:
        r.append(attempt(lambda: _mut(torch).__enter__()))
    return r, type(c).__name__


def without_recording(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    r = []
    with _mut(torch) as c:
        out = (a * a).sum()
        with torch.no_grad():
            a.mul_(5)
            a[0] = 3
            a.data.add_(1)
        out.backward()
        r += [rounded(a.grad), _n(c)]
    return r


def assigned(torch: Any) -> Any:
    with _mut(torch):
        a = torch.ones(3, requires_grad=True)
        b = a.clone()
        out = (b.exp() * b).sum()
        b[0] = 7.0
        b[1:].zero_()
        out.backward()
    return rounded(a.grad, 4)


def what_is_unpacked(torch: Any) -> Any:
    with _mut(torch) as c:
        a = torch.ones(2, requires_grad=True)
        y = a * a
        s = y.grad_fn._saved_self
        r = [s is a, s.requires_grad, s.is_leaf, y.grad_fn._saved_other is s]
        b = a.exp()
        s = b.grad_fn._saved_result
        r += [s.requires_grad, s.grad_fn is b.grad_fn, _n(c), _tid(c)]
        b.mul_(2)
        b.sum().backward()
        r.append(rounded(a.grad, 4))
        r.append(_n(c))
    return r


def weights(torch: Any) -> Any:
    lin = torch.nn.Linear(2, 1)
    with torch.no_grad():
        lin.weight.fill_(1.0)
        lin.bias.fill_(0.0)
    x = torch.ones(3, 2)
    with _mut(torch):
        h = lin(x).relu()
        loss = (h * h).sum()
        with torch.no_grad():
            lin.weight.mul_(100)
        loss.backward()
    return rounded(lin.weight.grad)
