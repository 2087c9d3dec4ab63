# cause: recreated-math
# says: math.exp returns a Python float, so log_sigma is not part of the graph: use torch.exp
# follows: own
import math

import torch


class Gaussian(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = torch.nn.Parameter(torch.tensor(0.0, dtype=torch.float64))
        self.log_sigma = torch.nn.Parameter(torch.tensor(0.0, dtype=torch.float64))

    def nll(self, x):
        sigma = math.exp(self.log_sigma)  # <- here
        z = (x - self.mu) / sigma
        return (0.5 * z**2 + math.log(sigma) + 0.5 * math.log(2 * math.pi)).mean()


torch.manual_seed(30)
sample = 2.0 + 3.0 * torch.randn(200, dtype=torch.float64)
model = Gaussian()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for _ in range(60):
    optimizer.zero_grad()
    model.nll(sample).backward()
    optimizer.step()

print("mu", round(model.mu.item(), 2))
print("sigma", round(model.log_sigma.exp().item(), 2), "gradient", model.log_sigma.grad)
assert abs(model.log_sigma.exp().item() - sample.std().item()) < 0.5, "sigma was not fitted"
