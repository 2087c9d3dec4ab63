# cause: flow-vanishing
# says: the gradient shrinks at each of the twelve sigmoids; next to nothing reaches the first
# follows: "Gradients of the first layers of a deep sigmoid network are about 1e-10" (Q&A site)
import torch
from torch import nn


def deep(width, depth):
    layers = []
    for _ in range(depth):
        layers += [nn.Linear(width, width), nn.Sigmoid()]  # <- here
    return nn.Sequential(*layers, nn.Linear(width, 1))


torch.manual_seed(4)
model = deep(10, 12)
x = torch.randn(40, 10)
y = (x[:, :1] > 0).float()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
loss_fn = nn.BCEWithLogitsLoss()
for _ in range(20):
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()

print(f"loss after 20 epochs {loss.item():.4f}")
for i, layer in enumerate(model):
    if isinstance(layer, nn.Linear):
        print(i, "ok" if layer.weight.grad.norm() > 1e-6 else "hardly any gradient")
