# cause: requires-grad-never-set
# says: t was made without requires_grad, so no derivative with respect to it can be taken
# follows: PINN: One of the differentiated Tensors does not require grad
import torch
import torch.nn as nn

torch.manual_seed(0)


class Oscillator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return self.net(t)


def physics_residual(model, t, omega=2.0):
    u = model(t)
    du = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
    ddu = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)[0]
    return ddu + omega**2 * u


model = Oscillator()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
t_colloc = torch.linspace(0, 1, 30).view(-1, 1)  # <- here

for it in range(5):
    optimizer.zero_grad()
    res = physics_residual(model, t_colloc)
    u0 = model(torch.zeros(1, 1))
    loss = res.pow(2).mean() + (u0 - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
print("residual", loss.item())
