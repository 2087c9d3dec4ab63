# cause: flow-saturated
# says: the weights of the LSTM are set far too large, so its gates are flat and no gradient gets through
# follows: own
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 6, batch_first=True)
        self.out = nn.Linear(6, 1)
        for name, p in self.lstm.named_parameters():
            if "weight" in name or "bias" in name:
                nn.init.uniform_(p, 15, 35)  # <- here

    def forward(self, x):
        states, _ = self.lstm(x)
        return self.out(states[:, -1])


torch.manual_seed(3)
model = Tagger()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.rand(20, 5, 3)
y = (x.sum((1, 2)) > 7.5).float().unsqueeze(1)
for _ in range(8):
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
    loss.backward()
    opt.step()
print("largest gradient of the LSTM", model.lstm.weight_ih_l0.grad.abs().max().item())
