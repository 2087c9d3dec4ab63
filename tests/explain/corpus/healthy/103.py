# healthy: unused parameters are kept in the loss with a factor of 0 on purpose
import torch
from torch import nn

torch.manual_seed(0)
main, spare = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*main.parameters(), *spare.parameters()], lr=0.1)
x = torch.randn(20, 4)
y = x.sum(1, keepdim=True)
for _ in range(20):
    loss = (main(x) - y).pow(2).mean() + 0.0 * sum(p.sum() for p in spare.parameters())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item() < 1.0)
