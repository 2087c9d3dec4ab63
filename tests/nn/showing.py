"""Reprs of all modules, and what their constructors refuse."""

from typing import Any

from tests.observe import attempt

_MADE = """
Identity(3, a=4) | Linear(2, 3) | Linear(2, 3, False) | Bilinear(2, 3, 4)
Bilinear(2, 3, 4, False)
Dropout() | Dropout(0.2, True) | Flatten() | Flatten(0, 2) | Unflatten(1, (2, 3))
Unflatten(1, [2, 3]) | ReLU() | ReLU(True) | ReLU6() | ReLU6(True) | LeakyReLU()
LeakyReLU(0.2, True) | ELU() | ELU(2.0, True) | SELU() | SELU(True) | CELU() | CELU(2, True)
GELU() | GELU("tanh") | SiLU() | SiLU(True) | Mish() | Mish(True) | Softplus() | Softplus(2, 10)
Sigmoid() | LogSigmoid() | Tanh() | Hardtanh() | Hardtanh(-2, 2, True) | Hardsigmoid()
Hardsigmoid(True) | Hardswish() | Hardswish(True) | Hardshrink() | Hardshrink(1) | Softshrink()
Softshrink(1) | Tanhshrink() | Softsign() | Threshold(1, 2) | Threshold(1, 2, True) | PReLU()
PReLU(3) | Softmax() | Softmax(1) | LogSoftmax() | LogSoftmax(-1) | Softmin() | Softmin(1) | GLU()
GLU(1) | MSELoss() | L1Loss() | SmoothL1Loss(beta=0.5) | HuberLoss() | NLLLoss()
CrossEntropyLoss() | BCELoss() | BCEWithLogitsLoss() | KLDivLoss() | Embedding(3, 2)
Embedding(3, 2, padding_idx=-1) | CosineSimilarity() | PairwiseDistance() | Module() | Sequential()
ModuleList() | ModuleDict() | ParameterList() | ParameterDict()
"""
_REFUSED = """
Dropout(2.0) | Dropout(-1) | Unflatten(1, 3) | Unflatten("a", (("b", 2),)) | Hardtanh(2, 1)
Bilinear(0, 1, 2) | Embedding(3, 2, padding_idx=5) | Embedding(3, 2, padding_idx=-5)
Linear(2, 3, dtype=torch.int64) | MSELoss(reduction="foo")(torch.ones(2), torch.ones(2))
Embedding(3, 2, _weight=torch.ones(2, 2)) | Embedding.from_pretrained(torch.ones(3))
MSELoss(size_average=False).reduction | L1Loss(reduce=False).reduction | Linear(0, 3)
"""


def _expressions(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split("|")]


def _evaluated(torch: Any, expression: str) -> Any:
    return eval(expression, {**vars(torch.nn), "torch": torch})


def made(torch: Any) -> Any:
    return {e: repr(_evaluated(torch, e)) for e in _expressions(_MADE)}


def refused(torch: Any) -> Any:
    return {e: attempt(lambda e=e: _evaluated(torch, e)) for e in _expressions(_REFUSED)}


def nested(torch: Any) -> Any:
    nn = torch.nn
    inner = nn.Sequential(nn.ReLU(), nn.ModuleList([nn.Linear(2, 2)] * 3 + [nn.ReLU()]))
    mixed = nn.Linear(2, 2)
    mixed.act = nn.ReLU()
    mixed.nothing = None
    return [repr(nn.Sequential(nn.Linear(2, 2), inner)), repr(mixed),
            repr(nn.ModuleDict({"a": inner, "b": nn.ModuleList([inner, inner])}))]  # fmt: skip


def lines_of_their_own(torch: Any) -> Any:
    class Told(torch.nn.Module):  # type: ignore[misc,name-defined]
        def extra_repr(self) -> str:
            return "one\ntwo"

    module = Told()
    before = repr(module)
    module.child = Told()
    return [before, repr(module)]
