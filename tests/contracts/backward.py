"""backward() and grad(): what they refuse and what they say."""

import copy
from typing import Any

import numpy as np

from tests.observe import attempt, rounded


def _leaf(torch: Any, *shape: int) -> Any:
    return torch.ones(shape, requires_grad=True)


def roots_without_history(torch: Any) -> Any:
    root, plain = _leaf(torch, 1).sum(), torch.ones(1)
    return [attempt(lambda: plain.backward()),
            attempt(lambda: torch.autograd.backward([root, plain]))]  # fmt: skip


def roots_of_several_elements(torch: Any) -> Any:
    x = _leaf(torch, 1, 1, 1)
    x.backward()
    print(x.grad.shape)
    return [attempt(lambda: (_leaf(torch, 2) * 2).backward()),
            attempt(lambda: torch.autograd.grad(x.expand(2, 1, 1), x))]  # fmt: skip


def complex_roots(torch: Any) -> Any:
    x = torch.tensor(1 + 2j, requires_grad=True)
    x.abs().backward()
    print(x.grad)
    return attempt(lambda: (x * 2).backward())


def gradients_of_the_wrong_shape(torch: Any) -> Any:
    x = _leaf(torch, 2)
    return [attempt(lambda: (x * 2).backward(torch.ones(3))),
            attempt(lambda: torch.autograd.grad(x * 2, x, torch.ones(2, 1))),
            attempt(lambda: x.sum().backward(torch.ones(1)))]  # fmt: skip


def gradients_of_the_wrong_kind(torch: Any) -> Any:
    x, backward = _leaf(torch, 2), torch.autograd.backward
    return [attempt(lambda: torch.autograd.grad([x * 2, x * 3], x, [torch.ones(2)])),
            attempt(lambda: backward([x * 2], [3])),
            attempt(lambda: backward([x * 2], ["a"])),
            attempt(lambda: (x * 2).backward(torch.ones(2, dtype=torch.cfloat))),
            attempt(lambda: (x * 2).backward(3.0))]  # fmt: skip


def gradients_are_cast(torch: Any) -> Any:
    x = _leaf(torch, 2)
    (x * 2).backward(torch.ones(2, dtype=torch.float64))
    (x * 2).backward(torch.ones(2, dtype=torch.int64))
    print(x.grad, x.grad.dtype)


def freed_graph(torch: Any) -> Any:
    x = _leaf(torch, 2)
    y = (x * x).sum()
    y.backward()
    shifted = (x + 1).sum()
    shifted.backward()
    shifted.backward()
    print(x.grad)
    return attempt(lambda: y.backward())


def unused_inputs(torch: Any) -> Any:
    x, y, plain = _leaf(torch, 1), _leaf(torch, 1), torch.ones(1)
    grad = torch.autograd.grad
    print(grad(x * 2, [x, y], allow_unused=True), grad(x * 2, [x, y], materialize_grads=True))
    print(grad(x * 2, [x, x]), x.grad)
    return [attempt(lambda: grad(x * 2, [x, y])),
            attempt(lambda: grad(x * 2, [x, y], allow_unused=False, materialize_grads=True)),
            attempt(lambda: grad(x * 2, plain)), attempt(lambda: grad(plain, x)),
            attempt(lambda: grad(x * 2, [])), attempt(lambda: grad((), x))]  # fmt: skip


def chosen_inputs(torch: Any) -> Any:
    x, w = _leaf(torch, 1), _leaf(torch, 1)
    y = x * w
    z = (y * 2).sum()
    z.backward(inputs=[x], retain_graph=True)
    print(x.grad, w.grad)
    z.backward(inputs=x, retain_graph=True)
    z.backward(inputs=[_leaf(torch, 1)], retain_graph=True)
    print(x.grad)
    plain = torch.ones(1)
    return [attempt(lambda: z.backward(inputs=[])), attempt(lambda: z.backward(inputs=[plain]))]


def integers_have_no_gradient(torch: Any) -> Any:
    x = _leaf(torch, 2)
    flag = torch.tensor([True])
    print((x > 0).requires_grad, x.argmax().requires_grad, x.long().requires_grad)
    return [attempt(lambda: torch.tensor([1], requires_grad=True)),
            attempt(lambda: torch.ones(1, dtype=torch.int64).requires_grad_()),
            attempt(lambda: setattr(flag, "requires_grad", True)),
            attempt(lambda: torch.nn.Parameter(torch.tensor([1])))]  # fmt: skip


def history_keeps_requires_grad(torch: Any) -> Any:
    y = _leaf(torch, 1) * 2
    y.requires_grad_(True)
    return [attempt(lambda: y.requires_grad_(False)),
            attempt(lambda: setattr(y, "requires_grad", False))]  # fmt: skip


