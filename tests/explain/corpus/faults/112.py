# cause: overflow-half
# says: the loss scale pushes the float16 loss above 65504: it is inf, and so are all gradients
# follows: "Static loss scale 65536 makes every gradient inf or nan in fp16 training"
import torch
from torch import nn

SCALE = 2.0**15


class HalfTrainer:
    def __init__(self, model, rate):
        self.model = model
        self.master = [p.detach().clone() for p in model.parameters()]
        self.half_model = model.half()
        self.rate = rate

    def backward(self, x, y):
        error = self.half_model(x) - y
        loss = (error * error).mean()
        scaled = loss * SCALE  # <- here
        scaled.backward()
        return loss.item()

    def step(self):
        with torch.no_grad():
            for i, used in enumerate(self.half_model.parameters()):
                kept = self.master[i]
                kept -= self.rate * used.grad.float() / SCALE
                used.copy_(kept)
                used.grad = None


torch.manual_seed(1)
x = torch.randn(8, 3).half()
y = (x.float().sum(1, keepdim=True) * 3 + 2).half()
trainer = HalfTrainer(nn.Linear(3, 1), rate=0.05)
for step in range(3):
    loss = trainer.backward(x, y)
    trainer.step()
    print(step, f"{loss:.2f}")
    assert loss == loss, "training broke down"
