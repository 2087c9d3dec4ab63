# cause: memory-kept-outputs
# says: the predictions collected for the metric keep their graphs; evaluate under no_grad
# follows: "Memory usage increases during validation when appending outputs to a list" (forum)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader):
    model.eval()
    predictions, truth = [], []
    for features, target in loader:
        scores = model(features)
        predictions.append(scores)  # <- here
        truth.append(target)
    scores = torch.cat(predictions)
    target = torch.cat(truth)
    return (scores.argmax(1) == target).float().mean(), scores


torch.manual_seed(7)
data = torch.randn(96, 10)
label = data[:, :3].argmax(1)
train = DataLoader(TensorDataset(data[:64], label[:64]), batch_size=16)
valid = DataLoader(TensorDataset(data[64:], label[64:]), batch_size=8)
model = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for epoch in range(5):
    model.train()
    for features, target in train:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(features), target).backward()
        optimizer.step()
    accuracy, scores = evaluate(model, valid)
    print(epoch, f"accuracy {accuracy.item():.3f}", "graph kept:", scores.grad_fn is not None)
