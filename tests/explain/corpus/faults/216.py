# cause: recreated-item
# says: self.scale.item() is a Python number, so the loss does not know the parameter
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) * self.scale.item()  # <- here


model = Scaled()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(20, 3)
for _ in range(20):
    loss = (model(x) - 5 * x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("scale", model.scale.item(), model.scale.grad)
