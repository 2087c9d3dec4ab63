# healthy: an ensemble is trained on the sum of its losses, its disagreement is looked at
import torch
from torch import nn

torch.manual_seed(4)
members = nn.ModuleList(
    nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1)) for _ in range(6)
)
optimizer = torch.optim.Adam(members.parameters(), lr=0.03)
x = torch.linspace(-1, 1, 30).unsqueeze(1)
y = x.pow(3)
for step in range(30):
    outputs = [member(x) for member in members]
    loss = sum((output - y).pow(2).mean() for output in outputs)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

members.eval()
far = torch.tensor([[0.0], [3.0]])
spread = torch.stack([member(far) for member in members]).std(0).squeeze()
print("less sure far away:", bool(spread[1] > spread[0]))
