# cause: loss-constant
# says: Softmax over a single output is always 1: a constant loss, all gradients zero.
# follows: Binary classifier, one output unit and softmax: loss constant, gradients 0
import torch
import torch.nn.functional as F
from torch import nn, optim


class Classifier(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.fc1 = nn.Linear(features, 8)
        self.fc2 = nn.Linear(8, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        return F.softmax(self.fc2(x), dim=1)  # <- here


torch.manual_seed(0)
x = torch.randn(32, 5)
y = (x.sum(1, keepdim=True) > 0).float()
model = Classifier(5)
optimizer = optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    optimizer.zero_grad()
    loss = F.binary_cross_entropy(model(x), y)  # <- or here
    loss.backward()
    optimizer.step()
    biggest = max(p.grad.abs().max().item() for p in model.parameters())
    print(f"epoch {epoch} loss {loss.item():.4f} largest gradient {biggest}")
