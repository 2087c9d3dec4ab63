# cause: copied-not-linked
# says: main.weight.data = ... hands over numbers only, so the hyper network gets no gradient
# follows: "use the output of one network as the weights of another" (forum)
import torch
import torch.nn as nn


class HyperLinear(nn.Module):
    def __init__(self, context, n_in, n_out):
        super().__init__()
        self.shape = (n_out, n_in)
        self.hyper = nn.Linear(context, n_in * n_out)
        self.main = nn.Linear(n_in, n_out, bias=False)

    def forward(self, context, x):
        generated = self.hyper(context).view(self.shape)
        self.main.weight.data = generated  # <- here
        return self.main(x)


torch.manual_seed(23)
layer = HyperLinear(4, 3, 2)
context = torch.randn(4)
x = torch.randn(16, 3)
y = x @ torch.randn(3, 2)
optimizer = torch.optim.SGD(layer.hyper.parameters(), lr=0.1)

for step in range(9):
    loss = nn.functional.mse_loss(layer(context, x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 4 == 0:
        print(f"step {step}: {loss.item():.5f}")

assert layer.hyper.weight.grad is not None
