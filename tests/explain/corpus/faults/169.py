# cause: gradcheck-noise
# says: dropout draws a new mask at every call, so each numeric difference is noise
# follows: "gradcheck on a model with dropout: numerical gradients are huge" (forum)
import torch
import torch.nn.functional as F


class Scorer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(3, 6).double()
        self.b = torch.nn.Linear(6, 1).double()

    def forward(self, x):
        h = torch.tanh(self.a(x))
        h = F.dropout(h, p=0.3)  # <- here
        return self.b(h)


torch.manual_seed(0)
scorer = Scorer()
x = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
try:
    torch.autograd.gradcheck(scorer, x)
    print("gradients agree")
except RuntimeError as error:
    print("gradients differ:", type(error).__name__)
