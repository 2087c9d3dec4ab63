# cause: memory-loss-kept
# says: the list keeps validation losses with their graphs, all activations with them; use item()
# follows: own
import torch
import torch.nn.functional as F


class Regressor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(3, 32)
        self.second = torch.nn.Linear(32, 1)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x))).squeeze(-1)


def fit(model, train, valid, epochs=15):
    history = {"train": [], "valid": []}
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(epochs):
        x, y = train
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history["train"].append(loss.item())
        for x, y in valid:
            history["valid"].append(F.mse_loss(model(x), y))  # <- here
    return history


def problem(n):
    x = torch.randn(n, 3)
    return x, x.pow(2).sum(1)


torch.manual_seed(1)
model = Regressor()
history = fit(model, problem(40), [problem(10) for _ in range(3)])
print("train", history["train"][-1], "valid", history["valid"][-1].item())
held = sum(torch.is_tensor(v) and v.grad_fn is not None for v in history["valid"])
assert held == 0, f"{held} entries of the history hold a graph"
