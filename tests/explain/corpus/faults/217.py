# cause: recreated-math
# says: math.tanh works on plain numbers, so the gate is a constant for autograd
# follows: own
import math

import torch

torch.manual_seed(0)
gate = torch.zeros(1, requires_grad=True)
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(30, 3), torch.randn(30)


def predict(x):
    g = math.tanh(gate)  # <- here
    return (1 + g) * (x @ w)


loss = (predict(x) - y).pow(2).mean()
loss.backward()
assert w.grad is not None
assert gate.grad is not None, "gate has no gradient"
