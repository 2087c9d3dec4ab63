# cause: cut-comparison
# says: (probability > 0.5) has no derivative, so the loss made of it has no history
# follows: "how to use accuracy / F1 as a loss in PyTorch" (forum)
import torch
from torch import nn


def f1_loss(probability, target):
    predicted = (probability > 0.5).float()  # <- here
    tp = (predicted * target).sum()
    fp = (predicted * (1 - target)).sum()
    fn = ((1 - predicted) * target).sum()
    return 1 - 2 * tp / (2 * tp + fp + fn + 1e-7)


torch.manual_seed(0)
x = torch.randn(50, 3)
t = ((x[:, 0] - x[:, 1]) > 0.3).float()

model = nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())
opt = torch.optim.Adam(model.parameters())

for _ in range(100):
    opt.zero_grad()
    loss = f1_loss(model(x).squeeze(1), t)
    loss.backward()
    opt.step()

print(loss.item())
