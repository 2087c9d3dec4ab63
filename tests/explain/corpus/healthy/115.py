# healthy: an exception of an unrelated kind is caught, an unused branch has its reasons
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, use_aux):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)
        self.aux = nn.Linear(8, 2)
        self.use_aux = use_aux

    def forward(self, x):
        h = torch.relu(self.body(x))
        return (self.head(h), self.aux(h)) if self.use_aux else self.head(h)


model = Net(use_aux=False)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
for _ in range(10):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    total = sum(p.grad.norm() ** 2 for p in model.parameters() if p.grad is not None) ** 0.5
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
try:
    model(torch.randn(3, 5))
except RuntimeError as error:
    print("refused:", type(error).__name__)
print(float(total) > 0)
