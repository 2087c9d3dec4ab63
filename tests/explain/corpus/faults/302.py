# cause: nan-forward
# says: (1 - mask) * -inf is 0 * -inf, which is NaN, at every place that is kept
# follows: "Attention mask gives nan everywhere: (1 - mask) * float('-inf')"
import math

import torch
from torch import nn


def attend(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    bias = (1.0 - mask) * float("-inf")  # <- here
    return torch.softmax(scores + bias, dim=-1) @ value


torch.manual_seed(0)
project = nn.Linear(6, 18)
words = torch.randn(2, 4, 6)
mask = torch.ones(4, 4).tril()

query, key, value = project(words).chunk(3, dim=-1)
out = attend(query, key, value, mask)
loss = (out - words).pow(2).mean()
loss.backward()
print(loss.item(), project.weight.grad.abs().max().item())
