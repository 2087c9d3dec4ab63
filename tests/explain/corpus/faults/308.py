# cause: empty-mean
# says: no sample of class 1 is in the batch: the prototype is the mean of an empty selection
# follows: "Prototypical network loss is nan for some episodes"
import torch
from torch import nn


def prototypes(features, labels, classes):
    return torch.stack([features[labels == c].mean(dim=0) for c in range(classes)])  # <- here


torch.manual_seed(1)
encoder = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 4))
optimizer = torch.optim.Adam(encoder.parameters(), lr=0.01)
episodes = [[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 2], [0, 0, 0, 2, 2, 2]]
for labels in map(torch.tensor, episodes):
    features = encoder(torch.randn(6, 5) + labels.unsqueeze(1))
    distance = torch.cdist(features, prototypes(features, labels, 3))
    loss = nn.functional.cross_entropy(-distance, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
