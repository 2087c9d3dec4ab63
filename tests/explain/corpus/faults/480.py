# cause: frozen
# says: the loop freezes the new head too, as it runs after the head was made; nothing is left to train
# follows: forum: optimizer got an empty parameter list when finetuning only the last layer
import torch
from torch import nn, optim

torch.manual_seed(1)
backbone = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU())
model = nn.Sequential(backbone, nn.Linear(8, 10))
model[1] = nn.Linear(8, 3)
for weight in model.parameters():
    weight.requires_grad_(False)  # <- here

trainable = [weight for weight in model.parameters() if weight.requires_grad]
optimizer = optim.Adam(trainable, lr=1e-3)
x, y = torch.randn(12, 6), torch.randint(0, 3, (12,))
for _ in range(5):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
