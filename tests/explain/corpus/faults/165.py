# cause: flow-detached
# says: forward detaches the features, so encoder and neck get no gradient; only the head learns
# follows: "Only the last layer is updated, gradients of the encoder are None" (forum)
import torch
from torch import nn, optim


class TwoStage(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.neck = nn.Linear(16, 4)
        self.head = nn.Linear(4, 2)
        self.last_features = None

    def forward(self, x):
        z = self.neck(self.encoder(x))
        self.last_features = z = z.detach()  # <- here
        return self.head(z)


torch.manual_seed(9)
model = TwoStage()
optimizer = optim.Adam(model.parameters(), lr=0.01)
x = torch.randn(64, 8)
y = (x[:, 0] * x[:, 1] > 0).long()
for _ in range(50):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()

print("loss", loss.item())
for name, p in model.named_parameters():
    print(f"{name:18s}", None if p.grad is None else "has a gradient")
