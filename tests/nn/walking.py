"""Iterating over modules, looking up by path, converting all tensors at once."""

import copy
import pickle
from typing import Any

from tests.observe import attempt, rounded


def _tree(torch: Any) -> Any:
    nn = torch.nn
    shared = nn.Linear(2, 2)
    tree = nn.Sequential(shared, nn.Sequential(nn.ReLU(), shared), nn.Linear(2, 1, bias=False))
    tree.register_buffer("count", torch.zeros((), dtype=torch.int64))
    tree[1].register_buffer("mean", torch.zeros(2), persistent=False)
    return tree


def names(torch: Any) -> Any:
    tree = _tree(torch)
    return {
        "parameters": [name for name, _ in tree.named_parameters()],
        "all": [name for name, _ in tree.named_parameters(remove_duplicate=False)],
        "own": [name for name, _ in tree.named_parameters("pre", False)],
        "below": [name for name, _ in tree[2].named_parameters("pre")],
        "buffers": [name for name, _ in tree.named_buffers()],
        "modules": [name for name, _ in tree.named_modules()],
        "every module": [name for name, _ in tree.named_modules(remove_duplicate=False)],
        "prefixed": [name for name, _ in tree.named_modules(prefix="x")],
        "children": [name for name, _ in tree.named_children()],
        "counts": [len(list(tree.parameters())), len(list(tree.parameters(recurse=False))),
                   len(list(tree.modules())), len(list(tree.children())),
                   len(list(tree.buffers()))],
    }  # fmt: skip


def paths(torch: Any) -> Any:
    tree = _tree(torch)
    tree.text = "no module"
    shown = [attempt(lambda p=path: tree.get_submodule(p))
             for path in ("1.0", "", "9", "0.weight", "1.x", "0.weight.x")]  # fmt: skip
    shown += [attempt(lambda p=path: tree.get_parameter(p).shape)
              for path in ("0.weight", "count", "0.x", "1.0.x", "9.x")]  # fmt: skip
    shown += [attempt(lambda p=path: tree.get_buffer(p))
              for path in ("count", "1.mean", "0.weight", "x")]  # fmt: skip
    tree.set_submodule("1.0", torch.nn.Tanh())
    shown += [attempt(lambda: tree.set_submodule("", torch.nn.Tanh())),
              attempt(lambda: tree.set_submodule("text", torch.nn.Tanh())),
              attempt(lambda: tree.set_submodule("9.9", torch.nn.Tanh()))]  # fmt: skip
    return [*shown, repr(tree)]


def modes(torch: Any) -> Any:
    tree = _tree(torch)
    tree.eval()
    seen = [[module.training for module in tree.modules()]]
    tree.train()
    seen.append([module.training for module in tree.modules()])
    seen.append([attempt(lambda m=mode: tree.train(m)) for mode in (3, "x")])
    seen.append(tree.train(False) is tree and tree.eval() is tree)
    order: list[str] = []
    tree.apply(lambda module: order.append(type(module).__name__))
    return [*seen, order]


def freezing(torch: Any) -> Any:
    tree = _tree(torch)
    tree[0].requires_grad_(False)
    tree(torch.ones(1, 2)).sum().backward()
    seen = [[p.requires_grad, p.grad is None] for p in tree.parameters()]
    tree.zero_grad(set_to_none=False)
    seen.append([p.grad is None or rounded(p.grad) for p in tree.parameters()])
    tree.zero_grad()
    return [*seen, [p.grad is None for p in tree.parameters()]]


def converting(torch: Any) -> Any:
    tree = _tree(torch)
    weight = tree[0].weight
    tree(torch.ones(1, 2)).sum().backward()
    seen = []
    for way in (lambda m: m.double(), lambda m: m.half(), lambda m: m.bfloat16(),
                lambda m: m.float(), lambda m: m.to(torch.float64), lambda m: m.to("cpu"),
                lambda m: m.to("cpu", torch.float32), lambda m: m.to(dtype=torch.float64),
                lambda m: m.to(torch.zeros(1)), lambda m: m.cpu(),
                lambda m: m.type(torch.float64)):  # fmt: skip
        way(tree)
        seen.append([str(t.dtype) for t in (weight, weight.grad, tree.count, tree[1].mean)])
    same = tree[0].weight is weight and weight.requires_grad and weight.is_leaf
    return [seen, same, attempt(lambda: tree.to(torch.int64)), attempt(lambda: tree.to(3.5))]


def to_complex(torch: Any) -> Any:
    return str(torch.nn.Linear(1, 1).to(torch.complex64).weight.dtype)


def copied(torch: Any) -> Any:
    tree = _tree(torch)
    deep, flat = copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))
    same = [torch.equal(p, q) and p is not q
            for other in (deep, flat)
            for p, q in zip(tree.parameters(), other.parameters(), strict=True)]  # fmt: skip
    shared = [other[0] is other[1][1] for other in (deep, flat)]
    with torch.no_grad():
        deep[0].weight.zero_()
    return [same, shared, bool((tree[0].weight == 0).any()), repr(flat) == repr(tree)]
