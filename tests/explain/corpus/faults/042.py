# cause: zero-mask
# says: the mask is inverted and 0 on every real step, so all gradients are zero
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


def make_batch(sizes, features, longest):
    data = torch.zeros(len(sizes), longest, features)
    for i, n in enumerate(sizes):
        data[i, :n] = torch.randn(n, features)
    return data, torch.tensor(sizes)


def length_mask(lengths, longest):
    return torch.arange(longest)[None, :] >= lengths[:, None]  # <- or here


x, lengths = make_batch([4, 4, 4], features=3, longest=4)
target = x.sum(dim=2).cumsum(dim=1)
model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))

mask = length_mask(lengths, 4).float()
errors = (model(x).squeeze(2) - target) ** 2
loss = (errors * mask).sum() / lengths.sum()  # <- here
loss.backward()

total = sum(p.grad.abs().sum().item() for p in model.parameters())
assert total > 0, f"loss {loss.item()} and no gradient at all"
