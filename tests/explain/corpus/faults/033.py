# cause: copied-not-linked
# says: nn.Parameter(...) makes a fresh leaf from the value, so a and b are not in the graph
# follows: "wrapping an expression in nn.Parameter breaks the gradient" (forum)
import torch
import torch.nn.functional as F
from torch import nn


class LowRankLinear(nn.Module):
    def __init__(self, base, rank=2, alpha=0.5):
        super().__init__()
        self.base = base
        self.alpha = alpha
        self.a = nn.Parameter(0.1 * torch.randn(base.out_features, rank))
        self.b = nn.Parameter(0.1 * torch.randn(rank, base.in_features))
        for p in base.parameters():
            p.requires_grad = False

    def forward(self, x):
        weight = nn.Parameter(self.base.weight + self.a @ self.b * self.alpha)  # <- here
        return F.linear(x, weight, self.base.bias)


torch.manual_seed(1)
layer = LowRankLinear(nn.Linear(6, 4))
trainable = [p for p in layer.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trainable, lr=0.05)
x, y = torch.randn(32, 6), torch.randn(32, 4)

losses = []
for _ in range(25):
    optimizer.zero_grad()
    loss = F.mse_loss(layer(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

print(len(trainable), "tensors to train")
print(f"first {losses[0]:.4f} last {losses[-1]:.4f}")
print("a.grad:", layer.a.grad)
