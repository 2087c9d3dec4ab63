"""Graphs kept for nothing are found with the line that keeps them; those that are used are not."""

import pathlib
import textwrap
import warnings
from typing import Any

import pytest

from seegrad.explain.held.detective import MemoryDetective
from seegrad.explain.report import Finding
from seegrad.explain.session import Session

HEAD = """\
import seegrad as torch
from seegrad import nn
F = nn.functional
torch.manual_seed(0)
X = torch.randn(64, 5)
Y = X.sum(1, keepdim=True)
model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)

def step(loss):
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

"""

FAULTS = {
    "a state that no backward uses": ("memory-hidden-state", """
        cell, h, norms = nn.GRUCell(5, 4), torch.zeros(1, 4), []
        for i in range(40):
            h = cell(X[:1], h)  # <- here
            norms.append(h.norm().item())
    """),
    "the state of an object that no backward uses": ("memory-hidden-state", """
        class Leaky(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(5, 3)
                self.state = torch.zeros(1, 3)
            def forward(self, x):
                self.state = 0.9 * self.state + torch.tanh(self.lin(x))  # <- here
                return self.state
        def main():
            layer = Leaky()
            print(sum((layer(X[:1]) > 1).sum().item() for _ in range(80)))
        main()
    """),
    "a list in a function": ("memory-loss-kept", """
        def train():
            losses = []
            for i in range(10):
                loss = step(F.mse_loss(model(X), Y))
                losses.append(loss)  # <- here
            return len(losses)
        train()
    """),
    "a sum in an object": ("memory-loss-kept", """
        class Meter:
            total = 0
            def update(self, value):
                self.total = self.total + value  # <- here
        def main():
            meter = Meter()
            for i in range(10):
                meter.update(step(F.mse_loss(model(X), Y)))
        main()
    """),
    "a moving average": ("memory-loss-kept", """
        average = 0.0
        for i in range(10):
            loss = step(F.mse_loss(model(X), Y))
            average = 0.9 * average + 0.1 * loss  # <- here
    """),
    "a sum in a dictionary": ("memory-loss-kept", """
        totals = {"fit": 0.0, "count": 0}
        for i in range(10):
            loss = step(F.mse_loss(model(X), Y))
            totals["fit"] += loss  # <- here
            totals["count"] += 1
    """),
    "records in a list": ("memory-loss-kept", """
        log = []
        for i in range(10):
            loss = step(F.mse_loss(model(X), Y))
            log.append({"step": i, "loss": loss})  # <- here
    """),
    "a default argument": ("memory-loss-kept", """
        def note(value, store=[]):
            store.append(value)  # <- here
        for i in range(10):
            note(step(F.mse_loss(model(X), Y)))
    """),
    "a sum while evaluating": ("memory-loss-kept", """
        def validate():
            model.eval()
            total = 0.0
            for i in range(0, 64, 8):
                total += F.mse_loss(model(X[i:i + 8]), Y[i:i + 8])  # <- here
            model.train()
            return total.item()
        for i in range(3):
            step(F.mse_loss(model(X), Y))
            validate()
    """),
    "losses written into a tensor": ("memory-loss-kept", """
        losses = torch.zeros(10)
        for i in range(10):
            losses[i] = step(F.mse_loss(model(X), Y))  # <- here
    """),
    "a hook that collects": ("memory-kept-outputs", """
        seen = []
        def hook(module, args, output):
            seen.append(output)  # <- here
        model[1].register_forward_hook(hook)
        for i in range(10):
            step(F.mse_loss(model(X), Y))
    """),
    "outputs joined while evaluating": ("memory-kept-outputs", """
        def predict():
            model.eval()
            outs = []
            for batch in X.split(16):
                outs.append(model(batch))  # <- here
            model.train()
            return torch.cat(outs)
        for i in range(4):
            step(F.mse_loss(model(X), Y))
            predict().argmax()
    """),
    "a replay buffer": ("memory-kept-outputs", """
        from collections import deque
        buffer = deque(maxlen=50)
        for i in range(10):
            value = model(torch.randn(1, 5))
            buffer.append((i, value))  # <- here
            step((value - 1).pow(2).sum())
    """),
    "a class of Functions": ("function-holds-memory", """
        class Twice(torch.autograd.Function):
            seen = []
            @staticmethod
            def forward(ctx, x):
                Twice.seen.append(x)  # <- here
                return x * 2
            @staticmethod
            def backward(ctx, gradient):
                return gradient * 2
        for i in range(10):
            step(Twice.apply(model(X)).mean())
    """),
    "a state with two parts": ("memory-hidden-state", """
        first, second = nn.Linear(10, 5), nn.Linear(5, 1)
        def cell(x, state):
            h, c = state
            new = torch.tanh(first(torch.cat([x, h], 1)))
            return new, c + new
        def train():
            state = torch.zeros(8, 5), torch.zeros(8, 5)
            for i in range(0, 64, 8):
                state = cell(X[i:i + 8], state)  # <- here
                loss = F.mse_loss(second(state[1]), Y[i:i + 8])
                loss.backward(retain_graph=True)
        train()
    """),
    "a state in a module": ("memory-hidden-state", """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.line = nn.Linear(10, 5)
                self.hidden = torch.zeros(8, 5)
            def forward(self, x):
                joined = torch.cat([x, self.hidden], 1)
                self.hidden = torch.tanh(self.line(joined))  # <- here
                return self.hidden.sum(1, keepdim=True)
        net = Net()
        for i in range(0, 64, 8):
            loss = F.mse_loss(net(X[i:i + 8]), Y[i:i + 8])
            torch.autograd.grad(loss, list(net.parameters()), retain_graph=True)
    """),
    "a state that no pass runs through": ("memory-hidden-state", """
        inner, outer, head = nn.Linear(5, 5), nn.Linear(5, 5), nn.Linear(5, 1)
        def cell(x, h):
            gate = torch.sigmoid(outer(h))
            new = torch.tanh(inner(x))
            return gate * h + (1 - gate) * new  # <- here
        def train():
            h = torch.zeros(1, 5)
            for x, y in zip(X[:40], Y[:40]):
                h = cell(x, h)
                F.mse_loss(head(h.detach()), y[None]).backward()
        train()
    """),
    "weights that are no leaves": ("memory-hidden-state", """
        w = torch.zeros(5, 1, requires_grad=True)
        for i in range(12):
            (g,) = torch.autograd.grad((X @ w - Y).pow(2).mean(), w)
            w = w - 0.1 * g  # <- here
    """),
    "outputs in a dictionary on ctx": ("memory-on-ctx", """
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                y = x * x
                ctx.cache = {"x": x, "y": y}  # <- here
                return y
            @staticmethod
            def backward(ctx, gradient):
                return 2 * ctx.cache["x"] * gradient
        for i in range(5):
            step(Square.apply(model(X)).mean())
    """),
    "gradients with graphs": ("memory-create-graph", """
        for i in range(5):
            net = nn.Linear(5, 1)
            net(X).pow(2).mean().backward(create_graph=True)  # <- here
            sum(p.grad.pow(2).sum() for p in net.parameters()).item()
    """),
    "an output on ctx": ("memory-on-ctx", """
        class Exp(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.rate = 2.0
                ctx.result = y = (ctx.rate * x).exp()  # <- here
                return y
            @staticmethod
            def backward(ctx, gradient):
                return gradient * ctx.rate * ctx.result
        for i in range(5):
            step(Exp.apply(model(X) * 0.1).mean())
    """),
}  # fmt: skip

