# healthy: a loss scale that is lowered when gradients overflow, the step is left out then
import torch
from torch import nn


class Scaler:
    def __init__(self, scale):
        self.scale, self.skipped = scale, 0

    def step(self, optimizer, parameters):
        if not all(torch.isfinite(p.grad).all() for p in parameters):
            self.scale /= 4
            self.skipped += 1
            return
        for p in parameters:
            p.grad /= self.scale
        optimizer.step()


torch.manual_seed(0)
x = torch.randn(16, 3).half()
y = x.sum(dim=1, keepdim=True)
model = nn.Linear(3, 1).half()
parameters = list(model.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.05)
scaler = Scaler(2.0**22)
for _ in range(40):
    optimizer.zero_grad()
    loss = (model(x) - y).float().pow(2).mean()
    (loss * scaler.scale).backward()
    scaler.step(optimizer, parameters)
print("skipped", scaler.skipped > 0, "learned", loss.item() < 1.0)
