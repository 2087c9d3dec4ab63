# cause: cut-argmax
# says: topk(...).indices are positions, they carry no gradient back to the scores
# follows: own
import torch
from torch import nn

torch.manual_seed(0)


class Chooser(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 1)
        self.value = nn.Linear(4, 3)

    def forward(self, items):
        _, best = self.score(items).squeeze(-1).topk(2, dim=1)  # <- here
        chosen = items.gather(1, best.unsqueeze(-1).expand(-1, -1, items.size(-1)))
        return self.value(chosen).mean(dim=1)


model = Chooser()
items, target = torch.randn(12, 6, 4), torch.randn(12, 3)
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
for _ in range(4):
    loss = nn.functional.mse_loss(model(items), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for name, p in model.named_parameters():
    print(name, p.grad.norm().item())
