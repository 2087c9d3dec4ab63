# cause: overflow-half
# says: an eps of 1e-8 is 0 in float16, so the padding rows are divided by 0
# follows: tracker: "RMSNorm gives nan for padded tokens in half precision"
import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, width, eps=1e-8):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        power = x.pow(2).mean(-1, keepdim=True)
        return x * torch.rsqrt(power + self.eps) * self.scale  # <- here


torch.manual_seed(0)
tokens = torch.randn(2, 4, 8)
tokens[1, 2:] = 0
norm = RMSNorm(8)
print("float32 finite:", torch.isfinite(norm(tokens)).all().item())
norm = norm.half()
out = norm(tokens.half())
out.float().pow(2).mean().backward()
print("largest gradient", norm.scale.grad.abs().max().item())
