# cause: flow-double-softmax
# says: the model ends in softmax and log_softmax is taken again: nearly flat scores
# follows: "CrossEntropyLoss gets stuck with a softmax layer at the end of the model" (forum)
import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, classes))

    def forward(self, x):
        return F.softmax(self.body(x), dim=-1)  # <- here


def objective(output, target):
    return F.nll_loss(F.log_softmax(output, dim=-1), target)  # <- or here


torch.manual_seed(0)
x = torch.randn(100, 5)
target = x.argmax(1)
model = Classifier(5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(60):
    optimizer.zero_grad()
    loss = objective(model(x), target)
    loss.backward()
    optimizer.step()

accuracy = (model(x).argmax(1) == target).float().mean().item()
print(f"loss {loss.item():.3f} accuracy {accuracy:.2f}")
assert loss < 0.8, "it should fit one hundred points"