HEALTHY = {
    "a long chain that is looked at, and differentiated at its end": """
        cell, h = nn.GRUCell(5, 4), torch.zeros(1, 4)
        for i in range(40):
            h = cell(X[:1], h)
            h.norm().item()
        h.sum().backward()
        with torch.no_grad():
            for i in range(40):
                h = cell(X[:1], h)
                h.norm().item()
    """,
    "a long chain of which only the end is looked at": """
        cell, h = nn.GRUCell(5, 4), torch.zeros(1, 4)
        for i in range(40):
            h = cell(X[:1], h)
        h.norm().item()
    """,
    "numbers and detached losses": """
        losses, kept, total = [], [], 0.0
        for i in range(12):
            loss = step(F.mse_loss(model(X), Y))
            losses.append(loss.item())
            kept.append(loss.detach())
            total += loss.detach()
    """,
    "actions of an episode": """
        for episode in range(5):
            logs = []
            for t in range(8):
                logs.append(torch.log_softmax(model(X[t:t + 1]).repeat(1, 2), 1)[0, 0])
            step(-torch.stack(logs).sum())
    """,
    "a critic that steps while the actor collects": """
        critic = nn.Linear(5, 1)
        for episode in range(4):
            logs = []
            for t in range(8):
                logs.append(model(X[t:t + 1]).sigmoid().log().sum())
                (critic(X[t:t + 1]) - 1).pow(2).sum().backward()
            step(-sum(logs))
    """,
    "a state that is detached": """
        state = torch.zeros(8, 5)
        line = nn.Linear(5, 5)
        for i in range(0, 64, 8):
            state = torch.tanh(line(X[i:i + 8] + state.detach()))
            F.mse_loss(state.sum(1, keepdim=True), Y[i:i + 8]).backward()
    """,
    "a graph kept for a second loss, and for rows": """
        for i in range(8):
            z = model(X)
            opt.zero_grad()
            z.mean().backward(retain_graph=True)
            z.pow(2).mean().backward()
            opt.step()
        z = model(X)
        rows = [torch.autograd.grad(z[i, 0], model[0].weight, retain_graph=True) for i in range(9)]
    """,
    "micro-batches": """
        for i in range(6):
            total, parts = 0, []
            for k in range(0, 64, 8):
                parts.append(F.mse_loss(model(X[k:k + 8]), Y[k:k + 8]))
                total = total + parts[-1]
            step(total)
    """,
    "tasks with inner steps": """
        meta = [torch.randn(5, 1, requires_grad=True)]
        for i in range(4):
            tasks = []
            for task in range(6):
                fast = meta
                for k in range(3):
                    inner = (X @ fast[0] - task * Y).pow(2).mean()
                    slopes = torch.autograd.grad(inner, fast, create_graph=True)
                    fast = [p - 0.01 * s for p, s in zip(fast, slopes)]
                tasks.append((X @ fast[0] - task * Y).pow(2).mean())
            torch.stack(tasks).sum().backward()
    """,
    "gradients with graphs, put away": """
        for i in range(6):
            opt.zero_grad()
            model(X).pow(2).mean().backward(create_graph=True)
            (0.01 * sum(p.grad.pow(2).sum() for p in model.parameters())).backward()
            opt.step()
            opt.zero_grad()
    """,
    "evaluation without recording": """
        def evaluate():
            model.eval()
            outs, total = [], 0.0
            with torch.no_grad():
                for batch in X.split(8):
                    outs.append(model(batch))
                    total += outs[-1].mean()
            model.train()
            return torch.cat(outs), total
        for i in range(8):
            step(F.mse_loss(model(X), Y))
            evaluate()
    """,
    "derivatives of higher order": """
        x = torch.tensor(1.0, requires_grad=True)
        derivatives = [torch.sin(x)]
        for i in range(7):
            (slope,) = torch.autograd.grad(derivatives[-1], x, create_graph=True)
            derivatives.append(slope)
    """,
    "losses that run backward one after the other": """
        losses = [F.mse_loss(model(batch), batch[:, :1]) for batch in X.split(8)]
        for loss in losses:
            loss.backward()
    """,
    "one loss of each of several models": """
        results = {}
        for rate in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
            net = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 1))
            sgd = torch.optim.SGD(net.parameters(), lr=rate)
            for i in range(5):
                loss = F.mse_loss(net(X), Y)
                sgd.zero_grad()
                loss.backward()
                sgd.step()
            results[rate] = loss
        best = min(results, key=results.get)
    """,
    "an ensemble": """
        nets = [nn.Linear(5, 1).eval() for i in range(6)]
        for i in range(5):
            outs = [net(X) for net in nets]
            torch.stack(outs).std(0).mean().item()
    """,
    "the path of a weight": """
        w = torch.ones(3, requires_grad=True)
        sgd = torch.optim.SGD([w], lr=0.1)
        path, norms = [], []
        for i in range(12):
            sgd.zero_grad()
            w.pow(2).sum().backward()
            sgd.step()
            path.append(w.clone())
            norms.append(w.norm())
    """,
    "states used by later passes": """
        line = nn.Linear(5, 5)
        states = [(None, torch.zeros(1, 5))]
        for t in range(12):
            before = states[-1][1].detach().requires_grad_()
            states.append((before, torch.tanh(line(X[t:t + 1] + before))))
            del states[:-3]
            states[-1][1].sum().backward(retain_graph=True)
            if states[-2][0] is not None:
                states[-2][1].backward(states[-1][0].grad, retain_graph=True)
    """,
}