def assigned_gradients(torch: Any) -> Any:
    x, plain = _leaf(torch, 2), torch.ones(2)
    plain.grad = torch.ones(2)
    x.grad = torch.ones(2)
    del x.grad
    print(x.grad, plain.grad)
    return [attempt(lambda: setattr(x, "grad", torch.ones(3))),
            attempt(lambda: setattr(x, "grad", torch.ones(2, dtype=torch.double))),
            attempt(lambda: setattr(x, "grad", 1)), attempt(lambda: setattr(x, "grad", x)),
            attempt(lambda: setattr(x, "grad_fn", None)),
            attempt(lambda: setattr(x, "is_leaf", True))]  # fmt: skip


def create_graph_warns(torch: Any) -> Any:
    x = _leaf(torch, 1)
    (x**2).backward(create_graph=True)
    print(x.grad)
    x.grad = None


def conversions(torch: Any) -> Any:
    x, two, none = _leaf(torch, 1), torch.ones(2), torch.ones(0)
    print(x.item(), x.tolist(), float(x))
    return [attempt(lambda: x.numpy()), attempt(lambda: np.asarray(x)),
            attempt(lambda: two.item()), attempt(lambda: float(two)), attempt(lambda: bool(two)),
            attempt(lambda: bool(none)), attempt(lambda: two.__index__())]  # fmt: skip


def deep_copies(torch: Any) -> Any:
    x = _leaf(torch, 2)
    x.grad = torch.ones(2) * 5
    copied = copy.deepcopy(x)
    print(copied.requires_grad, copied.is_leaf, copied.grad, copied.grad is x.grad)
    return attempt(lambda: copy.deepcopy(x * 2))


def tensors_of_tensors(torch: Any) -> Any:
    x = _leaf(torch, 1)
    print(torch.tensor(x).requires_grad, torch.as_tensor(x) is x)


def out_arguments(torch: Any) -> Any:
    x, out = _leaf(torch, 1), torch.empty(1)
    refused = attempt(lambda: torch.add(x, 1, out=out))
    with torch.no_grad():
        torch.add(x, 1, out=out)
    print(out)
    return refused


def data_is_set(torch: Any) -> Any:
    x = _leaf(torch, 2)
    x.data = torch.zeros(3)
    x.data.add_(1)
    print(x, x._version, x.is_leaf)
    return [attempt(lambda: setattr(x, "data", 1)),
            attempt(lambda: setattr(x, "data", torch.zeros(2, dtype=torch.long)))]  # fmt: skip


def old_argument_names(torch: Any) -> Any:
    x, one = _leaf(torch, 1), torch.ones(1)
    backward = torch.autograd.backward
    backward([])
    return attempt(lambda: backward(x * 2, grad_tensors=one, grad_variables=one))


def detached(torch: Any) -> Any:
    y = _leaf(torch, 2) * 2
    d = y.detach()
    print(d.requires_grad, d.data_ptr() == y.data_ptr(), d._is_view())
    y.detach_()
    print(y.requires_grad, y.grad_fn, y.is_leaf)
    view = (_leaf(torch, 2) * 2)[0:1]
    return attempt(lambda: view.detach_())


def higher_orders(torch: Any) -> Any:
    x, grad = torch.tensor(2.0, requires_grad=True), torch.autograd.grad
    (first,) = grad(x**3, x, create_graph=True)
    (second,) = grad(first, x, create_graph=True)
    (third,) = grad(second, x)
    print(first, second, third)
    (plain,) = grad(x**3, x)
    return [attempt(lambda: grad(plain, x)), attempt(lambda: plain.backward())]


def introduction(torch: Any) -> Any:
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    b = torch.tensor([6.0, 4.0], requires_grad=True)
    q = 3 * a**3 - b**2
    print(q)
    q.backward(gradient=torch.tensor([1.0, 1.0]))
    print(9 * a**2 == a.grad, -2 * b == b.grad)
    x = torch.eye(4, 5, requires_grad=True)
    out = (x + 1).pow(2).t()
    for _ in range(2):
        out.backward(torch.ones_like(out), retain_graph=True)
        print(x.grad)
    return [rounded(a.grad), rounded(b.grad)]


def shapes_that_do_not_fit(torch: Any) -> Any:
    three, long = torch.ones(3), torch.ones(3, dtype=torch.long)
    wide = torch.ones(2, 3)
    return [attempt(lambda: three.add_(wide)), attempt(lambda: long.add_(1.5)),
            attempt(lambda: long.div_(2)), attempt(lambda: torch.ones(1).expand(3).add_(1)),
            attempt(lambda: three + torch.ones(4)), attempt(lambda: wide @ wide),
            attempt(lambda: torch.ones(6).view(4)), attempt(lambda: wide.t().view(6)),
            attempt(lambda: three[5]), attempt(lambda: three.sum(2))]  # fmt: skip


def types_that_do_not_fit(torch: Any) -> Any:
    flag, three = torch.tensor([True]), torch.ones(3)
    return [attempt(lambda: torch.ones(2, dtype=torch.long).mean()), attempt(lambda: flag - flag),
            attempt(lambda: three @ torch.ones(3, dtype=torch.double))]  # fmt: skip
