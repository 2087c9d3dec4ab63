# cause: optimizer-empty
# says: The filter over the body's parameters was used up by the norm: that group is empty.
# follows: own
import torch
import torch.nn.functional as F
from torch import nn, optim


class Tagger(nn.Module):
    def __init__(self, words=20, tags=4):
        super().__init__()
        self.embed = nn.Embedding(words, 6)
        self.body = nn.Linear(6, 10)
        self.head = nn.Linear(10, tags)

    def forward(self, tokens):
        return self.head(torch.tanh(self.body(self.embed(tokens))))


def size(parameters):
    return sum(float(p.detach().norm()) for p in parameters)


torch.manual_seed(5)
model = Tagger()
model.embed.weight.requires_grad_(False)
slow = filter(lambda p: p.requires_grad, [*model.embed.parameters(), *model.body.parameters()])
print(f"norm of the slow part at the start: {size(slow):.3f}")  # <- here

optimizer = optim.Adam(
    [
        {"params": slow, "lr": 1e-3},
        {"params": model.head.parameters(), "lr": 1e-2},
    ]
)
tokens = torch.randint(0, 20, (8, 5))
tags = tokens % 4
before = model.body.weight.detach().clone()
for _ in range(10):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(tokens).flatten(0, 1), tags.flatten())
    loss.backward()
    optimizer.step()
print("loss", round(loss.item(), 3))
print("change of body.weight", (model.body.weight - before).abs().sum().item())
