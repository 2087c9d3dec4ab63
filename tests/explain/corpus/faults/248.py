# cause: tying-broken
# says: The embedding was replaced after the tie was made: two matrices are trained, not one.
# follows: own
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(7, 4)
        self.out = nn.Linear(4, 7, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, t):
        return self.out(self.emb(t))


net = LM()
vec = torch.randn(7, 4)
net.emb = nn.Embedding.from_pretrained(vec, freeze=False)  # <- here
opt = optim.SGD(net.parameters(), lr=0.1)
t = torch.arange(7)
for _ in range(4):
    opt.zero_grad()
    F.cross_entropy(net(t), t).backward()
    opt.step()
