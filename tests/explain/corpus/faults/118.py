# cause: step-too-long
# says: the learning rate is too large for inputs of this size: each step overshoots until inf
# follows: "Linear regression in PyTorch: loss explodes to inf then nan"
import torch
from torch import nn

torch.manual_seed(0)
area = torch.tensor([[52.0], [75.0], [61.0], [110.0], [88.0], [140.0], [95.0]])
price = 3.1 * area + 20 + torch.randn(7, 1)

model = nn.Linear(1, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)  # <- here

for epoch in range(40):
    prediction = model(area)
    loss = criterion(prediction, price)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # <- or here
    if epoch % 8 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.3e}")
weight, bias = (p.item() for p in model.parameters())
print("price =", weight, "* area +", bias)
