# cause: layers-in-list
# says: The layers are kept in a plain dict, so parameters() does not contain them.
# follows: Layers in a Python dict are not in model.parameters() (use nn.ModuleDict)
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.manual_seed(0)
x, y = torch.randn(24, 4), torch.randn(24, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {}
        for i in range(3):
            self.layers[f"l{i}"] = nn.Linear(4, 4)  # <- here
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        for l in self.layers.values():
            x = torch.relu(l(x))
        return self.out(x)


net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
