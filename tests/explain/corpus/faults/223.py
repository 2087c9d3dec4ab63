# cause: reset-by-zero-grad
# says: model.zero_grad() runs before the norm of the gradients is computed
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
x = torch.randn(8, 4)
loss = model(x).pow(2).mean()
loss.backward()
model.zero_grad()  # <- here
norm = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters()))
print(norm)
