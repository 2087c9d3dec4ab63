# healthy: evaluation in inference_mode and under no_grad between training epochs
import torch
import torch.nn.functional as F
from torch import nn


def validate(model, x, y):
    was_training = model.training
    model.eval()
    with torch.inference_mode():
        logits = model(x)
        result = {
            "loss": F.binary_cross_entropy_with_logits(logits, y).item(),
            "accuracy": ((logits > 0) == (y > 0.5)).float().mean().item(),
        }
    model.train(was_training)
    return result


torch.manual_seed(0)
x = torch.randn(90, 4)
y = (x.sum(1) > 0).float()
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
best = 0.0
for _ in range(20):
    loss = F.binary_cross_entropy_with_logits(model(x[:60]), y[:60])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    best = max(best, validate(model, x[60:], y[60:])["accuracy"])

with torch.no_grad():
    train_accuracy = ((torch.sigmoid(model(x[:60])) > 0.5).float() == y[:60]).float().mean()
print("good", best > 0.7, train_accuracy.item() > 0.7)
