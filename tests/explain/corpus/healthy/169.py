# healthy: dropout samples under no_grad, a confusion matrix and a running loss in numbers
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(9)
x = torch.randn(90, 6)
y = (x[:, 0] > x[:, 1]).long()
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)


@torch.no_grad()
def evaluate(samples):
    net.train()
    draws = torch.stack([F.softmax(net(x), 1) for _ in range(samples)])
    net.eval()
    matrix = torch.zeros(2, 2, dtype=torch.long)
    outputs, loss = [], 0.0
    for a, b in zip(x.split(15), y.split(15), strict=True):
        out = net(a)
        outputs.append(out)
        loss += F.cross_entropy(out, b, reduction="sum")
        for i, j in zip(b.tolist(), out.argmax(1).tolist(), strict=True):
            matrix[i, j] += 1
    return draws.std(0).mean().item(), torch.cat(outputs), loss / 90, matrix


for epoch in range(8):
    net.train()
    running = 0.0
    for rows in torch.randperm(90).split(15):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(rows)
    spread, outputs, valid, matrix = evaluate(8)
print(matrix.trace().item() > 60, outputs.shape, valid.item() < 0.7, spread > 0)
