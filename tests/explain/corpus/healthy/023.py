# healthy: padding_idx keeps the padding row at zero, a mask averages the words
import torch
import torch.nn.functional as F
from torch import nn

PAD = 0


class BagOfWords(nn.Module):
    def __init__(self, words, dim, classes):
        super().__init__()
        self.embed = nn.Embedding(words, dim, padding_idx=PAD)
        self.out = nn.Linear(dim, classes)

    def forward(self, tokens):
        mask = (tokens != PAD).unsqueeze(-1).float()
        vectors = self.embed(tokens) * mask
        return self.out(vectors.sum(1) / mask.sum(1).clamp(min=1))


torch.manual_seed(0)
tokens = torch.tensor([[3, 4, 5, 0, 0], [6, 7, 0, 0, 0], [3, 5, 4, 3, 0], [7, 7, 6, 6, 7]])
labels = torch.tensor([0, 1, 0, 1])
model = BagOfWords(words=10, dim=4, classes=2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(50):
    loss = F.cross_entropy(model(tokens), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print(f"loss {loss.item():.3f}")
print("padding row", model.embed.weight[PAD].tolist(), model.embed.weight.grad[PAD].sum().item())
