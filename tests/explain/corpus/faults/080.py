# cause: hidden-write-numpy
# says: NumPy scales the picture in place, in the memory of exp's output, saved for backward.
# follows: tensor.detach().numpy() shares storage: plotting code changed my gradients
import torch
from torch import nn


def to_picture(tensor):
    image = tensor.detach().numpy()
    image -= image.min()  # <- here
    image /= image.max()  # <- or here
    return (image * 255).astype("uint8")


class RadialBasis(nn.Module):
    def __init__(self, centres, width):
        super().__init__()
        self.centres = nn.Parameter(torch.randn(centres, 2))
        self.width = width

    def forward(self, x):
        distance = (x.unsqueeze(1) - self.centres).square().sum(-1)
        return torch.exp(-distance / self.width)


torch.manual_seed(6)
basis = RadialBasis(5, 2.0)
x = torch.randn(7, 2)
activation = basis(x)
loss = activation.mean()
(wanted,) = torch.autograd.grad(loss, basis.centres, retain_graph=True)
picture = to_picture(activation)
loss.backward()
print("picture", picture.shape, "brightest", picture.max())
print("loss", loss.item())
print("same gradient twice:", torch.allclose(wanted, basis.centres.grad))
