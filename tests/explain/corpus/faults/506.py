# cause: nan-in-data
# says: one column is constant, so min-max scaling divides 0 by 0 and the loader hands out nan
# follows: Q&A: "loss is nan from the first batch, data has no missing values"
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def prepare(table):
    low, high = table.min(0).values, table.max(0).values
    return (table - low) / (high - low)  # <- here


torch.manual_seed(0)
raw = torch.rand(24, 3) * 50
raw[:, 2] = 7.0
target = raw[:, :1] * 0.1
loader = DataLoader(TensorDataset(prepare(raw), target), batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("epoch", epoch, total / len(loader))
