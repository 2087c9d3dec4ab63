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
    "cancellation: the small root in double precision": """
        a, b, c = (torch.tensor(v, dtype=torch.double) for v in (1.0, 1e9, 1.0))
        root = (-b + torch.sqrt(b * b - 4 * a * c)) / (2 * a)  # <-
        print(root.item())
        """,
    "cancellation: a variance that is printed": """
        x = 300 + torch.randn(64) * 0.01
        var = (x**2).mean() - x.mean() ** 2  # <-
        print(var.sqrt())
        """,
    "cancellation: sums kept from step to step": """
        total = squares = torch.zeros(())
        for value in 5000 + torch.randn(50) * 0.1:
            total, squares = total + value, squares + value * value
        spread = squares / 50 - (total / 50) ** 2  # <-
        print(spread.sqrt())
        """,
    "cancellation: steps of differences that are too short": """
        x = torch.tensor(2.0)
        slope = ((x + 1e-7).sin() - x.sin()) / 1e-7  # <-
        assert abs(slope.item() - math.cos(2)) < 0.01  # fails
        """,
    "cancellation: times that float32 does not hold": """
        t = torch.tensor([1700000000.1, 1700000000.6, 1700000001.2])
        print(t[1:] - t[:-1])  # <-
        """,
    "cancellation: under a root": """
        x = torch.tensor([1e-4, 2e-4], requires_grad=True)
        y = torch.sqrt(1 - torch.cos(x))  # <-
        y.sum().backward()
        print(x.grad)
        """,
    "overflow-half: an eps that is zero": """
        x = torch.zeros(3, dtype=torch.half, requires_grad=True)
        y = x / (x.abs().max() + 1e-9)  # <-
        y.sum().backward()
        print(y)
        """,
    "overflow-half: an eps that is zero under a root": """
        x = torch.zeros(2, 4, dtype=torch.half, requires_grad=True)
        y = torch.sqrt((x * x).sum(-1) + 1e-12)  # <-
        y.sum().backward()
        print(x.grad)
        """,
    "masked-attention: by multiplication": """
        scores = torch.randn(2, 4, requires_grad=True)
        e = scores.exp() * torch.tensor([[1.0, 1, 0, 0], [0, 0, 0, 0]])
        p = e / e.sum(-1, keepdim=True)  # <-
        (p**2).sum().backward()
        print(scores.grad)
        """,
    "masked-attention: by the logarithm of a mask": """
        mask = torch.tensor([[1.0, 1, 0, 0], [0, 0, 0, 0]])
        scores = torch.randn(2, 4, requires_grad=True)
        p = torch.softmax(scores + torch.log(mask), -1)  # <-
        p.sum().backward()
        print(scores.grad)
        """,
    "empty-mean: a row without a length": """
        x = torch.randn(2, 3, requires_grad=True)
        lengths = torch.tensor([3, 0])
        mean = (x * (torch.arange(3) < lengths[:, None])).sum(1) / lengths  # <-
        mean.sum().backward()
        print(x.grad)
        """,
    "all-ignored: by a mask": """
        scores, labels = torch.randn(3, 6, requires_grad=True), torch.full((3,), -100)
        keep = labels != -100
        picked = scores.log_softmax(-1).gather(-1, labels.clamp(min=0)[:, None])[:, 0]
        loss = -(picked * keep).sum() / keep.sum()  # <-
        loss.backward()
        print(loss)
        """,
    "step-too-long: nothing is infinite yet": """
        w = torch.tensor([1.0], requires_grad=True)
        opt = torch.optim.SGD([w], lr=1.1)  # <-
        for _ in range(30):
            opt.zero_grad()
            (w**2).sum().backward()
            opt.step()
        print(w.item())
        """,
    "step-too-long: it never comes back": """
        net = nn.Linear(4, 3)
        opt = torch.optim.Adam(net.parameters(), lr=500.0)  # <-
        x, y = torch.randn(16, 4), torch.randint(0, 3, (16,))
        for _ in range(10):
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(loss.item())
        """,
    "nan-in-data: behind a loader": """
        raw = torch.ones(8, 2)
        raw[:, 1] = torch.arange(8.0)
        table = (raw - raw.mean(0)) / raw.std(0)  # <-
        net = nn.Linear(2, 1)
        for batch in torch.utils.data.DataLoader(list(table), batch_size=4):
            net(batch).pow(2).mean().backward()
        print(net.weight.grad)
        """,
    "overflow-half: an infinity of which 0 is made": """
        x = torch.full((2, 4), 1000.0, dtype=torch.half, requires_grad=True)
        power = x.pow(2).mean(-1, keepdim=True)  # <-
        y = (x * torch.rsqrt(power + 1e-5)).float().sum()
        y.backward()
        print(y.item(), x.grad)
        """,
    "nan-in-data: a constant column, by NumPy": """
        table = np.arange(12.0, dtype=np.float32).reshape(4, 3)
        table[:, 1] = 5
        with np.errstate(all="ignore"):
            table = (table - table.mean(0)) / table.std(0)  # <-
        net = nn.Linear(3, 1)
        net(torch.tensor(table)).pow(2).mean().backward()
        print(net.weight.grad)
        """,
    "flow-exploding: from the first loss on": """
        weights = [torch.randn(64, 64, requires_grad=True) for _ in range(14)]
        for _ in range(3):
            x = torch.randn(8, 64)
            for w in weights:
                x = (x @ w).clamp(min=0)  # <-
            loss = x.pow(2).mean()
            loss.backward()
            print(loss.item())
            with torch.no_grad():
                for w in weights:
                    w -= 1e-4 * w.grad
                    w.grad = None
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
    "cancellation: what is left of Newton's method": """
        x = torch.tensor(1.0)
        for _ in range(8):
            x = x - (x * x - 2) / (2 * x)
        print((x * x - 2).item(), (x - 2**0.5).item())
        """,
    "cancellation: two ways to calculate one thing": """
        x = torch.randn(5, requires_grad=True)
        print(((x * x - 1) - (x - 1) * (x + 1)).abs().max().item())
        print(x.sin() ** 2 + x.cos() ** 2 - 1, x.exp().log() - x)
        """,
    "cancellation: differences that suit the type": """
        for dtype, h in ((torch.float, 1e-2), (torch.double, 1e-6)):
            x = torch.tensor([0.3, 1.2], dtype=dtype)
            print((((x + h).sin() - (x - h).sin()) / (2 * h) - x.cos()).abs().max().item())
        """,
    "cancellation: converged by hand": """
        x, target = torch.zeros(3), torch.tensor([1.0, 2.0, 3.0])
        for _ in range(80):
            x = x - 0.3 * (x - target)
        print((x - target).abs().max().item())
        """,
    "step-too-long: losses that grow with their targets": """
        net = nn.Linear(4, 1)
        opt = torch.optim.Adam(net.parameters(), lr=1e-2)
        for step in range(12):
            loss = (net(torch.randn(8, 4)) - 3.0 * step).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(loss.item())
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
