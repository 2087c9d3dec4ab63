# cause: tying-broken
# says: A new Parameter for the embedding ended its sharing with the output layer.
# follows: Weight tying of embedding and decoder is lost after loading pretrained word vectors
import torch
import torch.nn.functional as F
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.mix = nn.Linear(width, width)
        self.decode = nn.Linear(width, words, bias=False)
        self.decode.weight = self.embed.weight

    def load_vectors(self, vectors):
        self.embed.weight = nn.Parameter(vectors.clone())  # <- here

    def forward(self, tokens):
        return self.decode(torch.tanh(self.mix(self.embed(tokens))))


torch.manual_seed(12)
vectors = torch.randn(11, 6) * 0.3
model = LanguageModel(11, 6)
model.load_vectors(vectors)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
text = torch.randint(0, 11, (4, 9))
for epoch in range(3):
    logits = model(text[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, 11), text[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))

assert torch.equal(model.embed.weight, model.decode.weight), "one matrix was wanted"
