# healthy: an optimizer of one's own, parameter groups, state kept as detached tensors
import torch
from torch import nn
from torch.optim import Optimizer


class SignMomentum(Optimizer):
    def __init__(self, params, lr=1e-2, beta=0.9, weight_decay=0.0):
        super().__init__(params, {"lr": lr, "beta": beta, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "m" not in state:
                    state["m"] = torch.zeros_like(p)
                p.mul_(1 - group["lr"] * group["weight_decay"])
                state["m"].lerp_(p.grad, 1 - group["beta"])
                p.add_(state["m"].sign(), alpha=-group["lr"])
        return loss


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 10), nn.SiLU(), nn.Linear(10, 1))
decay = [p for p in model.parameters() if p.ndim > 1]
rest = [p for p in model.parameters() if p.ndim <= 1]
optimizer = SignMomentum([{"params": decay, "weight_decay": 0.01}, {"params": rest}], lr=5e-3)
x = torch.randn(60, 4)
y = x[:, :1] * 2 - x[:, 1:2]


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss


losses = [optimizer.step(closure).item() for _ in range(80)]
print("fell", losses[-1] < 0.3 * losses[0])
