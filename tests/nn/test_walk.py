"""Every class of `torch.nn` does at its sample arguments what PyTorch's does."""

import re
import warnings
from typing import Any

import pytest

import seegrad
from tests.nn.samples import SAMPLES

NOT_WALKED = {
    "Parameter": "a tensor: tests/nn/attributes.py",
    "Buffer": "a tensor: tests/nn/attributes.py",
    "UninitializedParameter": "a tensor: tests/nn/rarer.py",
    "UninitializedBuffer": "a tensor: tests/nn/rarer.py",
    "RNNBase": "abstract",
    "RNNCellBase": "abstract",
    "LinearCrossEntropyOptions": "options of a loss, no module",
    "factory_kwargs": "a function",
}
TOLERANCE = {"float64": 1e-9, "float32": 2e-5}
COARSE = {"Hardsigmoid": 1e-7}  # PyTorch's gradient multiplies by 1/6 in float32


def _parts(sample: str) -> tuple[str, str]:
    args, _, inputs = sample.partition("->")
    return args.strip(), inputs.strip()


def _plain(value: Any) -> Any:
    """Tensors as nested lists, wherever they are in what a module returns."""
    if hasattr(value, "detach"):
        return [str(value.dtype), value.detach().tolist()]
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value


def _summed(value: Any) -> Any:
    """A number that depends on every tensor in `value` that has a history."""
    if hasattr(value, "requires_grad"):
        return (value * value).sum() if value.requires_grad else 0.0
    return sum(_summed(each) for each in value) if isinstance(value, tuple | list) else 0.0


def _outcome(torch: Any, name: str, sample: str, dtype: str) -> dict[str, Any]:
    args, inputs = _parts(sample)
    kind, leaves = getattr(torch, dtype), []

    def leaf(tensor: Any) -> Any:
        leaves.append(tensor.requires_grad_())
        return tensor

    names = {
        "torch": torch,
        "R": lambda *size: leaf(torch.randn(*size, dtype=kind)),
        "P": lambda *size: leaf(torch.rand(*size, dtype=kind) + 0.5),
        "U": lambda *size: leaf(torch.rand(*size, dtype=kind) * 0.8 + 0.1),
        "I": lambda n, *size: torch.randint(n, size),
        "S": lambda *size: torch.randint(2, size) * 2 - 1,
    }
    torch.manual_seed(0)
    module = eval(f"torch.nn.{name}({args})", names)
    seen = {"repr before": repr(module), "drawn": _plain(list(module.parameters())[:0])}
    if "Lazy" not in name:
        seen["drawn"] = _plain(list(module.parameters()))
    module.to(kind)
    if inputs:
        values = [v.to(kind) if v.__class__.__name__ == "Tensor" and v.is_floating_point() else v
                  for v in eval(f"[{inputs}]", names)]  # fmt: skip
        out = module(*values)
        seen["output"] = _plain(out)
        total = _summed(out)
        if hasattr(total, "backward"):
            total.backward()
        wanted = [*leaves, *module.parameters()]
        seen["gradients"] = [None if t.grad is None else _plain(t.grad) for t in wanted]
        module.eval()
        seen["evaluated"] = _plain(module(*values))
    seen["state"] = {key: _plain(value) for key, value in module.state_dict().items()}
    return {**seen, "repr": repr(module), "training": module.training}


def _same(ours: Any, theirs: Any, tolerance: float) -> bool:
    if isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(
            _same(ours[key], theirs[key], tolerance) for key in theirs
        )
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(
            _same(a, b, tolerance) for a, b in zip(ours, theirs, strict=True)
        )
    if isinstance(theirs, float):
        return bool(ours == pytest.approx(theirs, rel=tolerance, abs=tolerance, nan_ok=True))
    if isinstance(theirs, str):
        return re.sub("seegrad", "torch", ours) == theirs
    return bool(ours == theirs)


@pytest.mark.oracle
def test_every_class_has_a_sample() -> None:
    torch = pytest.importorskip("torch")
    public = set(torch.nn.modules.__all__) | {n for n in dir(torch.nn) if n[0].isupper()}
    assert not public - set(SAMPLES) - set(NOT_WALKED)
    assert not set(SAMPLES) - public


@pytest.mark.oracle
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_walk(name: str) -> None:
    torch = pytest.importorskip("torch")
    for sample in SAMPLES[name].split("|"):
        for dtype, usual in TOLERANCE.items():
            tolerance = max(usual, COARSE.get(name, 0.0))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ours = _outcome(seegrad, name, sample, dtype)
                theirs = _outcome(torch, name, sample, dtype)
            wrong = [key for key in theirs if not _same(ours[key], theirs[key], tolerance)]
            assert not wrong, (sample, dtype, {key: (ours[key], theirs[key]) for key in wrong})


def test_a_difference_is_seen() -> None:
    seen = _outcome(seegrad, "Linear", "3, 2 -> R(4, 3)", "float64")
    for key in ("drawn", "output", "gradients", "evaluated"):
        assert _same(seen, seen, 1e-9)
        assert not _same({**seen, key: _moved(seen[key])}, seen, 1e-9)
    assert not _same({**seen, "repr": "Linear()"}, seen, 1e-9)


def _moved(value: Any) -> Any:
    """`value` with all its numbers a little larger."""
    if isinstance(value, list):
        return [_moved(each) for each in value]
    return value + 1e-6 if isinstance(value, float) else value
