# cause: zero-unused-state
# says: only state 0 is read: the backward direction never reaches the loss, its gradient is 0
# follows: own
import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.n_hidden = n_hidden
        self.mix = nn.Linear(n_in + n_hidden, n_hidden)

    def forward(self, steps):
        h = steps[0].new_zeros(steps[0].size(0), self.n_hidden)
        for x in steps:
            h = torch.tanh(self.mix(torch.cat([x, h], dim=1)))
        return h


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.left_to_right = Cell(3, 5)
        self.right_to_left = Cell(3, 5)
        self.out = nn.Linear(5, 2)

    def forward(self, x):
        steps = x.unbind(dim=1)
        h_n = torch.stack([self.left_to_right(steps), self.right_to_left(steps[::-1])])
        return self.out(h_n[0])  # <- here


torch.manual_seed(0)
model = Tagger()
x, y = torch.randn(10, 4, 3), torch.randint(0, 2, (10,))
nn.functional.cross_entropy(model(x), y).backward()

for name, p in model.named_parameters():
    print(f"{name:26} {p.grad.abs().sum().item():.5f}")
