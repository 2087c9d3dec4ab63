# cause: zero-dead-relu
# says: every input of the relu is negative, so its derivative and the gradients before it are 0
# follows: "all gradients of the first layer are exactly zero (ReLU)" (forum)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 10)
        self.fc2 = nn.Linear(10, 1)
        nn.init.constant_(self.fc1.bias, -5.0)  # <- or here

    def forward(self, x):
        hidden = F.relu(self.fc1(x))  # <- here
        return self.fc2(hidden)


net = Net()
x = torch.rand(50, 4)
y = x.sum(dim=1, keepdim=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for _ in range(40):
    optimizer.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()

print("loss", round(loss.item(), 4))
print("fc1.weight.grad", net.fc1.weight.grad.abs().max().item())
print("fc2.weight.grad", net.fc2.weight.grad.abs().max().item())
