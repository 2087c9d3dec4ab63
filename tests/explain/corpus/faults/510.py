# cause: function-changed-input
# says: forward whitens its input in place without mark_dirty, so the layer before sees changed values
# follows: own
import torch
from torch import nn
from torch.autograd import Function


class Center(Function):
    @staticmethod
    def forward(ctx, x):
        x.sub_(x.mean(-1, keepdim=True))  # <- here
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g - g.mean(-1, keepdim=True)


class Centered(nn.Module):
    def forward(self, x):
        return Center.apply(x)


class Gate(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)

    def forward(self, x):
        g = self.fc(x)
        return g, torch.nn.functional.softplus(g)


class Net(nn.Module):
    def __init__(self, fused, d=5):
        super().__init__()
        self.gate, self.fused, self.out = Gate(d), fused, nn.Linear(d, 1)
        self.center = Centered()

    def forward(self, x):
        g, a = self.gate(x)
        c = self.center(g) if self.fused else g - g.mean(-1, keepdim=True)
        return self.out(a * c + torch.sigmoid(g)).squeeze(-1)


class Check:
    def __init__(self, tol):
        self.tol, self.failed = tol, []

    def equal(self, name, a, b):
        gap = (a - b).abs().max().item()
        print(f"{name}: {gap:.2e}")
        if gap > self.tol:
            self.failed.append(name)


def run(model, x, y):
    model.zero_grad(set_to_none=True)
    loss = (model(x) - y).square().mean()
    loss.backward()
    return loss.detach(), {n: p.grad.detach().clone() for n, p in model.named_parameters()}


def main():
    torch.manual_seed(0)
    a, b = Net(True), Net(False)
    b.load_state_dict(a.state_dict())
    x, y = torch.randn(9, 5), torch.randn(9)
    la, ga = run(a, x, y)
    lb, gb = run(b, x, y)
    check = Check(1e-5)
    check.equal("loss", la, lb)
    for n in ga:
        check.equal(n, ga[n], gb[n])
    assert not check.failed, check.failed


main()
