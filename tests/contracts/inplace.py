"""Versions, views and in-place operations."""

from typing import Any

from tests.observe import attempt, edges, rounded


def _leaf(torch: Any, *values: float) -> Any:
    return torch.tensor(values or [1.0, 1.0, 1.0], requires_grad=True)


def _name(tensor: Any) -> str | None:
    return type(tensor.grad_fn).__name__ if tensor.grad_fn is not None else None


def versions(torch: Any) -> Any:
    x = torch.zeros(3)
    seen = [x._version]
    view, alias = x[0:2], x.detach()
    for write in (lambda: x.add_(1), lambda: view.mul_(2), lambda: alias.add_(1)):
        write()
        seen.append(x._version)
    x.data.add_(1)
    seen.append(x._version)
    x[0] = 5
    seen.append(x._version)
    x.numpy()[0] = 1
    return [*seen, x._version, x.clone()._version, view._version]


def saved_result_written(torch: Any) -> str:
    y = _leaf(torch).exp()
    y.add_(1)
    return attempt(lambda: y.sum().backward())


def saved_leaf_and_constant_written(torch: Any) -> Any:
    x, constant = _leaf(torch), torch.ones(3)
    y = x * constant
    constant.add_(1)
    z = x * x
    with torch.no_grad():
        x.add_(1)
    return [attempt(lambda: y.sum().backward()), attempt(lambda: z.sum().backward())]


def written_twice(torch: Any) -> Any:
    y = torch.ones(2, 3, dtype=torch.double, requires_grad=True).sigmoid()
    z = y * y
    y[0].zero_()
    y.mul_(2)
    a = _leaf(torch).clone()
    b = a.sin()
    a += 1
    return [attempt(lambda: z.sum().backward()), attempt(lambda: b.sum().backward())]


def written_value_asked_for(torch: Any) -> str:
    y = _leaf(torch).exp()
    total = y.sum()
    y.add_(1)
    node = total.grad_fn.next_functions[0][0]
    return attempt(lambda: node._saved_result)


def leaves_refuse(torch: Any) -> Any:
    x = _leaf(torch)
    texts = [attempt(lambda: x.add_(1)), attempt(lambda: x.__setitem__(0, 1.0)),
             attempt(lambda: x[0:1].add_(1)), attempt(lambda: x.view(-1).mul_(2)),
             attempt(lambda: torch.relu_(x))]  # fmt: skip
    return [*texts, x._version, rounded(x)]


def views_made_without_recording(torch: Any) -> Any:
    x = _leaf(torch)
    with torch.no_grad():
        x.add_(1)
        view = x[0:1]
        inner = (y := x.clone())[0:1]
    print(x, view.requires_grad, view.is_leaf, view._is_view())
    return [attempt(lambda: view.add_(1)), inner.requires_grad, y.requires_grad]


def several_views_refuse(torch: Any) -> Any:
    y = torch.ones(4, requires_grad=True).clone()
    half, _ = y.split(2)
    first = y.unbind()[0]
    texts = [attempt(lambda: half.mul_(2)), attempt(lambda: first.add_(1)),
             attempt(lambda: y.chunk(2)[0].zero_())]  # fmt: skip
    plain = torch.ones(4)
    plain.split(2)[0].mul_(2)
    return [*texts, rounded(plain)]


def write_on_a_view(torch: Any) -> Any:
    x = _leaf(torch, 1.0, 2.0, 3.0)
    y = x * 1
    view = y[1:]
    before = _name(view)
    view.mul_(10)
    y.sum().backward()
    print(x.grad, y)
    return [before, _name(view), _name(y), edges(y.grad_fn)]


def write_on_the_base(torch: Any) -> Any:
    x = _leaf(torch, 1.0, 2.0, 3.0)
    y = x * 1
    view = y[1:]
    y.mul_(10)
    print(view)
    view.sum().backward()
    return rounded(x.grad)


def copies_into_views(torch: Any) -> Any:
    x, w = _leaf(torch, 1.0, 2.0), _leaf(torch, 5.0)
    y = x * 1
    y[0:1].copy_(w)
    y[1] = w[0]
    y.sum().backward()
    return [rounded(x.grad), rounded(w.grad), _name(y)]


def plain_base_gets_history(torch: Any) -> Any:
    base, w = torch.zeros(3), _leaf(torch, 1.0)
    view = base[0:1]
    view.add_(w)
    base.sum().backward()
    other = torch.zeros(2)
    other += w
    print(base.requires_grad, view.requires_grad, w.grad, other.is_leaf)
    return [_name(base), _name(view), _name(other)]


