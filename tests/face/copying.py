"""Copies and pickles of tensors; each snippet shows what is kept and what is refused."""

import copy
import pickle
import weakref
from typing import Any

from tests.observe import attempt


def _facts(t: Any) -> list[Any]:
    return [
        str(t.detach().tolist()),
        str(t.dtype),
        t.requires_grad,
        t.is_leaf,
        list(t.stride()),
        None if t.grad is None else t.grad.tolist(),
        type(t).__name__,
        t._version,
    ]


def deepcopy_of_leaves(torch: Any) -> list[Any]:
    plain = torch.arange(6.0).reshape(2, 3)
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    (leaf * leaf).sum().backward()
    turned = torch.arange(6.0).reshape(2, 3).t()
    whole = torch.tensor([1, 2])
    return [_facts(copy.deepcopy(t)) for t in (plain, leaf, turned, whole, torch.tensor(3.0))]


def deepcopy_of_nonleaves(torch: Any) -> list[str]:
    x = torch.ones(2, requires_grad=True)
    return [attempt(lambda: copy.deepcopy(t)) for t in (x * 2, x[0], x.view(2, 1), [x * 2])]


def deepcopy_keeps_what_is_one_thing_one(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.zeros(2)
    first, second = copy.deepcopy([x, x])
    detached = x.detach()
    both = copy.deepcopy([x, detached])
    both[0].data.add_(1)
    part = torch.arange(4.0)
    views = copy.deepcopy([part, part[1:3]])
    views[0].mul_(10)
    memo: dict[int, Any] = {}
    again = copy.deepcopy(x, memo)
    return [
        first is second,
        first.grad is x.grad,
        first.grad.tolist(),
        both[1].tolist(),
        views[1].tolist(),
        views[1]._is_view(),
        list(views[1].stride()),
        views[1].storage_offset(),
        copy.deepcopy(x, memo) is again,
        id(x) in memo,
    ]


def deepcopy_of_a_view(torch: Any) -> list[Any]:
    base = torch.arange(6.0).reshape(2, 3)
    view = base[:, 1]
    copied = copy.deepcopy(view)
    copied.add_(100)
    return [*_facts(copied), copied._is_view(), base.tolist(), copied.storage_offset()]


def deepcopy_of_parameters(torch: Any) -> list[Any]:
    p = torch.nn.Parameter(torch.ones(2))
    p.note = "kept?"
    p.sum().backward()
    frozen = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    copied = copy.deepcopy(p)
    return [
        _facts(copied),
        hasattr(copied, "note"),
        _facts(copy.deepcopy(frozen)),
        _facts(copy.deepcopy(torch.nn.Parameter(torch.ones(2, 3).t()))),
    ]


def deepcopy_of_attributes(torch: Any) -> list[Any]:
    x = torch.ones(2)
    x.note = ["a"]
    copied = copy.deepcopy(x)
    shallow = copy.copy(x)
    return [
        copied.note,
        copied.note is x.note,
        shallow.note is x.note,
        hasattr(x, "other"),
        x.note,
    ]


def deepcopy_of_modules(torch: Any) -> list[Any]:
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    net(torch.ones(1, 2)).sum().backward()
    copied = copy.deepcopy(net)
    copied[0].weight.data.zero_()
    return [
        bool(net[0].weight.any()),
        copied[0].weight.grad is None,
        [type(p).__name__ for p in copied.parameters()],
    ]


def deepcopy_of_a_module_with_a_result(torch: Any) -> str:
    net = torch.nn.Linear(2, 1)
    net.last = net(torch.ones(1, 2))
    return attempt(lambda: copy.deepcopy(net))


def shallow_copy(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    y = copy.copy(x)
    y.data.add_(1)
    return [*_facts(y), y is x, x.tolist(), attempt(lambda: _facts(copy.copy(x * 2)))]


def pickles(torch: Any) -> list[Any]:
    found = []
    tensors = [
        torch.ones(2),
        torch.ones(2, requires_grad=True),
        torch.tensor(3),
        torch.arange(6.0).reshape(2, 3).t(),
        torch.tensor([1 + 2j]),
        torch.tensor([True]),
        torch.nn.Parameter(torch.ones(2)),
        torch.ones(2, dtype=torch.bfloat16),
        torch.ones(0, 3),
    ]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        found.append([_facts(pickle.loads(pickle.dumps(t, protocol))) for t in tensors])
    return [found[0], *[answer == found[0] for answer in found]]


def pickle_leaves_the_gradient(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    x.sum().backward()
    x.note = 3
    back = pickle.loads(pickle.dumps(x))
    return [*_facts(back), getattr(back, "note", None)]


def pickle_of_a_nonleaf(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    return [attempt(lambda: _facts(pickle.loads(pickle.dumps(t)))) for t in (x * 2, x[:1])]


def pickle_with_hooks(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(print)
    return _facts(pickle.loads(pickle.dumps(x)))


def pickle_of_names(torch: Any) -> list[Any]:
    values = [
        torch.float32,
        torch.device("cpu"),
        torch.Size([2]),
        torch.strided,
        torch.preserve_format,
        torch.int64,
    ]
    return [str(pickle.loads(pickle.dumps(v))) for v in values] + [
        pickle.loads(pickle.dumps(torch.float32)) is torch.float32,
        copy.deepcopy(torch.float32) is torch.float32,
        copy.deepcopy(torch.Size([1, 2])),
        type(copy.deepcopy(torch.Size([1, 2]))).__name__,
        str(copy.deepcopy(torch.device("cpu"))),
    ]


def weak_references(torch: Any) -> list[Any]:
    x = torch.ones(2)
    seen = weakref.ref(x)
    table = weakref.WeakKeyDictionary({x: 1})
    first = [seen() is x, len(table)]
    del x
    return [*first, seen() is None, len(table)]


def attributes_live_with_the_tensor(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    x.note = "here"
    y = x * 2
    y.note = "on a result"
    y.sum().backward()
    return [
        x.note,
        y.note,
        hasattr(x.detach(), "note"),
        hasattr(x.clone(), "note"),
        hasattr(x[0], "note"),
        attempt(lambda: x.absent),
        attempt(lambda: delattr(x, "no")),
    ]


def hash_and_equality(torch: Any) -> list[Any]:
    x, y = torch.ones(2), torch.ones(2)
    return [hash(x) == hash(x), len({x, y, x}), x in {x: 1}, attempt(lambda: [x] == [y])]
