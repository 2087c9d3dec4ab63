# cause: not-a-leaf
# says: the feature map is an intermediate result; call features.retain_grad() before backward
# follows: "Grad-CAM: gradient of the feature map is None" (forum)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)


class SmallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.head = nn.Linear(4, 3)

    def extract(self, image):
        return F.relu(self.conv(image))  # <- here

    def classify(self, maps):
        return self.head(maps.mean(dim=(2, 3)))


def heatmap(net, image, target):
    features = net.extract(image)  # <- or here
    score = net.classify(features)[0, target]
    net.zero_grad()
    score.backward()
    assert features.grad is not None, "no gradient at the last convolution"
    weights = features.grad.mean(dim=(2, 3), keepdim=True)
    return F.relu((weights * features).sum(dim=1))


net = SmallNet()
image = torch.rand(1, 1, 8, 8)
print(heatmap(net, image, target=2).shape)
