# cause: recreated-item
# says: .item() turns the losses to Python numbers, and a float has no backward
# follows: AttributeError: 'float' object has no attribute 'backward'
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
emb = nn.Embedding(20, 6)
proj = nn.Linear(6, 20)
opt = torch.optim.SGD([*emb.parameters(), *proj.parameters()], lr=0.1)
corpus = torch.randint(0, 20, (30,))

for epoch in range(2):
    total = 0.0
    for i in range(0, 28, 4):
        centre, context = corpus[i : i + 1], corpus[i + 1 : i + 2]
        nll = F.cross_entropy(proj(emb(centre)), context)
        total += nll.item()  # <- here
    total /= 7
    opt.zero_grad()
    total.backward()
    opt.step()