def findings(folder: pathlib.Path, text: str) -> tuple[list[Finding], int]:
    """What is found in a program, and its marked line."""
    program = HEAD + textwrap.dedent(text)
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    session = Session([MemoryDetective], names)
    with session, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program, str(path), "exec"), names)
    lines = [n for n, line in enumerate(program.splitlines(), 1) if line.endswith("# <- here")]
    return list(session.report()), lines[0] if lines else 0


@pytest.mark.parametrize("case", FAULTS)
def test_what_is_kept_for_nothing(case: str, tmp_path: pathlib.Path) -> None:
    kind, text = FAULTS[case]
    found, line = findings(tmp_path, text)
    assert found
    assert found[0].place is not None
    assert (found[0].kind, found[0].place.line) == (kind, line), found[0]


@pytest.mark.parametrize("case", HEALTHY)
def test_what_is_used_or_detached_is_not_named(case: str, tmp_path: pathlib.Path) -> None:
    found, _ = findings(tmp_path, HEALTHY[case])
    assert not found


def test_what_is_looked_at_lives_no_longer(tmp_path: pathlib.Path) -> None:
    found, _ = findings(tmp_path, """
        import gc, weakref
        class Holder:
            pass
        def train():
            seen = []
            for i in range(12):
                holder = Holder()
                holder.outs = [model(X) for _ in range(3)]
                loss = sum(out.mean() for out in holder.outs)
                step(loss)
                seen.append((weakref.ref(holder), weakref.ref(loss)))
                del holder, loss
                assert [ref() for ref in seen[-1]] == [None, None], i
            return locals()
        gc.disable()
        try:
            assert len(train()["seen"]) == 12
        finally:
            gc.enable()
    """)  # fmt: skip
    assert not found