def bases_of_views(torch: Any) -> Any:
    y = torch.arange(6.0).requires_grad_().clone()
    a = y.view(2, 3)
    copied = torch.ones(2, 3).t().reshape(-1)
    return [a._base is y, a[0]._base is y, a._is_view(), y._base is None, copied._is_view(),
            torch.ones(3).reshape(3)._is_view()]  # fmt: skip


def writes_beside_a_view(torch: Any) -> Any:
    x = torch.ones(4, requires_grad=True).clone()
    saved = x[:2].sin()
    x[3] = 7.0
    y = torch.ones(4, requires_grad=True).clone()
    kept = y[:2].exp()
    y[3] = 7.0
    return [attempt(lambda: saved.sum().backward()), attempt(lambda: kept.sum().backward())]


def which_writes_are_legal(torch: Any) -> Any:
    names = "exp sigmoid tanh sqrt relu reciprocal rsqrt sin cos log abs square neg erf tan expm1"
    return {name: [_survives(torch, name, before) for before in (True, False)]
            for name in names.split()}  # fmt: skip


def _survives(torch: Any, name: str, write_input: bool) -> bool:
    a = torch.rand(3, requires_grad=True).clone()
    result = getattr(a, name)()
    total = result.sum()
    (a if write_input else result).add_(1)
    return attempt(lambda: total.backward()) == "no error -> None"


def retained_gradients_move(torch: Any) -> Any:
    a = _leaf(torch, 1.0) * 2
    a.retain_grad()
    a.mul_(3)
    (a * 5).sum().backward()
    base = _leaf(torch) * 2
    base.retain_grad()
    base[0:1].mul_(5)
    base.sum().backward()
    return [rounded(a.grad), rounded(base.grad)]


def hooks_stay_with_the_value(torch: Any) -> Any:
    log: list[Any] = []
    a = _leaf(torch, 1.0) * 2
    a.register_hook(lambda grad: log.append(["before", grad.item()]))
    a.mul_(3)
    a.register_hook(lambda grad: log.append(["after", grad.item()]))
    (a * 1).sum().backward()
    return log


def writes_without_recording(torch: Any) -> Any:
    x, z = _leaf(torch, 1.0), torch.ones(1)
    with torch.no_grad():
        z.mul_(x)
    first = z.requires_grad
    z.mul_(x)
    with torch.no_grad():
        z.mul_(x)
    return [first, z.requires_grad, _name(z)]


def assignments(torch: Any) -> Any:
    w = torch.ones(2, requires_grad=True)
    mask, index = torch.tensor([True, False, True]), torch.tensor([0, 2])
    pairs = [(0, 1.0), (0, w[0]), (mask, 0.0), (index, w), (slice(0, 2), w), (..., 2.0)]
    seen = []
    for key, value in pairs:
        y = torch.ones(3, requires_grad=True) * 1
        y[key] = value
        seen.append([_name(y), edges(y.grad_fn)])
    return seen


