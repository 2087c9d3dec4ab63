# healthy: knowledge distillation: the teacher runs under no_grad, temperatures and KL
import torch
import torch.nn.functional as F
from torch import nn


def train(model, step_loss, params, steps):
    optimizer = torch.optim.Adam(params, lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = step_loss(model)
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(0)
x = torch.randn(100, 6)
y = x[:, :3].argmax(1)
teacher = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 3))
train(teacher, lambda m: F.cross_entropy(m(x), y), teacher.parameters(), 50)
teacher.eval()
student = nn.Linear(6, 3)
T = 2.0


def distil(model):
    with torch.no_grad():
        soft = F.softmax(teacher(x) / T, dim=1)
    logits = model(x)
    kl = F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction="batchmean") * T * T
    return 0.7 * kl + 0.3 * F.cross_entropy(logits, y, label_smoothing=0.1)


before = distil(student).item()
after = train(student, distil, student.parameters(), 40)
print("student learned", after < before)
