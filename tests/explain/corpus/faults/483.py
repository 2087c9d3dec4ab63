# cause: flow-dead-relu
# says: the bias of the first convolution is set to -10, so its ReLU is silent for every image
# follows: own
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.conv2 = nn.Conv2d(4, 8, 3)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        return self.head(x.mean((2, 3)))


torch.manual_seed(0)
net = Net()
net.conv1.bias.data.fill_(-10)  # <- here
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
images, labels = torch.randn(8, 1, 8, 8), torch.randint(0, 3, (8,))
for _ in range(5):
    opt.zero_grad()
    loss = F.cross_entropy(net(images), labels)
    loss.backward()
    opt.step()
print({name: round(p.grad.norm().item(), 5) for name, p in net.named_parameters()})
