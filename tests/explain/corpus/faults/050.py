# cause: not-in-optimizer
# says: The encoder gets gradients, but no optimizer holds its parameters, so it never moves.
# follows: own
import torch
from torch import nn, optim


class Encoder(nn.Module):
    def __init__(self, size, code):
        super().__init__()
        self.inner = nn.Linear(size, 8)
        self.out = nn.Linear(8, code)

    def forward(self, x):
        return self.out(torch.tanh(self.inner(x)))


class Decoder(nn.Module):
    def __init__(self, code, size):
        super().__init__()
        self.inner = nn.Linear(code, 8)
        self.out = nn.Linear(8, size)

    def forward(self, z):
        return self.out(torch.tanh(self.inner(z)))


def main():
    torch.manual_seed(0)
    data = torch.randn(32, 6)
    encoder, decoder = Encoder(6, 2), Decoder(2, 6)
    optimizer = optim.Adam(decoder.parameters(), lr=0.01)  # <- here
    start = encoder.inner.weight.clone()
    for epoch in range(5):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(decoder(encoder(data)), data)
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch}: reconstruction {loss.item():.4f}")
    moved = (encoder.inner.weight - start).abs().max().item()
    assert moved > 1e-3, f"encoder weights moved by {moved} only"


main()
