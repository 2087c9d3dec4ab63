# cause: empty-mean
# says: a sequence without a valid place has mask.sum() == 0: the masked mean is 0 / 0
# follows: "Mean pooling over attention mask returns nan"
import torch
from torch import nn


class Pooling(nn.Module):
    def forward(self, hidden, mask):
        kept = hidden * mask.unsqueeze(-1)
        return kept.sum(dim=1) / mask.sum(dim=1, keepdim=True)  # <- here


torch.manual_seed(0)
embedding, pool, head = nn.Embedding(20, 6), Pooling(), nn.Linear(6, 2)
batches = [
    (torch.tensor([[3, 5, 0], [7, 0, 0]]), torch.tensor([0, 1])),
    (torch.tensor([[0, 0, 0], [9, 4, 2]]), torch.tensor([1, 0])),
]
for tokens, labels in batches:
    pooled = pool(embedding(tokens), (tokens != 0).float())
    loss = nn.functional.cross_entropy(head(pooled), labels)
    loss.backward()
    if not torch.isfinite(loss):
        raise SystemError(f"bad loss {loss.item()}")
