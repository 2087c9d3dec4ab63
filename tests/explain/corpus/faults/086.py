# cause: loss-broadcast
# says: (50, 1) minus (50) is (50, 50): every prediction against every target.
# follows: Regression learns only the mean: output (N, 1) and target (N) broadcast
import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def rmse(prediction, y):
    return ((prediction - y) ** 2).mean().sqrt()  # <- here


torch.manual_seed(0)
x = torch.rand(50, 2)
y = 3 * x[:, 0] - 2 * x[:, 1]
net = Net()
optimizer = optim.Adam(net.parameters(), lr=0.02)
for epoch in range(60):
    optimizer.zero_grad()
    loss = rmse(net(x), y)  # <- or here
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        print(f"epoch {epoch + 1} rmse {loss.item():.3f}")
print("spread of the targets", round(y.std().item(), 3))
print("spread of the predictions", round(net(x).std().item(), 3))
