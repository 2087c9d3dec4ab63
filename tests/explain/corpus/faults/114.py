# cause: all-ignored
# says: every label of the last batch is ignore_index, so the loss divides by zero labels: NaN
# follows: "CrossEntropyLoss returns nan when all targets are ignore_index"
import torch
from torch import nn

PAD = 0
VOCABULARY = 7


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, 6, padding_idx=PAD)
        self.out = nn.Linear(6, VOCABULARY)

    def forward(self, tokens):
        return self.out(self.embedding(tokens))


def pad(sentences, length):
    return torch.tensor([s[:length] + [PAD] * (length - len(s)) for s in sentences])


torch.manual_seed(0)
corpus = [[3, 5, 2], [1, 4], [6, 6, 2, 1], [2], [], [], [4, 3], [5]]
tokens = pad(corpus, 4)

model = Tagger()
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for batch in (tokens[:2], tokens[2:4], tokens[4:6], tokens[6:]):
    scores = model(batch)
    loss = criterion(scores.view(-1, VOCABULARY), batch.view(-1))  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
