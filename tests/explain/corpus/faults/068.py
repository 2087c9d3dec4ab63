# cause: freed-graph
# says: The hidden state keeps the graph of the last window, which was freed; detach it.
# follows: RNN: second time error, hidden state between batches (repackage, detach)
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.i2h = nn.Linear(inputs, hidden)
        self.h2h = nn.Linear(hidden, hidden)

    def forward(self, x, h):
        return torch.tanh(self.i2h(x) + self.h2h(h))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell(1, 6)
        self.out = nn.Linear(6, 1)

    def forward(self, window, h):
        outputs = []
        for x in window:
            h = self.cell(x.view(1, 1), h)
            outputs.append(self.out(h))
        return torch.cat(outputs).flatten(), h


torch.manual_seed(0)
series = torch.sin(torch.arange(31) * 0.4)
model = Model()
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
hidden = torch.zeros(1, 6)
for start in range(0, 30, 10):
    window, target = series[start : start + 10], series[start + 1 : start + 11]
    prediction, hidden = model(window, hidden)  # <- here
    loss = (prediction - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()  # <- or here
    optimizer.step()
    print("window", start, "loss", round(loss.item(), 4))
