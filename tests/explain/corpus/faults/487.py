# cause: copied-not-linked
# says: the decoder's weight is made from the encoder's values once; it does not follow it and nobody trains it
# follows: own
import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, inputs, code):
        super().__init__()
        self.encode = nn.Linear(inputs, code)
        self.decode_weight = nn.Parameter(2 * self.encode.weight.t())  # <- here

    def forward(self, x):
        return torch.tanh(self.encode(x)) @ self.decode_weight.t()


torch.manual_seed(7)
net = Autoencoder(5, 3)
opt = torch.optim.SGD(net.encode.parameters(), lr=0.05)
x = torch.randn(40, 5)
for step in range(12):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), x)
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 4))
