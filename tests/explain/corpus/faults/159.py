# cause: flow-saturated
# says: incomes of tens of thousands saturate the first layer of sigmoids; standardise the input
# follows: "Sigmoid network does not train until I normalise the features" (Q&A site)
import torch
from torch import nn

torch.manual_seed(5)
area = 500 + 3500 * torch.rand(60)
income = 20_000 + 100_000 * torch.rand(60)
year = torch.randint(1950, 2021, (60,)).float()
bought = (income / 30 + year > 4500 - area / 10).float()
features = torch.stack([area, income, year], dim=1)  # <- or here

model = nn.Sequential(
    nn.Linear(3, 12),
    nn.Sigmoid(),  # <- here
    nn.Linear(12, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(30):
    optimizer.zero_grad()
    loss = criterion(model(features).squeeze(1), bought)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.4f}")

print("first layer:", model[0].weight.grad.abs().max().item())
print("second layer:", model[2].weight.grad.abs().max().item() > 0)
