"""What a pass says that it will run is what it runs."""

import random
from typing import Any

import pytest

import seegrad as torch
from seegrad.graph.node import Node as EveryNode


def tracked(node: Any, log: list[Any]) -> None:
    """Has every node above say when it runs."""
    seen, waiting = set(), [node]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        node.register_prehook(lambda _, node=node: log.append(node))
        waiting += [following for following, _ in node.next_functions]


def tangle(seed: int) -> tuple[list[Any], list[Any]]:
    """Leaves, and tensors computed from them at random."""
    chance = random.Random(seed)
    leaves = [torch.ones(2, requires_grad=True) for _ in range(3)]
    tensors = list(leaves)
    for _ in range(12):
        a, b = chance.choice(tensors), chance.choice(tensors)
        made = chance.choice([lambda: a * b, lambda: a + b, lambda: a.sin(),
                              lambda: torch.cat([a, b]).split(2)[1]])()  # fmt: skip
        tensors.append(made)
    return leaves, tensors


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("inputs", ["all", "leaf", "between"])
def test_order_is_known_before(seed: int, inputs: str) -> None:
    leaves, tensors = tangle(seed)
    tensors[5] = tensors[5] + 0 * sum(leaves)
    roots = [root + tensors[5] for root in tensors[-3:]]
    targets = {"all": None, "leaf": [leaves[0]], "between": [tensors[5]]}[inputs]
    log: list[Any] = []
    said: list[list[Any]] = []
    for root in roots:
        tracked(root.grad_fn, log)
        root.register_hook(lambda _: said.append(torch._C._current_graph_task_execution_order()))
    with torch.autograd.set_multithreading_enabled(False):
        torch.autograd.backward(roots, [torch.ones(2)] * 3, inputs=targets, retain_graph=True)
    ran = list(dict.fromkeys(log))
    # A non-leaf input is where its gradient is kept: its node is named, and does not run.
    stops = {t.grad_fn for t in targets or () if t.grad_fn is not None}
    assert said
    for order in said:
        assert [node for node in order if node not in stops] == [n for n in ran if n not in stops]


@pytest.mark.parametrize("seed", range(10))
def test_numbers_set_by_hand_change_the_order_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EveryNode, "_renumbered", False)
    (leaves, tensors), chance = tangle(seed), random.Random(seed)

    def gradients(inputs: Any) -> list[Any]:
        roots, ones = tensors[-3:], [torch.ones(2)] * 3
        found = torch.autograd.grad(roots, inputs, ones, retain_graph=True, allow_unused=True)
        return [None if grad is None else grad.tolist() for grad in found]

    wanted = [leaves, [leaves[1], tensors[5]]]
    expected = [gradients(inputs) for inputs in wanted]
    for tensor in tensors[3:]:
        tensor.grad_fn._set_sequence_nr(chance.randrange(10**6))
    assert [gradients(inputs) for inputs in wanted] == expected
    log: list[Any] = []
    for tensor in tensors[3:]:
        tracked(tensor.grad_fn, log)
    torch.autograd.backward(tensors[-3:], [torch.ones(2)] * 3)
    ran = list(dict.fromkeys(log))
    assert all(
        ran.index(node) < ran.index(following)
        for node in ran
        for following, _ in node.next_functions
        if following in ran
    )


def test_node_is_known_in_a_deep_pass() -> None:
    """Also where the pass went on in another thread."""

    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.inner = x.detach().requires_grad_() - 1
            return ctx.inner.detach()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            seen.append(torch._C._current_autograd_node() is ctx)
            if ctx.inner.item() > 0:
                with torch.enable_grad():
                    Deep.apply(ctx.inner).sum().backward()
            seen.append(torch._C._current_autograd_node() is ctx)
            return grad

    seen: list[bool] = []
    Deep.apply(torch.tensor(70.0, requires_grad=True)).backward()
    assert seen == [True] * 140
    assert torch._C._current_autograd_node() is None
