# cause: cut-detach
# says: the code is detached before it goes to the decoder, so the encoder never gets a gradient
# follows: own
import torch
import torch.nn as nn


class AutoEncoder(nn.Module):
    def __init__(self, width=12, code=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, code))
        self.decoder = nn.Sequential(nn.Linear(code, 8), nn.ReLU(), nn.Linear(8, width))
        self.last_code = None

    def forward(self, x):
        code = self.encoder(x)
        self.last_code = code = code.detach()  # <- here
        return self.decoder(code)


torch.manual_seed(2)
data = torch.randn(32, 3) @ torch.randn(3, 12)
model = AutoEncoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for _ in range(20):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(data), data)
    loss.backward()
    optimizer.step()

print("loss", round(loss.item(), 3))
print("encoder", [p.grad is not None for p in model.encoder.parameters()])
print("decoder", [p.grad is not None for p in model.decoder.parameters()])
