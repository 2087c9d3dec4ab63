# cause: backward-not-called
# says: `loss.backward` is only named here, the parentheses are missing
# follows: "weights do not update, I forgot the brackets of backward" (question site)
import torch


class Line:
    def __init__(self):
        self.slope = torch.tensor(0.0, requires_grad=True)
        self.offset = torch.tensor(0.0, requires_grad=True)

    def __call__(self, x):
        return self.slope * x + self.offset


x = torch.arange(10.0)
y = 3 * x - 2
line = Line()

loss = ((line(x) - y) ** 2).mean()
print("before", loss.item())
loss.backward  # <- here

for name in ("slope", "offset"):
    p = getattr(line, name)
    assert p.grad is not None, f"{name} has no gradient"
    with torch.no_grad():
        p -= 0.01 * p.grad

print("after", ((line(x) - y) ** 2).mean().item())
