# cause: cut-comparison
# says: the accuracy is made of a comparison, which has no derivative; it cannot be maximised
# follows: "use accuracy as loss" (forum)
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(40, 2)
y = x[:, 0] > 0


def accuracy(scores, y):
    hits = torch.eq(scores.squeeze(1) > 0, y)  # <- here
    return hits.float().mean()


for _ in range(3):
    opt.zero_grad()
    loss = 1 - accuracy(net(x), y)
    loss.backward()
    opt.step()
