# healthy: train and val phases with set_grad_enabled, gradual unfreezing with add_param_group
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(5, 16), nn.ReLU())
head = nn.Linear(16, 2)
body.requires_grad_(False)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
x = torch.randn(80, 5)
y = (x[:, 0] * 2 + x[:, 1] > 0).long()
data = {"train": (x[:60], y[:60]), "val": (x[60:], y[60:])}

for epoch in range(12):
    if epoch == 6:
        body.requires_grad_(True)
        optimizer.add_param_group({"params": body.parameters(), "lr": 0.01})
    for phase in ("train", "val"):
        inputs, labels = data[phase]
        optimizer.zero_grad()
        with torch.set_grad_enabled(phase == "train"):
            outputs = head(body(inputs))
            loss = nn.functional.cross_entropy(outputs, labels)
            if phase == "train":
                loss.backward()
                optimizer.step()
        if epoch % 5 == 0:
            hits = (outputs.argmax(1) == labels).sum().item()
            print(epoch, phase, f"{loss.item():.4f}", hits, loss.requires_grad)
    scheduler.step()
