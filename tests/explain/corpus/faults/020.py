# cause: cut-argmax
# says: argmax returns class numbers and has no derivative: use the logits (cross_entropy)
# follows: "loss on argmax of the predictions does not require grad" (question site)
import torch
import torch.nn as nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(16, 10), nn.ReLU(), nn.Linear(10, 5))

    def forward(self, images):
        scores = self.layers(images)
        return torch.argmax(scores, dim=1).float()  # <- here


torch.manual_seed(0)
images = torch.rand(12, 1, 4, 4)
digits = torch.randint(0, 5, (12,))
net = Digits()
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

for _ in range(2):
    optimizer.zero_grad()
    output = net(images)
    loss = criterion(output, digits.float())
    print("loss", loss.item())
    loss.backward()
    optimizer.step()
