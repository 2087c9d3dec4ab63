# cause: cancellation
# says: -b + sqrt(b^2 - 4ac) subtracts two numbers that agree in all digits, so the small root comes out as 0
# follows: own
import torch


class Beam:
    """Deflection: the roots of stiffness * u^2 + preload * u + load = 0."""

    def __init__(self, stiffness, preload):
        self.stiffness = torch.tensor(stiffness, dtype=torch.float64)
        self.preload = torch.tensor(preload, dtype=torch.float64)

    def small_root(self, load):
        inside = self.preload**2 - 4 * self.stiffness * load
        return (-self.preload + inside.sqrt()) / (2 * self.stiffness)  # <- here


beam = Beam(1.0, 1e9)
load = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
u = beam.small_root(load)
(slope,) = torch.autograd.grad(u, load)
print("deflection", u.item(), "per load", slope.item())
residual = beam.stiffness * u**2 + beam.preload * u + load
print("residual", residual.item())
assert abs(residual.item()) < 1e-6
