# cause: flow-dead-relu
# says: the ReLU after the last layer outputs zero for all inputs (the targets are negative), so every gradient of the network is zero
# follows: "Loss does not decrease, network outputs only zeros: ReLU on the output layer" (forum)
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
        x = F.relu(self.fc3(x))  # <- here
        return x


torch.manual_seed(2)
hours = torch.rand(30, 2)
celsius = -5 - 3 * hours.sum(1, keepdim=True)
model = Temperature()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
losses = []
for epoch in range(60):
    optimizer.zero_grad()
    loss = F.mse_loss(model(hours), celsius)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

print("start", losses[0], "end", losses[-1])
assert losses[-1] < losses[0]
