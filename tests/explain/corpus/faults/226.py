# cause: zero-dead-relu
# says: the large negative bias keeps every unit of the hidden layer at zero
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
with torch.no_grad():
    model[0].bias.fill_(-20.0)  # <- or here
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
x = torch.rand(16, 3)
y = x.sum(1, keepdim=True)
for _ in range(10):
    loss = (model(x) - y).pow(2).mean()  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4), model[0].weight.grad.abs().sum().item())
