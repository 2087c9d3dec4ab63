# healthy: tests that compare gradients of two implementations (chunked, checkpointed, fused) and never step the optimizer they make
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class MLP(nn.Module):
    def __init__(self, d=6, chunks=1, ckpt=False):
        super().__init__()
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.chunks, self.ckpt = chunks, ckpt

    def part(self, x):
        return self.down(F.gelu(self.up(x)))

    def forward(self, x):
        fn = (lambda t: checkpoint(self.part, t, use_reentrant=False)) if self.ckpt else self.part
        return torch.cat([fn(c) for c in x.chunk(self.chunks)])


class Harness:
    def __init__(self, make, n):
        torch.manual_seed(0)
        self.x, self.y = torch.randn(n, 6), torch.randn(n, 6)
        self.make = make

    def run(self, state=None, accumulate=1, **kw):
        model = self.make(**kw)
        if state is not None:
            model.load_state_dict(state)
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        opt.zero_grad()
        total = 0.0
        for x, y in zip(self.x.chunk(accumulate), self.y.chunk(accumulate)):
            loss = F.mse_loss(model(x), y) / accumulate
            loss.backward()
            total += loss.item()
        grads = {n: p.grad.detach().clone() for n, p in model.named_parameters()}
        return total, grads, model.state_dict()


def close(a, b, tol=1e-6):
    return all(torch.allclose(a[k], b[k], atol=tol) for k in a)


def test_chunks():
    h = Harness(MLP, 12)
    la, ga, state = h.run()
    for kw in ({"chunks": 3}, {"ckpt": True}, {"chunks": 4, "ckpt": True}, {"accumulate": 3}):
        lb, gb, _ = h.run(state, **kw)
        assert abs(la - lb) < 1e-6 and close(ga, gb), kw
        print("ok", kw, f"{lb:.6f}")


def test_scaling_of_loss():
    h = Harness(MLP, 8)
    _, g, state = h.run()
    model = MLP()
    model.load_state_dict(state)
    (3 * F.mse_loss(model(h.x), h.y)).backward()
    for n, p in model.named_parameters():
        assert torch.allclose(p.grad, 3 * g[n], atol=1e-5)


test_chunks()
test_scaling_of_loss()
