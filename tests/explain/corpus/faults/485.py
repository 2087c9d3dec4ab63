# cause: memory-loss-kept
# says: the validation loss adds up tensors with their graphs: no torch.no_grad(), no item()
# follows: forum: memory grows during validation although no backward is called
import torch
from torch import nn

torch.manual_seed(5)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
train = [torch.randn(8, 4) for _ in range(4)]
valid = [torch.randn(8, 4) for _ in range(12)]


def error(x):
    return nn.functional.mse_loss(net(x), x.sum(1, keepdim=True))


def validate(batches):
    total = 0
    for x in batches:
        total += error(x)  # <- here
    return total / len(batches)


for epoch in range(2):
    for x in train:
        opt.zero_grad()
        error(x).backward()
        opt.step()
    print(epoch, float(validate(valid)))
