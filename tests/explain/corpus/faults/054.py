# cause: optimizer-empty
# says: The generator parameters() was used up by the count; the optimizer got nothing.
# follows: ValueError: optimizer got an empty parameter list, although my model has parameters
import torch
from torch import nn
from torch.optim import SGD


def describe(parameters):
    total = 0
    for p in parameters:
        total += p.numel()
    return f"{total} numbers to train"


torch.manual_seed(0)
model = nn.Sequential(
    nn.Linear(5, 16),
    nn.LayerNorm(16),
    nn.GELU(),
    nn.Linear(16, 1),
)
params = model.parameters()  # <- or here
print(describe(params))  # <- here

x = torch.rand(30, 5)
y = x.prod(1, keepdim=True)
optimizer = SGD(params, lr=0.1, momentum=0.9)
for _ in range(20):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
print("final loss", loss.item())
