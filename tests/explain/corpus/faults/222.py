# cause: forced-requires-grad
# says: loss.requires_grad = True makes a leaf of a loss whose history was cut by argmax
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(30, 4), torch.randint(0, 3, (30,))
for i in range(4):
    guess = net(x).max(dim=1).indices.float()
    loss = torch.nn.functional.l1_loss(guess, y.float())
    loss.requires_grad = True  # <- here
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, loss.item())
assert net.weight.grad is not None
