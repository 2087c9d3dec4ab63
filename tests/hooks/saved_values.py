"""What nodes saved: as users see it, with hooks of its own, written to, freed."""

from typing import Any

from tests.observe import attempt


def pairs_on_one_tensor(torch: Any) -> Any:
    a = torch.randn(5, requires_grad=True)
    y = a * a
    r = [
        type(y.grad_fn._raw_saved_self).__name__,
        attempt(
            lambda: y.grad_fn._raw_saved_self.register_hooks(lambda x: 2 * x, lambda x: x / 2)
        ),
    ]
    r.append(torch.equal(a, y.grad_fn._saved_self))
    r.append(torch.equal(a, y.grad_fn._saved_other))
    y.sum().backward()
    r.append(torch.allclose(2 * a, a.grad))
    a.grad = None

    def pack(x):
        return [x]

    y = a * a
    y.grad_fn._raw_saved_self.register_hooks(lambda x: 2 * x, lambda x: x)
    y.grad_fn._raw_saved_other.register_hooks(lambda x: 2 * x, lambda x: x)
    y.sum().backward()
    r.append(torch.allclose(4 * a, a.grad))
    return r


def refused(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    y = a * 2
    r = [
        attempt(lambda: y.grad_fn._raw_saved_other),
        attempt(lambda: y.grad_fn._saved_other),
        attempt(lambda: y.grad_fn._raw_saved_self.register_hooks(lambda x: x, lambda x: x)),
    ]
    y = a * a
    raw = y.grad_fn._raw_saved_self

    def h(x):
        return x

    r += [
        attempt(lambda: raw.register_hooks(lambda x: x)),
        attempt(lambda: raw.register_hooks()),
        attempt(lambda: raw.register_hooks(1, 1)),
        attempt(lambda: raw.register_hooks(h, h)),
        attempt(lambda: raw.register_hooks(h, h)),
    ]
    y.sum().backward()
    r += [
        attempt(lambda: raw.register_hooks(h, h)),
        attempt(lambda: y.grad_fn._raw_saved_self),
        attempt(lambda: y.grad_fn._saved_self),
    ]
    y = a.exp()
    raw = y.grad_fn._raw_saved_result
    y.sum().backward()
    r += [attempt(lambda: raw.register_hooks(h, h)), attempt(lambda: y.grad_fn._raw_saved_result)]

    y = a.exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda x: 3, lambda x: x)
    r.append(attempt(lambda: y.sum().backward()))
    y = a.exp()
    r.append(
        attempt(lambda: y.grad_fn._raw_saved_result.register_hooks(lambda x: 1 // 0, lambda x: x))
    )
    y = a.exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda x: x, lambda x: 1 // 0)
    r.append(attempt(lambda: y.sum().backward()))
    r.append(attempt(lambda: y.sum().backward()))

    def inplace_double(x):
        x *= 2
        return x

    y = a.clone() * a.clone()
    r.append(
        attempt(lambda: y.grad_fn._raw_saved_self.register_hooks(inplace_double, lambda x: x / 2))
    )
    return r


def data_of_a_saved_tensor(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    b = a * 1
    y = b * b
    raw = y.grad_fn._raw_saved_self
    r = [
        attempt(lambda: type(raw.data).__name__),
        attempt(lambda: raw.data is b),
        attempt(lambda: raw.unpack_hook),
    ]
    raw.register_hooks(lambda x: (1, x), lambda t: t[1])
    r += [attempt(lambda: raw.data[0]), attempt(lambda: raw.unpack_hook((1, 2)))]
    y = b.exp()
    raw = y.grad_fn._raw_saved_result
    r += [
        attempt(lambda: raw.data is y),
        attempt(lambda: raw.data.grad_fn),
        attempt(lambda: raw.data.requires_grad),
    ]
    with torch.autograd.graph.saved_tensors_hooks(lambda x: ("p", x), lambda t: t[1]):
        y = b * b
    r += [
        attempt(lambda: y.grad_fn._raw_saved_self.data[0]),
        attempt(lambda: y.grad_fn._raw_saved_self.unpack_hook(("p", 5))),
    ]
    y = a * a
    r += [attempt(lambda: y.grad_fn._raw_saved_self.data is a)]
    return r


def written_to(torch: Any) -> Any:
    a = torch.randn(2, requires_grad=True)
    b = a + 1
    b.retain_grad() if False else None
    c = torch.exp(b)
    d = b.exp()
    r = []
    with torch.no_grad():
        d.add_(1)
    r.append(attempt(lambda: d.sum().backward()))
    b = a + 1
    c = b * b
    with torch.no_grad():
        b.add_(1)
    r.append(attempt(lambda: c.grad_fn._saved_self))
    r.append(attempt(lambda: c.sum().backward()))
    return r


def what_nodes_show(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    b = a * 1
    y = b * b
    z = a * a
    e = b.exp()
    c = torch.ones(2)
    w = b * c
    return [
        y.grad_fn._saved_self is b,
        z.grad_fn._saved_self is a,
        e.grad_fn._saved_result is e,
        torch.equal(e.grad_fn._saved_result, e),
        e.grad_fn._saved_result.grad_fn is e.grad_fn,
        w.grad_fn._saved_other is c,
        w.grad_fn._saved_self,
        y.grad_fn._saved_self.data_ptr() == b.data_ptr(),
        e.grad_fn._saved_result._version,
        attempt(lambda: y.grad_fn._saved_foo),
    ]


def detached_in_place(torch: Any) -> Any:
    a = torch.tensor(1.0, requires_grad=True).clone()
    b = a.detach() if False else a
    y = a * a
    b = a.detach_() if False else None
    x = torch.ones(2, requires_grad=True)
    t = x.clone()
    e = t.exp()
    e.detach_()
    r = [attempt(lambda: e.requires_grad)]
    t = x * 1
    v = t.tanh()
    n = v.grad_fn
    v.detach_()
    r.append(attempt(lambda: n._saved_result.grad_fn is n))
    del v
    r.append(attempt(lambda: torch.autograd.graph.Node and n._saved_result.requires_grad))
    b = x * 2
    y = b * b
    b.detach_()
    r.append(attempt(lambda: y.sum().backward()))
    # saved leaf then in-place
    l = torch.ones(2, requires_grad=True)
    y = l * l
    with torch.no_grad():
        l.add_(1)
    r.append(attempt(lambda: y.sum().backward()))
    return r


def freed(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    y = a * a
    n = y.grad_fn
    y.sum().backward()
    r = [
        attempt(lambda: n._saved_self),
        attempt(lambda: n._saved_other),
        attempt(lambda: n._raw_saved_self),
        attempt(lambda: y.sum().backward()),
    ]
    y = a.sum()
    y.backward()
    r.append(attempt(lambda: y.backward()))
    r.append(attempt(lambda: y.grad_fn._saved_self_sym_sizes))
    y = a.exp()
    y.sum().backward()
    r.append(attempt(lambda: y.grad_fn._saved_result))
    y = a**2
    y.sum().backward(retain_graph=True)
    r.append(attempt(lambda: y.sum().backward()))
    r.append(attempt(lambda: y.grad_fn._saved_exponent))
    r.append(attempt(lambda: y.grad_fn._saved_self))
    y = torch.cat([a, a])
    y.sum().backward()
    r.append(attempt(lambda: y.sum().backward()))
    return r
