# cause: not-a-leaf
# says: w1 is the result of a multiplication, not the leaf that randn made, so its .grad stays None
# follows: ".grad is None after randn(..., requires_grad=True) * scale" (forum)
import math

import torch

torch.manual_seed(0)

n_in, n_hidden, n_out = 8, 16, 1
x = torch.randn(64, n_in)
y = x[:, :1] * 2 - x[:, 1:2]

w1 = torch.randn(n_in, n_hidden, requires_grad=True) * math.sqrt(2 / n_in)  # <- here
w2 = torch.zeros(n_hidden, n_out, requires_grad=True)
torch.nn.init.normal_(w2, std=0.1)

lr = 1e-2
for epoch in range(5):
    hidden = (x @ w1).clamp(min=0)
    loss = ((hidden @ w2 - y) ** 2).mean()
    loss.backward()
    print(epoch, round(loss.item(), 4))
    with torch.no_grad():
        w2 -= lr * w2.grad
        w1 -= lr * w1.grad
        w1.grad.zero_()
        w2.grad.zero_()
