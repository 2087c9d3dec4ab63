# cause: requires-grad-never-set
# says: the parameters come from zeros and randn without requires_grad, nothing is recorded
# follows: own
import torch

torch.manual_seed(4)
inputs = torch.rand(30, 3)
labels = (inputs.sum(dim=1) > 1.5).float()


def init_params(n_in):
    params = {}
    params["w"] = torch.randn(n_in) * 0.1  # <- here
    params["b"] = torch.zeros(1)  # <- or here
    return params


def step(params, lr):
    p = torch.sigmoid(inputs @ params["w"] + params["b"])
    loss = torch.nn.functional.binary_cross_entropy(p, labels)
    loss.backward()
    for name in params:
        params[name].data -= lr * params[name].grad
        params[name].grad = None
    return loss.item()


params = init_params(3)
for i in range(10):
    print(i, step(params, 0.5))
