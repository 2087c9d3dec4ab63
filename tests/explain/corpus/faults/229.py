# cause: zero-mask
# says: the mask is False everywhere (labels are never -100), so the loss is 0 times everything
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
x, labels = torch.randn(12, 4), torch.randint(0, 3, (12,))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    each = nn.functional.cross_entropy(net(x), labels, reduction="none")
    valid = labels == -100  # <- or here
    loss = torch.where(valid, each, torch.zeros_like(each)).sum() / 12  # <- here
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "gradient", net.weight.grad.abs().max().item())
