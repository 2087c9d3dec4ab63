# cause: replaced-parameter
# says: the head was replaced after the optimizer was made; the optimizer still holds the old head
# follows: "fine-tuning: new fc layer does not train" (forum)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Pretrained(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(self.body(x))


model = Pretrained()
for p in model.body.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.5)
model.fc = nn.Linear(16, 3)  # <- here

x = torch.randn(45, 8)
y = x[:, :3].argmax(dim=1)

for epoch in range(20):
    loss = F.cross_entropy(model(x), y)
    model.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 5 == 0:
        accuracy = (model(x).argmax(dim=1) == y).float().mean()
        print(f"epoch {epoch:2d}  loss {loss.item():.4f}  accuracy {accuracy.item():.2f}")
