"""Where NaN and infinities were born: planted in small programs, and left out of healthy ones."""

import pathlib
import textwrap

import pytest

from seegrad.explain.bad.detective import BadDetective
from seegrad.explain.report import Finding
from tests.explain.bad_programs import FAULTS as MORE_FAULTS
from tests.explain.bad_programs import HEALTHY as MORE_HEALTHY
from tests.explain.programs import findings, marked

FAULTS = {
    "nan-forward: log of zero times zero": """
        p = torch.tensor([0.0, 1.0], requires_grad=True)
        loss = (torch.tensor([0.0, 1.0]) * torch.log(p)).sum()  # <-
        loss.backward()
        print(loss.item())
        """,
    "nan-backward: where after the call": """
        x = torch.tensor([0.0, 4.0], requires_grad=True)
        root = torch.sqrt(x)  # <-
        torch.where(x > 0, root, torch.zeros(2)).sum().backward()
        print(x.grad)
        """,
    "inf-backward: the slope of a root at zero": """
        x = torch.tensor([0.0, 4.0], requires_grad=True)
        torch.sqrt(x).sum().backward()  # <-
        print(x.grad)
        """,
    "masked-attention: one row sees nothing": """
        scores = torch.zeros(2, 3, requires_grad=True)
        mask = torch.tensor([[True, True, True], [False, False, True]])
        weights = torch.softmax(scores.masked_fill(mask, -math.inf), -1)  # <-
        (weights * torch.arange(3.0)).sum().backward()
        print(scores.grad)
        """,
    "cancellation: expanded distances": """
        a = torch.tensor([[1000.1, 2000.2], [1000.2, 2000.3]], requires_grad=True)
        inner = a @ a.T
        square = (a * a).sum(1)
        d = square[:, None] + square[None, :] - 2.00001 * inner  # <-
        d.clamp(max=1e9).sqrt().sum().backward()
        print(a.grad)
        """,
}
HEALTHY = {
    "a mask of -inf": """
        scores = torch.zeros(3, 3, requires_grad=True)
        mask = torch.triu(torch.full((3, 3), -math.inf), 1)
        (torch.softmax(scores + mask, -1) * torch.arange(3.0)).sum().backward()
        print(scores.grad)
        """,
    "log of zero masked in both passes": """
        x = torch.tensor([0.0, 2.0], requires_grad=True)
        safe = torch.where(x > 0, x, torch.ones(2))
        torch.where(x > 0, torch.log(safe), torch.zeros(2)).sum().backward()
        torch.where(x > 0, x.detach().log(), torch.zeros(2)).sum()
        print(x.grad)
        """,
    "an infinite minimum to begin with": """
        best = torch.tensor(math.inf)
        for value in (3.0, 2.0):
            best = torch.minimum(best, torch.tensor(value))
            print(best.item())
        """,
    "a step left out, as loss scalers do": """
        w = torch.tensor([3.0], requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for scale in (1e38, 1e38, 1.0):
            optimizer.zero_grad()
            ((w * w).sum() * scale * scale).backward()
            if torch.isfinite(w.grad).all():
                optimizer.step()
        print(w.item())
        """,
}


FAULTS |= {name.replace(" ", ": ", 1): program for name, program in MORE_FAULTS.items()}
HEALTHY |= MORE_HEALTHY
START = """import math
import numpy as np
from seegrad import nn
F = nn.functional
torch.manual_seed(0)
"""


def found_in(program: str, folder: pathlib.Path) -> list[Finding]:
    """What the detective finds; a program whose last line says `# fails` ends with an error."""
    fails = program.rstrip().endswith("# fails")
    return findings(folder, START + textwrap.dedent(program), BadDetective, fails=fails)


@pytest.mark.parametrize("case", FAULTS)
@pytest.mark.filterwarnings("ignore")
def test_fault_is_found(case: str, tmp_path: pathlib.Path) -> None:
    found = found_in(FAULTS[case], tmp_path)
    assert [finding.kind for finding in found] == [case.partition(":")[0]]
    assert marked(found[0]), found[0]


@pytest.mark.parametrize("case", HEALTHY)
@pytest.mark.filterwarnings("ignore")
def test_healthy_program_gets_no_finding(case: str, tmp_path: pathlib.Path) -> None:
    assert found_in(HEALTHY[case], tmp_path) == []