def assigned_entries_lose_their_gradient(torch: Any) -> Any:
    x = _leaf(torch, 1.0, 2.0, 3.0)
    y = x * 2
    y[torch.tensor([True, False, False])] = 9.0
    y[1:2] = y[2:3] * 5
    (y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    print(x.grad, y)


def names_in_the_version_error(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    y[0] = 2.0
    z = y.sin()
    y.add_(1)
    soft = torch.nn.functional.softmax(x, 0)
    soft.mul_(2)
    half = torch.ones(2, 3, dtype=torch.half, requires_grad=True).exp()
    half += 1
    return [attempt(lambda: tensor.sum().backward()) for tensor in (z, soft, half)]


def overlapping_writes(torch: Any) -> str:
    base = torch.arange(4.0)
    return attempt(lambda: base[1:].add_(base[:-1]))


def _chain(tensor: Any) -> list[str]:
    names, node = [], tensor.grad_fn
    while node is not None:
        names.append(type(node).__name__)
        node = node.next_functions[0][0] if node.next_functions else None
    return names


def views_in_another_dtype_made_anew(torch: Any) -> Any:
    seen = []
    for view in (lambda b: torch.view_as_real(b)[0], lambda b: b[0].real, lambda b: b[:, 0].imag):
        base = torch.ones(2, 2, dtype=torch.complex64, requires_grad=True) * 1
        part = view(base)
        base.mul_(2)
        seen.append(_chain(part))
    x = torch.ones(2, 2, requires_grad=True)
    base = x * 1
    part = torch.view_as_complex(base)
    part.mul_(2 + 1j)
    part.abs().sum().backward()
    return [*seen, _chain(part), _name(base), rounded(x.grad)]


def bases_cut_after_a_write(torch: Any) -> Any:
    x = _leaf(torch)
    base = x * 1
    view, other = base[1:], base[:1]
    view.mul_(3)
    base.detach_()
    view.sum().backward()
    return [_name(view), _name(other), base.requires_grad, rounded(x.grad)]


def views_whose_history_nobody_read(torch: Any) -> Any:
    base, x = torch.ones(3), _leaf(torch)
    first, second = base[...], base[...]
    first.add_(x)
    refused = attempt(lambda: second.add_(1))
    second.retain_grad()
    return [refused, second.is_leaf, second.retains_grad, attempt(lambda: second.add_(1))]


def leaves_that_stop_requiring(torch: Any) -> Any:
    x, log = _leaf(torch), []
    y = x * 1
    x.register_hook(lambda grad: log.append(rounded(grad)))
    x.register_post_accumulate_grad_hook(lambda leaf: log.append(leaf.grad is None))
    node = y.grad_fn.next_functions[0][0]
    x.requires_grad_(False)
    y.sum().backward()
    x.requires_grad_()
    return [log, x.grad is None, x.sum().grad_fn.next_functions[0][0] is node]


def flags_of_non_leaves(torch: Any) -> Any:
    y = _leaf(torch) * 1
    return [attempt(lambda flag=flag: setattr(y, "requires_grad", flag)) for flag in (True, False)]


def memory_of_another_tensor(torch: Any) -> Any:
    x = _leaf(torch)
    y, plain = x * 1, torch.ones(2)
    y.set_(torch.ones(2))
    plain.set_(x)
    node: Any = y.grad_fn
    refused = [attempt(lambda: x.set_(plain.detach())), attempt(lambda: y.sum().backward())]
    return [node.name(), edges(node), edges(plain.grad_fn), y._version, *refused]


def sizes_of_the_same_memory(torch: Any) -> Any:
    x = torch.arange(6.0).view(2, 3)
    versions = [x.resize_(*shape)._version for shape in ((2, 3), (3, 2), (2,))]
    pairs = torch.view_as_complex(torch.arange(4.0).view(2, 2))
    return [
        versions,
        x.tolist(),
        str(pairs.resize_(1).dtype),
        attempt(lambda: _leaf(torch).resize_(2)),
    ]


def comparisons_in_place(torch: Any) -> Any:
    seen = []
    for other in (torch.tensor([1.0, 2.0, 0.0]), 1.0):
        x = _leaf(torch)
        y = x * 1
        y.ge_(other)
        y.sum().backward()
        seen.append([_name(y), rounded(y), rounded(x.grad)])
    return seen


def freed_nodes_that_pick(torch: Any) -> Any:
    x, index, mask = _leaf(torch), torch.tensor([0, 2]), torch.tensor([True, False, True])
    picked = [x[index], x[mask], x.index_put((index,), torch.ones(2)), x.scatter_add(
        0, index, torch.ones(2)
    )]  # fmt: skip
    for result in picked:
        result.sum().backward()
    return [attempt(result.sum().backward) for result in picked]


def hooks_of_nodes_that_broadcast(torch: Any) -> Any:
    x, log = torch.ones(1, 2, requires_grad=True), []
    y = x.expand(3, 2)
    y.grad_fn.register_hook(lambda out, given: log.append([rounded(out[0]), rounded(given[0])]))
    z = x + torch.ones(2, 2)
    z.grad_fn.register_hook(lambda out, given: log.append([rounded(out[0]), out[1] is None]))
    (y.sum() + z.sum()).backward()
    return log


def activations_that_keep_their_result(torch: Any) -> Any:
    names = "elu_ selu_ celu_ leaky_relu_ relu_".split()
    functions = [getattr(torch.nn.functional, name) for name in names]
    seen = []
    for function in functions:
        x = torch.tensor([-1.0, 2.0], requires_grad=True)
        y = function(x * 1)
        y.sum().backward(retain_graph=True)
        y.add_(1)
        seen.append([_name(y), rounded(x.grad), attempt(y.sum().backward)])
    return seen
