# healthy: gradcheck and gradgradcheck in double precision, away from kinks
import torch
import torch.nn.functional as F
from torch.autograd import gradcheck, gradgradcheck

torch.manual_seed(0)


def soft_iou(logits, target):
    p = torch.sigmoid(logits)
    intersection = (p * target).sum(-1)
    union = (p + target - p * target).sum(-1)
    return 1 - intersection / union


def focal(logits, target, gamma=2.0):
    p = torch.sigmoid(logits)
    weight = torch.where(target > 0.5, 1 - p, p) ** gamma
    return (weight * F.binary_cross_entropy_with_logits(logits, target, reduction="none")).mean()


logits = torch.randn(3, 6, dtype=torch.float64, requires_grad=True)
target = (torch.rand(3, 6) > 0.5).double()
print(gradcheck(soft_iou, (logits, target)), gradgradcheck(soft_iou, (logits, target)))
print(gradcheck(focal, (logits, target)))

away = torch.tensor([-1.0, -0.5, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
print(gradcheck(torch.relu, (away,)), gradcheck(torch.abs, (away,)))
