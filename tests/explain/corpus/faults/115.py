# cause: masked-attention
# says: one sentence is all padding: softmax over a row of only -inf is NaN
# follows: "MultiheadAttention outputs nan if a row of the key padding mask is all True"
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x, padding):
        scores = self.query(x) @ self.key(x).transpose(1, 2) / math.sqrt(x.shape[-1])
        scores = scores.masked_fill(padding.unsqueeze(1), float("-inf"))  # <- or here
        weights = torch.softmax(scores, dim=-1)  # <- here
        return weights @ self.value(x)


torch.manual_seed(0)
lengths = torch.tensor([4, 2, 0, 3])
padding = torch.arange(4).unsqueeze(0) >= lengths.unsqueeze(1)
x = torch.randn(4, 4, 8)

attention = SelfAttention(8)
pooled = attention(x, padding).mean(dim=1)
loss = nn.functional.mse_loss(pooled, torch.zeros(4, 8))
loss.backward()
print("loss", loss.item())
print("query gradient", attention.query.weight.grad[0, :3].tolist())
