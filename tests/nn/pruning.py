"""Pruned parameters: masks, hooks, names, and what is refused."""

import copy
import pickle
from importlib import import_module
from typing import Any

from tests.observe import attempt


def _prune(torch: Any) -> Any:
    return import_module(f"{torch.__name__}.nn.utils.prune")


def _layer(torch: Any) -> Any:
    torch.manual_seed(0)
    return torch.nn.Linear(4, 3)


def _state(layer: Any, prune: Any) -> Any:
    hooks = [
        [type(hook).__name__, hook._tensor_name, *[type(one).__name__ for one in inner]]
        for hook in layer._forward_pre_hooks.values()
        for inner in [hook if hasattr(hook, "__iter__") else []]
    ]
    weight = layer.weight
    return [
        list(layer.state_dict()), [name for name, _ in layer.named_parameters()], hooks,
        [[name, value.tolist(), str(value.dtype)] for name, value in layer.named_buffers()],
        type(weight).__name__, weight.tolist(), prune.is_pruned(layer), repr(layer),
    ]  # fmt: skip


def _ways(torch: Any) -> dict[str, Any]:
    prune, mask = _prune(torch), torch.tensor([[1, 0, 1, 1]] * 3)
    scores = -torch.arange(12.0).view(3, 4)
    return {
        "identity": lambda m: prune.identity(m, "weight"),
        "three": lambda m: prune.random_unstructured(m, "weight", 3),
        "a third": lambda m: prune.random_unstructured(m, "weight", 0.34),
        "small": lambda m: prune.l1_unstructured(m, name="weight", amount=0.3),
        "scored": lambda m: prune.l1_unstructured(m, "weight", 3, importance_scores=scores),
        "row": lambda m: prune.random_structured(m, "weight", 1, 0),
        "columns": lambda m: prune.random_structured(m, "weight", amount=0.5, dim=-1),
        "short row": lambda m: prune.ln_structured(m, "weight", 1, n=2, dim=0),
        "short columns": lambda m: prune.ln_structured(m, "weight", 0.5, float("inf"), 1),
        "scored row": lambda m: prune.ln_structured(m, "weight", 1, 1, 0, scores),
        "mask": lambda m: prune.custom_from_mask(m, "weight", mask),
        "nothing": lambda m: prune.random_unstructured(m, "weight", 0),
        "all": lambda m: prune.l1_unstructured(m, "weight", 1.0),
    }


def once(torch: Any) -> Any:
    seen: list[Any] = []
    for way in _ways(torch).values():
        layer = _layer(torch)
        seen += [way(layer) is layer, _state(layer, _prune(torch)), torch.rand(1).item()]
    return seen


def twice_and_thrice(torch: Any) -> Any:
    ways, seen = _ways(torch), []
    for first in ("three", "small", "row", "short columns", "mask"):
        for second in ("three", "small", "row", "columns", "short row", "short columns", "mask"):
            layer = ways[second](ways[first](_layer(torch)))
            seen.append([layer.weight_mask.tolist(), layer.weight.tolist()])
    layer = ways["columns"](ways["small"](ways["row"](_layer(torch))))
    return [*seen, _state(layer, _prune(torch))]


def trained_saved_and_removed(torch: Any) -> Any:
    prune = _prune(torch)
    layer = _layer(torch)
    before = layer.weight
    prune.l1_unstructured(prune.l1_unstructured(layer, "weight", 4), "bias", 1)
    layer(torch.ones(2, 4)).sum().backward()
    seen = [layer.weight_orig is before, before.grad.tolist(), layer.weight.grad_fn.name()]
    torch.optim.SGD(layer.parameters(), 0.1).step()
    seen.append(layer(torch.ones(1, 4)).tolist())
    other = prune.identity(prune.identity(_layer(torch), "weight"), "bias")
    seen += [str(other.load_state_dict(layer.state_dict())), other(torch.ones(1, 4)).tolist()]
    again = pickle.loads(pickle.dumps(layer))
    seen += [_state(again, prune), attempt(lambda: copy.deepcopy(layer))]
    seen += [_state(layer.double(), prune), prune.is_pruned(torch.nn.Sequential(layer))]
    seen += [prune.remove(layer, "weight") is layer, layer.weight is before]
    return [*seen, _state(layer, prune), attempt(lambda: prune.remove(layer, "weight"))]


