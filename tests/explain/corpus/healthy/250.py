# healthy: a running scale is kept as a plain number on purpose, beside the gradient's own path
import torch
from torch import nn

torch.manual_seed(0)


class RunningScale:
    def __init__(self):
        self.value = 1.0

    def update(self, loss):
        self.value = 0.9 * self.value + 0.1 * loss.item()


net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scale = RunningScale()
x = torch.randn(32, 3)
y = x.sum(1, keepdim=True)
for step in range(20):
    loss = (net(x) - y).pow(2).mean()
    scale.update(loss)
    opt.zero_grad()
    (loss / scale.value).backward()
    opt.step()
for name, p in net.named_parameters():
    print(name, p.grad.norm().item())
print("scale", scale.value)
