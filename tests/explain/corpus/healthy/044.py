# healthy: heads that this task does not use stay without a gradient, on purpose
import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Linear(5, 12)
        self.heads = nn.ModuleDict({name: nn.Linear(12, 1) for name in tasks})

    def forward(self, x, task):
        return self.heads[task](torch.relu(self.trunk(x)))


torch.manual_seed(0)
model = MultiTask(["age", "height", "weight"])
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(20, 5)
y = {"age": x[:, :1], "height": -x[:, 1:2]}
for step in range(30):
    task = "age" if step % 2 == 0 else "height"
    loss = nn.functional.mse_loss(model(x, task), y[task])
    optimizer.zero_grad()
    loss.backward()
    for name, p in model.named_parameters():
        if p.grad is None and step == 0:
            print("not used in this step:", name)
    optimizer.step()

grads = torch.autograd.grad(
    model(x, "age").sum(), list(model.heads["height"].parameters()), allow_unused=True
)
print(grads)
