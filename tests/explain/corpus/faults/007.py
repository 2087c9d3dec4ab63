# cause: backward-never-ran
# says: backward is never called on the loss, so every .grad is None and the step does nothing
# follows: "Loss is exactly the same in every epoch" (question site)
import torch
from torch import nn

torch.manual_seed(1)

t = torch.linspace(0, 1, 40).unsqueeze(1)
signal = torch.sin(6 * t)

model = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

history = []
for epoch in range(1, 31):
    optimizer.zero_grad()
    prediction = model(t)
    loss = criterion(prediction, signal)  # <- here
    optimizer.step()  # <- or here
    history.append(loss.item())
    if epoch % 10 == 0:
        print(f"epoch {epoch:3d}  loss {loss.item():.6f}")

print("improved by", history[0] - history[-1])
