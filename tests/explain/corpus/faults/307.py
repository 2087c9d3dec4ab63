# cause: overflow-half
# says: query times key does not fit in float16 (at most 65504): the scores become inf
# follows: "Attention scores overflow in fp16, scale before the matmul"
import math

import torch
from torch import nn

torch.manual_seed(0)
width = 64
embed = nn.Embedding(10, width)
with torch.no_grad():
    embed.weight.mul_(40)
embed = embed.half()


def attention(x):
    scores = x @ x.transpose(-1, -2)  # <- here
    weights = torch.softmax(scores / math.sqrt(width), dim=-1)
    return weights @ x


tokens = torch.tensor([[1, 4, 4, 7], [0, 2, 9, 9]])
out = attention(embed(tokens))
loss = out.float().pow(2).mean()
loss.backward()
print(loss.item(), embed.weight.grad[1, :3])
