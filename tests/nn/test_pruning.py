"""What pruning does where PyTorch's leaves a module without its hook, or raises."""

import pytest

import seegrad
from seegrad.nn.utils import prune


def test_a_refused_pruning_leaves_the_earlier_one() -> None:
    layer = prune.l1_unstructured(seegrad.nn.Linear(4, 3), "weight", 4)
    (hook,) = layer._forward_pre_hooks.values()
    with pytest.raises(ValueError, match="should be smaller than the number"):
        prune.l1_unstructured(layer, "weight", 9)
    assert list(layer._forward_pre_hooks.values()) == [hook]
    assert isinstance(hook, prune.L1Unstructured)
    assert int(layer.weight_mask.sum()) == 8


def test_an_iterator_of_parameters_is_pruned_as_their_list() -> None:
    layers = [seegrad.nn.Linear(3, 3) for _ in range(2)]
    pairs = ((layer, "weight") for layer in layers)
    prune.global_unstructured(pairs, prune.L1Unstructured, amount=7)
    assert sum(int(layer.weight_mask.sum()) for layer in layers) == 11


def test_a_container_is_made_of_several_methods() -> None:
    methods = [prune.L1Unstructured(1), prune.Identity()]
    for method in methods:
        method._tensor_name = "weight"
    for box in (prune.PruningContainer(*methods), prune.PruningContainer(methods)):
        assert list(box) == methods
