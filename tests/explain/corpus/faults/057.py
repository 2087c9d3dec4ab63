# cause: zero-grad-before-step
# says: zero_grad runs between backward and step, so the optimizer has no gradients to use.
# follows: Loss stays the same: order of optimizer.zero_grad, loss.backward and optimizer.step
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_data(n=40):
    angle = torch.rand(n) * 6.28
    radius = torch.where(torch.arange(n) % 2 == 0, 1.0, 2.0)
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], 1)
    return points, (torch.arange(n) % 2).float()


torch.manual_seed(11)
points, label = make_data()
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)

for epoch in range(12):
    logits = net(points).squeeze(1)
    loss = F.binary_cross_entropy_with_logits(logits, label)
    loss.backward()
    optimizer.zero_grad()  # <- here
    optimizer.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.6f}")
