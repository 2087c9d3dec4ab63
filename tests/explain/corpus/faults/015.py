# cause: cut-inference-mode
# says: the embedding ran under inference_mode, so the trained part cannot go back into it
# follows: own
import torch
import torch.nn as nn
import torch.nn.functional as F


class Ranker:
    def __init__(self, n_items, width):
        self.items = nn.Embedding(n_items, width)
        self.project = nn.Linear(width, width)

    def parameters(self):
        yield from self.items.parameters()
        yield from self.project.parameters()

    def lookup(self, ids):
        with torch.inference_mode():  # <- or here
            rows = self.items(ids)  # <- here
        return rows.clone()

    def score(self, left, right):
        return (self.project(self.lookup(left)) * self.lookup(right)).sum(dim=1)


torch.manual_seed(0)
ranker = Ranker(20, 6)
optimizer = torch.optim.Adagrad(ranker.parameters(), lr=0.1)
left, right = torch.randint(0, 20, (2, 40))
clicked = (left < right).float()

for _ in range(4):
    loss = F.binary_cross_entropy_with_logits(ranker.score(left, right), clicked)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))

for what, p in zip(("items", "project.weight", "project.bias"), ranker.parameters(), strict=True):
    print(what, "no gradient" if p.grad is None else "ok")
