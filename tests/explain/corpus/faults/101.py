# cause: nan-in-data
# says: one feature is constant, so the NumPy standardisation made it 0 / 0: the inputs hold NaN
# follows: "BCELoss: all elements of input should be between 0 and 1, after normalizing my data"
import numpy as np
import torch
from torch import nn

torch.manual_seed(1)
random = np.random.RandomState(3)


def standardise(columns):
    centred = columns - columns.mean(axis=0)
    with np.errstate(all="ignore"):
        return centred / columns.std(axis=0)  # <- or here


raw = np.stack([random.rand(16), random.rand(16) * 40, np.full(16, 7.0), random.rand(16)], axis=1)
labels = torch.from_numpy((raw[:, 0] > 0.5).astype(np.float32))
features = torch.from_numpy(standardise(raw)).float()  # <- here

model = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 1), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.BCELoss()
for step in range(3):
    loss = criterion(model(features).squeeze(1), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
