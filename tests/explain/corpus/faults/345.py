# cause: memory-kept-outputs
# says: the scores of all batches are joined with their graphs; score under torch.no_grad()
# follows: "CUDA out of memory when computing predictions for the whole dataset" (Q&A site)
import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, 16), nn.GELU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)

    def score_all(self, x, size=10):
        self.eval()
        scores = torch.cat([self(chunk) for chunk in x.split(size)])  # <- here
        self.train()
        return scores


torch.manual_seed(4)
items = torch.randn(80, 5)
relevance = items @ torch.tensor([1.0, -0.5, 0.0, 0.0, 2.0])
ranker = Ranker(5)
optimizer = torch.optim.AdamW(ranker.parameters(), lr=0.01)
for epoch in range(6):
    for rows in torch.randperm(80).split(20):
        loss = (ranker(items[rows]) - relevance[rows]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    order = ranker.score_all(items).argsort(descending=True)
    top = relevance[order[:10]].mean().item()
    print(f"epoch {epoch} mean relevance of the first ten {top:.2f}")
