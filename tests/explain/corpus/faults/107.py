# cause: nan-backward
# says: acos has an infinite slope at 1 (no rotation), which times the zero slope of cos is NaN
# follows: "acos backward returns nan for identity rotation (geodesic loss)"
import torch


def rotation(angle):
    c, s = torch.cos(angle), torch.sin(angle)
    zero, one = torch.zeros_like(angle), torch.ones_like(angle)
    rows = [c, -s, zero, s, c, zero, zero, zero, one]
    return torch.stack(rows, dim=-1).reshape(*angle.shape, 3, 3)


def geodesic(first, second):
    relative = first.transpose(-1, -2) @ second
    trace = relative.diagonal(dim1=-2, dim2=-1).sum(-1)
    return torch.acos((trace - 1) / 2)  # <- here


def fit(target, start, steps=3, rate=0.1):
    angle = start.clone().requires_grad_()
    for step in range(steps):
        loss = geodesic(rotation(angle), target).mean()
        (slope,) = torch.autograd.grad(loss, angle)
        angle = (angle - rate * slope).detach().requires_grad_()
        print(step, round(loss.item(), 4), angle.tolist())
    return angle


torch.autograd.set_detect_anomaly(True)
start = torch.tensor([0.0, 0.7])
fit(torch.eye(3).expand(2, 3, 3), start)
