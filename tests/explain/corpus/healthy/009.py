# healthy: gradients accumulated over micro-batches on purpose, compared with one large batch
import copy

import torch
from torch import nn

torch.manual_seed(2)
model = nn.Linear(6, 2)
twin = copy.deepcopy(model)
x = torch.randn(32, 6)
y = torch.randint(0, 2, (32,))
micro = 4

optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
reference = torch.optim.SGD(twin.parameters(), lr=0.5)

for _ in range(10):
    optimizer.zero_grad()
    for part_x, part_y in zip(x.chunk(micro), y.chunk(micro), strict=True):
        loss = nn.functional.cross_entropy(model(part_x), part_y) / micro
        loss.backward()
    optimizer.step()

    reference.zero_grad()
    nn.functional.cross_entropy(twin(x), y).backward()
    reference.step()

print("same weights:", torch.allclose(model.weight, twin.weight, atol=1e-5))