def several_as_one(torch: Any) -> Any:
    prune, nn, seen = _prune(torch), torch.nn, []
    for kind in (prune.L1Unstructured, prune.RandomUnstructured):
        for amount in (3, 0.5, 0, 20, 21, -1):
            torch.manual_seed(1)
            net = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
            pairs = [(net[0], "weight"), (net[1], "weight"), (net[1], "bias")]
            scores = {pairs[0]: torch.arange(12.0).view(3, 4)} if amount == 0.5 else None
            for _ in range(2):
                seen.append(
                    attempt(lambda p=pairs, k=kind, s=scores, a=amount: prune.global_unstructured(
                        p, k, s, amount=a))
                )  # fmt: skip
            seen.append([[name, value.tolist()] for name, value in net.named_buffers()])
    for wrong in (
        [3, prune.Identity],
        [pairs, prune.LnStructured, None],
        [pairs, prune.Identity, [1]],
    ):
        options = {"amount": 1, "n": 2} if wrong[1] is prune.LnStructured else {}
        seen.append(attempt(lambda w=wrong, o=options: prune.global_unstructured(*w, **o)))
    return seen


def methods(torch: Any) -> Any:
    prune, seen = _prune(torch), []
    x = torch.arange(24.0).view(2, 3, 4)
    torch.manual_seed(0)
    made = [
        prune.Identity(), prune.RandomUnstructured(0.2), prune.L1Unstructured(3),
        prune.RandomStructured(1), prune.LnStructured(2, 1, 1), prune.CustomFromMask(x % 2),
    ]  # fmt: skip
    for method in made:
        seen += [type(method).PRUNING_TYPE, method.prune(x).tolist()]
        seen.append(method.prune(x, default_mask=(x > 5).float(), importance_scores=-x).tolist())
    made[2]._tensor_name = "weight"
    box = prune.PruningContainer(made[2])
    box.add_pruning_method(made[2])
    seen += [len(box), [one is made[2] for one in box], box[1] is made[2]]
    return [*seen, box.compute_mask(torch.arange(5.0), torch.tensor([1.0, 0, 1, 1, 1])).tolist()]


def refused(torch: Any) -> Any:
    prune, ways, seen = _prune(torch), _ways(torch), []
    for wrong in (-1, -0.1, 1.1, "a", None):
        seen.append(attempt(lambda a=wrong: prune.L1Unstructured(a)))
    makers = [
        lambda m: prune.l1_unstructured(m, "weight", 13),
        lambda m: prune.random_structured(m, "weight", 4, 0),
        lambda m: prune.random_structured(m, "weight", 1, 2),
        lambda m: prune.ln_structured(m, "weight", 1, 2, -3),
        lambda m: prune.ln_structured(m, "bias", 1, 2, 0),
        lambda m: prune.ln_structured(m, "weight", 1, "nuc", 0),
        lambda m: prune.custom_from_mask(m, "weight", torch.ones(4)),
        lambda m: prune.l1_unstructured(m, "weight", 1, torch.ones(4)),
        lambda m: prune.identity(m, "no"),
        lambda m: prune.remove(m, "weight"),
        lambda m: ways["columns"](ways["all"](m)),
    ]
    seen += [attempt(lambda f=make: f(_layer(torch))) for make in makers]
    method = prune.L1Unstructured(1)
    method._tensor_name = "bias"
    box = prune.PruningContainer(method)
    method.__class__.__repr__, box.__class__.__str__ = [lambda self: "it"] * 2
    other = prune.Identity()
    other._tensor_name = "weight"
    seen += [attempt(lambda one=one: box.add_pruning_method(one)) for one in (3, other)]
    del method.__class__.__repr__, box.__class__.__str__
    seen.append(attempt(lambda: method.prune(torch.ones(3), importance_scores=torch.ones(2))))
    return [*seen, attempt(prune.BasePruningMethod)]
