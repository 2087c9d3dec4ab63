# cause: history-overwritten
# says: state.zero_() writes over what the encoder computed, so the encoder's gradient is zero
# follows: own
import torch
from torch import nn, optim


class Encoder(nn.Module):
    def __init__(self, n_in, n_state):
        super().__init__()
        self.project = nn.Linear(n_in, n_state)

    def forward(self, x):
        return self.project(x.mean(dim=1))


class Decoder(nn.Module):
    def __init__(self, n_state, n_out):
        super().__init__()
        self.step = nn.Linear(n_state + n_out, n_state)
        self.read = nn.Linear(n_state, n_out)

    def forward(self, state, length):
        previous = torch.zeros(state.size(0), self.read.out_features)
        state.zero_()  # <- here
        outputs = []
        for _ in range(length):
            state = torch.tanh(self.step(torch.cat([state, previous], dim=1)))
            previous = self.read(state)
            outputs.append(previous)
        return torch.stack(outputs, dim=1)


torch.manual_seed(0)
encoder, decoder = Encoder(3, 8), Decoder(8, 3)
optimizer = optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-2)
x = torch.randn(6, 5, 3)

for _ in range(10):
    y = decoder(encoder(x), length=5)
    loss = (y - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("loss", round(loss.item(), 4))
for name, p in encoder.named_parameters():
    print("encoder", name, p.grad.abs().max().item())
