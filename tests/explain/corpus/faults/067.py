# cause: freed-graph
# says: Both losses share the trunk, which the first backward freed; add the losses up.
# follows: Trying to backward through the graph a second time with two losses on one shared encoder
import torch
import torch.nn.functional as F
from torch import nn, optim


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4), nn.Tanh())
        self.classify = nn.Linear(4, 3)
        self.rebuild = nn.Linear(4, 8)

    def forward(self, x):
        code = self.trunk(x)
        return self.classify(code), self.rebuild(code)


def train(model, optimizer, x, y):
    logits, again = model(x)
    class_loss = F.cross_entropy(logits, y)
    rebuild_loss = F.mse_loss(again, x)
    optimizer.zero_grad()
    class_loss.backward()  # <- here
    rebuild_loss.backward()  # <- or here
    optimizer.step()
    return class_loss.item(), rebuild_loss.item()


torch.manual_seed(9)
net = TwoHeads()
opt = optim.SGD(net.parameters(), lr=0.1)
batch = torch.randn(12, 8)
kinds = torch.randint(0, 3, (12,))
for epoch in range(3):
    print(epoch, train(net, opt, batch, kinds))
