# cause: masked-attention
# says: the diagonal is masked too, so the first word sees nothing: softmax over only -inf
# follows: "Causal mask with diagonal=0 in triu gives nan in the first row"
import torch
from torch import nn


def no_future(n):
    return torch.triu(torch.full((n, n), float("-inf")), diagonal=0)


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        scores = self.q(x) @ self.k(x).mT + no_future(x.shape[-2])
        return scores.softmax(dim=-1) @ self.v(x)  # <- here


torch.manual_seed(0)
block = Attention(6)
x = torch.randn(3, 5, 6)
loss = nn.functional.mse_loss(block(x), x)
print("loss", loss.item())
loss.backward()
