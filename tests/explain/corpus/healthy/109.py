# healthy: recording is switched off for validation and on again afterwards
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(40, 3)
y = x.mean(1, keepdim=True)
for epoch in range(5):
    loss = nn.functional.mse_loss(net(x[:30]), y[:30])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.set_grad_enabled(False)
    valid = nn.functional.mse_loss(net(x[30:]), y[30:])
    torch.set_grad_enabled(True)
    print(epoch, valid.item() < 5)
