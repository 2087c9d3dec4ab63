# cause: flow-dead-relu
# says: the ReLU on the output is zero for all inputs, so every gradient is zero
# follows: "Network outputs only zeros, loss constant: ReLU on the output layer" (forum)
import torch
import torch.nn as nn
import torch.nn.functional as F


class Temperature(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 10)
        self.fc2 = nn.Linear(10, 10)
        self.fc3 = nn.Linear(10, 1)
        nn.init.constant_(self.fc3.bias, -2.0)

    def forward(self, x):
        x = torch.tanh(self.fc1(x))
        x = torch.tanh(self.fc2(x))
        return F.relu(self.fc3(x))  # <- here


torch.manual_seed(2)
hours = torch.rand(30, 2)
celsius = -5 - 3 * hours.sum(1, keepdim=True)
model = Temperature()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
losses = []
for _ in range(60):
    optimizer.zero_grad()
    loss = F.mse_loss(model(hours), celsius)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

print("start", losses[0], "end", losses[-1])
assert losses[-1] < losses[0]
