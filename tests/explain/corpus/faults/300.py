# cause: nan-in-data
# says: one reading of the series is NaN: the windows that contain it make the loss NaN
# follows: "Forecasting model outputs nan after a few batches, gaps in my time series"
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, values, length):
        self.values = torch.as_tensor(values, dtype=torch.float32)  # <- here
        self.length = length

    def __len__(self):
        return len(self.values) - self.length

    def __getitem__(self, i):
        return self.values[i : i + self.length], self.values[i + self.length]


readings = [0.1 * i for i in range(12)] + [float("nan")] + [0.1 * i for i in range(13, 20)]
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for x, y in DataLoader(Windows(readings, 4), batch_size=4):
    loss = nn.functional.smooth_l1_loss(model(x).squeeze(1), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
