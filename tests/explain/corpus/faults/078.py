# cause: hidden-write-data
# says: tanh's output is zeroed through .data, so its backward lets the gradient pass there.
# follows: .data versus .detach(): silently wrong gradients after an in-place change
import torch
from torch import nn


class Pooler(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Parameter(torch.randn(width))

    def forward(self, hidden, padding):
        hidden = torch.tanh(hidden)
        hidden.data[padding] = 0.0  # <- here
        return (hidden * self.score).sum((1, 2))


def main():
    torch.manual_seed(4)
    padding = torch.tensor([[False, False, True], [False, True, True]])
    hidden = torch.randn(2, 3, 4, requires_grad=True)
    pooler = Pooler(4)
    total = pooler(hidden, padding).square().sum()
    total.backward()
    leak = hidden.grad[padding].abs().max().item()
    print("gradient norm", round(hidden.grad.norm().item(), 4))
    assert leak == 0, f"padded positions have no say, yet their gradient is {leak:.3f}"


main()
