# cause: cut-argmax
# says: argmax has no gradient: the generator gets none through the chosen tokens
# follows: GAN for text: generator grad is None after argmax
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
V, L, Z = 7, 5, 4


class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(Z, L * V)

    def forward(self, z):
        logits = self.fc(z).view(-1, L, V)
        tokens = logits.argmax(-1)  # <- here
        return F.one_hot(tokens, V).float()


class Disc(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(L * V, 1)

    def forward(self, s):
        return self.fc(s.flatten(1))


g, d = Gen(), Disc()
og = torch.optim.Adam(g.parameters(), 1e-2)
bce = nn.BCEWithLogitsLoss()
for _ in range(3):
    og.zero_grad()
    fake = g(torch.randn(8, Z))
    gl = bce(d(fake), torch.ones(8, 1))
    gl.backward()
    og.step()
total = sum(p.grad.abs().sum() for p in g.parameters() if p.grad is not None)
print("generator gradient", total)
