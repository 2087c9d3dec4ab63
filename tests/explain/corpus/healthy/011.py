# healthy: a frozen backbone, the optimizer gets only the head
import torch
from torch import nn

torch.manual_seed(3)
backbone = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 8), nn.ReLU())
head = nn.Linear(8, 2)
for p in backbone.parameters():
    p.requires_grad = False
backbone.eval()
model = nn.Sequential(backbone, head)

trainable = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(trainable, lr=0.05)
x = torch.randn(50, 10)
y = (x[:, 0] > 0).long()
before = backbone[0].weight.clone()

for _ in range(60):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()

print("trainable", sum(p.numel() for p in trainable), f"loss {loss.item():.3f}")
print("backbone unchanged", torch.equal(before, backbone[0].weight), backbone[0].weight.grad)
