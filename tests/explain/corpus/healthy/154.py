# healthy: in-place writes where no saved value is touched: relu(inplace), buffers, masks
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 8), nn.ReLU(inplace=True), nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count += 1
        h = self.body(x)
        h += 1.0
        h[:, 0] = 0.0
        scores = self.out(torch.relu_(h))
        scores.masked_fill_(torch.tensor([[False, True]]), -1e3)
        return scores


net = Net()
x = torch.randn(6, 3)
labels = torch.zeros(6, dtype=torch.long)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x) + 0.1 * net.out.weight.sum(), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("calls", int(net.count), "loss", abs(round(loss.item(), 4)))
