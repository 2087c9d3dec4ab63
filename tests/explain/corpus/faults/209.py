# cause: cut-no-grad
# says: encode() runs under no_grad, so the encoder cannot learn from the contrastive loss
# follows: own
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))

    def encode(self, x):
        with torch.no_grad():  # <- here
            return F.normalize(self.net(x), dim=1)  # <- or here


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.temperature = nn.Parameter(torch.tensor(0.5))

    def forward(self, a, b):
        similarity = self.encoder.encode(a) @ self.encoder.encode(b).T
        return F.cross_entropy(similarity / self.temperature, torch.arange(len(a)))


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
data = torch.randn(10, 8)
for step in range(6):
    loss = model(data + 0.1 * torch.randn(10, 8), data + 0.1 * torch.randn(10, 8))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
