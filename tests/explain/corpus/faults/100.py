# cause: nan-in-data
# says: the training data hold a NaN: one cell of the file was empty and was read as nan
# follows: "Loss is nan from the first batch, turned out to be missing values in my csv"
import csv
import io

import torch
from torch import nn

FILE = """rooms,area,age,price
3,70.0,12,210
4,95.5,30,265
2,48.0,,150
5,120.0,4,390
3,66.5,21,200
4,88.0,9,275
"""


def load(text):
    rows = []
    for record in csv.DictReader(io.StringIO(text)):
        rows.append([float(value or "nan") for value in record.values()])  # <- or here
    return torch.tensor(rows)  # <- here


torch.manual_seed(0)
table = load(FILE)
inputs, prices = table[:, :3] / 100, table[:, 3:] / 100

model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(5):
    total = 0.0
    for x, y in zip(inputs.split(2), prices.split(2), strict=True):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total:.4f}")
