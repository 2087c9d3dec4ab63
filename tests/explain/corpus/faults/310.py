# cause: all-ignored
# says: the prompt fills the whole sequence, so every label is -100 and the loss divides by zero
# follows: "Loss is nan when fine-tuning, labels are all -100 after truncation"
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self, words=12, width=8):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.out = nn.Linear(width, words)

    def forward(self, ids, labels):
        scores = self.out(self.embed(ids))[:, :-1]
        wanted = labels[:, 1:]
        return F.cross_entropy(scores.transpose(1, 2), wanted)  # <- here


def example(prompt, answer, length=6):
    ids = (prompt + answer)[:length]
    labels = ([-100] * len(prompt) + answer)[:length]
    return torch.tensor([ids]), torch.tensor([labels])


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for prompt, answer in (([1, 2], [3, 4, 5, 6]), ([1, 2, 7, 8, 9, 10], [3]), ([5], [1, 2, 3, 4, 5])):
    loss = model(*example(prompt, answer))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(len(prompt), loss.item())
