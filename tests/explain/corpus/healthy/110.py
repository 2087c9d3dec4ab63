# healthy: soft labels of a teacher come from a NumPy file, the student alone is trained
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
teacher, student = nn.Linear(5, 3), nn.Linear(5, 3)
x = torch.randn(30, 5)
stored = teacher(x).softmax(dim=1).detach().numpy().astype(np.float32)
soft = torch.from_numpy(stored)
optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
for _ in range(30):
    loss = nn.functional.kl_div(student(x).log_softmax(1), soft, reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item() < 0.3, teacher.weight.grad)
