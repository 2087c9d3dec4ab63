# cause: loss-target-class
# says: Labels run from 1 to 5, the 5 outputs are classes 0 to 4: there is no class 5.
# follows: IndexError: Target 5 is out of bounds (labels start at 1)
import torch
import torch.nn.functional as F
from torch import nn, optim

REVIEWS = [
    ([1, 2, 3], 4),
    ([4, 4, 1], 2),
    ([7, 2, 9], 5),
    ([5, 5, 6], 1),
    ([8, 2, 3], 3),
]


def load(reviews):
    tokens = torch.tensor([words for words, _ in reviews])
    stars = torch.tensor([star for _, star in reviews])  # <- or here
    return tokens, stars


class Rater(nn.Module):
    def __init__(self, words, classes):
        super().__init__()
        self.embed = nn.Embedding(words, 8)
        self.out = nn.Linear(8, classes)

    def forward(self, tokens):
        return self.out(self.embed(tokens).mean(1))


torch.manual_seed(0)
tokens, stars = load(REVIEWS)
model = Rater(10, 5)
optimizer = optim.Adam(model.parameters())
for epoch in range(3):
    loss = F.cross_entropy(model(tokens), stars)  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
