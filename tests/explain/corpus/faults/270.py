# cause: wrote-saved-value
# says: out += x writes into tanh's output, which tanh needs in its backward.
# follows: ResNet block: modified by an inplace operation, because of out += residual
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        out = torch.relu(self.first(x))
        out = torch.tanh(self.second(out))
        out += x  # <- here
        return out


torch.manual_seed(0)
net = nn.Sequential(Block(2), Block(2), nn.Flatten(), nn.Linear(32, 3))
images, labels = torch.randn(5, 2, 4, 4), torch.tensor([0, 1, 2, 1, 0])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    loss = nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
