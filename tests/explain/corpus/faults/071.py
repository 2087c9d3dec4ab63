# cause: leaf-in-place
# says: Zeroing the padding row writes into a view of the weight, a leaf; use no_grad.
# follows: a view of a leaf Variable that requires grad is being used in an in-place operation
import torch
from torch import nn


class Bag(nn.Module):
    def __init__(self, words, width, padding=0):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.padding = padding
        self.out = nn.Linear(width, 2)
        self.reset()

    def reset(self):
        nn.init.normal_(self.embed.weight, std=0.1)
        row = self.embed.weight[self.padding]
        row.zero_()  # <- here

    def forward(self, tokens):
        mask = (tokens != self.padding).unsqueeze(-1)
        total = (self.embed(tokens) * mask).sum(1)
        return self.out(total / mask.sum(1).clamp(min=1))


torch.manual_seed(0)
tokens = torch.tensor([[3, 4, 0], [1, 0, 0], [2, 2, 5]])
labels = torch.tensor([0, 1, 0])
bag = Bag(6, 4)
loss = nn.functional.cross_entropy(bag(tokens), labels)
loss.backward()
print(loss.item(), bag.embed.weight.grad.abs().sum(1))
