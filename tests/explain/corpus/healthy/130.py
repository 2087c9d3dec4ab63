# healthy: the forward algorithm starts from log(0) = -inf and logsumexp takes it
import math

import torch

torch.manual_seed(0)
states, steps = 4, 6
moves = torch.randn(states, states, requires_grad=True)
seen = torch.randn(steps, states)

alpha = torch.full((states,), -math.inf)
alpha[0] = 0.0
for emission in seen:
    alpha = torch.logsumexp(alpha.unsqueeze(1) + moves.log_softmax(dim=1), dim=0) + emission
loss = -torch.logsumexp(alpha, dim=0)
loss.backward()
print(loss.item(), torch.isfinite(moves.grad).all().item())
