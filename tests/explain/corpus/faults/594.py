# cause: loss-relu-second-derivative
# says: the second derivative through relu is zero everywhere
# follows: own
import torch
from torch import nn

torch.manual_seed(0)
pinn = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
x = torch.linspace(0, 1, 9).unsqueeze(1).requires_grad_()
u = pinn(x)
du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
d2u = torch.autograd.grad(du.sum(), x, create_graph=True)[0]  # <- here
loss = (d2u + torch.sin(x)).pow(2).mean()
print(loss.item(), d2u.abs().max().item())
