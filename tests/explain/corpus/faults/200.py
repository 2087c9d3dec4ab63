# cause: not-a-leaf
# says: .to(torch.float64) makes a result of a conversion; x is no leaf, so x.grad stays None
# follows: "x.grad is None after torch.tensor(..., requires_grad=True).to(device)" (forum)
import torch


def saliency(model, pixels):
    x = torch.tensor(pixels, requires_grad=True).to(torch.float64)  # <- here
    score = model(x).max()
    score.backward()
    return x.grad.abs()


torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)).double()
print(saliency(net, [[0.1, 0.7, 0.2, 0.4]]))
