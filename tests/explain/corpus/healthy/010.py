# healthy: tied input and output embeddings, one Parameter used in two places
import torch
import torch.nn.functional as F
from torch import nn


class TinyLM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.mix = nn.Linear(dim, dim)
        self.decoder = nn.Linear(dim, vocab, bias=False)
        self.decoder.weight = self.embed.weight

    def forward(self, tokens):
        return self.decoder(torch.tanh(self.mix(self.embed(tokens))))


torch.manual_seed(0)
model = TinyLM(vocab=11, dim=8)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
text = torch.arange(60) % 11
losses = []
for _ in range(40):
    logits = model(text[:-1])
    loss = F.cross_entropy(logits, text[1:])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

print("parameters", sum(p.numel() for p in model.parameters()))
print("tied", model.decoder.weight is model.embed.weight, "learned", losses[-1] < 0.5 * losses[0])
