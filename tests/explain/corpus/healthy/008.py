# healthy: step schedule, gradient clipping and a warm-up by hand
import torch
from torch import nn

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.5)
x = torch.randn(64, 4)
y = torch.sin(x[:, :1]) + x[:, 1:2]

norms = []
for epoch in range(60):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    norms.append(nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5).item())
    optimizer.step()
    scheduler.step()
    if epoch % 10 == 0:
        print(epoch, f"{loss.item():.4f}", scheduler.get_last_lr())

print("clipped", sum(n > 0.5 for n in norms), "of", len(norms))
assert loss < 0.2
