# cause: nan-in-data
# says: one feature is constant, so the NumPy standardisation made it 0 / 0: the inputs hold NaN
# follows: "All outputs nan after normalizing my dataset with mean and std in numpy"
import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(1)
random = np.random.RandomState(3)


def standardise(columns):
    centred = columns - columns.mean(axis=0)
    with np.errstate(all="ignore"):
        return centred / columns.std(axis=0)  # <- or here


raw = np.stack([random.rand(16), random.rand(16) * 40, np.full(16, 7.0), random.rand(16)], axis=1)
labels = torch.from_numpy((raw[:, 0] > 0.5).astype(np.int64))
features = torch.from_numpy(standardise(raw)).float()  # <- here

weight = torch.zeros(4, 2, requires_grad=True)
bias = torch.zeros(2, requires_grad=True)
for step in range(3):
    loss = F.cross_entropy(features @ weight + bias, labels)
    weight_grad, bias_grad = torch.autograd.grad(loss, [weight, bias])
    with torch.no_grad():
        weight -= 0.1 * weight_grad
        bias -= 0.1 * bias_grad
    print(step, loss.item(), bias.tolist())
