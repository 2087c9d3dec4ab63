# healthy: detect_anomaly used on purpose to show that a nan in backward is caught
import warnings

import torch

warnings.simplefilter("ignore")
x = torch.tensor([0.0, 1.0], requires_grad=True)
try:
    with torch.autograd.detect_anomaly():
        y = (x.sqrt() * torch.tensor([0.0, 1.0])).sum()
        y.backward()
except RuntimeError as e:
    print("caught:", str(e)[:40])
else:
    raise AssertionError("expected an error")
safe = torch.where(x > 0, x, 1.0).sqrt() * torch.tensor([0.0, 1.0])
x.grad = None
safe.sum().backward()
print(x.grad)
