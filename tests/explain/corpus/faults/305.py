# cause: nan-backward
# says: the squared error of a missing label is NaN; where drops it, but its backward is 0 * NaN
# follows: "Masked MSE with torch.where still gives nan gradients"
import torch


def masked_mse(prediction, label):
    error = (prediction - label) ** 2  # <- here
    return torch.where(label.isnan(), torch.zeros_like(error), error).mean()


torch.manual_seed(0)
x = torch.linspace(0, 1, 8)
label = 2 * x + 1
label[3] = float("nan")
slope = torch.tensor(0.0, requires_grad=True)
offset = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([slope, offset], lr=0.1)
for step in range(3):
    loss = masked_mse(slope * x + offset, label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
print("fitted", slope.item(), offset.item())
