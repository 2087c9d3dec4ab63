# cause: cut-no-grad
# says: forward_all is decorated with torch.no_grad() and is used for training as well
# follows: own
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(7)


@torch.no_grad()  # <- here
def forward_all(model, batches):
    return torch.cat([model(b) for b in batches])  # <- or here


def evaluate(model, batches, labels):
    scores = forward_all(model, batches)
    return (scores.argmax(dim=1) == labels).float().mean().item()


def train(model, batches, labels, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = F.cross_entropy(forward_all(model, batches), labels)
        loss.backward()
        optimizer.step()


model = nn.Linear(3, 2)
points = torch.randn(24, 3)
labels = (points.sum(dim=1) > 0).long()
batches = points.split(8)

print("accuracy before", evaluate(model, batches, labels))
train(model, batches, labels, epochs=10)
print("accuracy after", evaluate(model, batches, labels))
