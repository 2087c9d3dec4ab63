# cause: cut-integer-cast
# says: .long() turns the learned position into integers, which carry no gradient
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


class Glimpse(nn.Module):
    """Looks at one pixel of a row, at a place it chooses itself."""

    def __init__(self, width):
        super().__init__()
        self.where = nn.Linear(width, 1)
        self.what = nn.Linear(1, 1)
        self.width = width

    def forward(self, rows):
        place = torch.sigmoid(self.where(rows)) * (self.width - 1)
        index = place.long()  # <- here
        return self.what(rows.gather(1, index))


model = Glimpse(9)
rows = torch.rand(16, 9)
target = rows.max(dim=1, keepdim=True).values
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

for _ in range(8):
    loss = nn.functional.mse_loss(model(rows), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("loss", f"{loss.item():.5f}")
norms = {name: p.grad.norm().item() for name, p in model.named_parameters()}
print(norms)
