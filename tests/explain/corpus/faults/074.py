# cause: non-scalar-backward
# says: The criterion has reduction="none": loss has one value per sample; average it.
# follows: grad can be implicitly created only for scalar outputs (reduction='none')
import torch
from torch import nn


def build(classes):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, classes))


def weights_of(labels, classes):
    count = torch.bincount(labels, minlength=classes).float()
    return (count.sum() / (classes * count))[labels]


model = build(3)
criterion = nn.CrossEntropyLoss(reduction="none")  # <- here
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(9, 4)
labels = torch.tensor([0, 0, 0, 0, 0, 1, 1, 2, 2])
weights = weights_of(labels, 3)

for epoch in range(4):
    optimizer.zero_grad()
    loss = criterion(model(x), labels) * weights
    loss.backward()  # <- or here
    optimizer.step()
    print(epoch, loss.mean().item())
