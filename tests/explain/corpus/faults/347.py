# cause: memory-hidden-state
# says: (h, c) is handed from chunk to chunk without detach, so the history grows with each
# follows: "LSTM training slows down every iteration, retain_graph=True was needed" (forum)
import torch
from torch import nn


class LongShort(nn.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.gates = nn.Linear(inputs + units, 4 * units)
        self.head = nn.Linear(units, inputs)

    def forward(self, chunk, state):
        outputs = []
        h, c = state
        for x in chunk:
            i, f, o, g = self.gates(torch.cat([x, h], 1)).chunk(4, dim=1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(self.head(h))
        return torch.stack(outputs), (h, c)


def train(model, series, length):
    hidden = (torch.zeros(4, 10), torch.zeros(4, 10))
    for start in range(0, series.shape[0] - length, length):
        chunk = series[start : start + length]
        target = series[start + 1 : start + length + 1]
        prediction, hidden = model(chunk, hidden)  # <- here
        loss = nn.functional.mse_loss(prediction, target)
        model.zero_grad()
        loss.backward(retain_graph=True)  # <- or here
        norm = sum(p.grad.norm() for p in model.parameters()).item()
        print(start, f"loss {loss.item():.4f} gradient {norm:.3f}")


torch.manual_seed(0)
time = torch.arange(0, 61) / 5.0
series = torch.stack([torch.sin(time + k) for k in range(4)], 1).unsqueeze(-1)
train(LongShort(1, 10), series, 6)
