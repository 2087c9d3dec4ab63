# cause: wrote-saved-value
# says: Each step writes a row of states, whose earlier rows the matrix products have saved.
# follows: In-place error when filling a preallocated tensor of hidden states in a loop
import torch

torch.manual_seed(6)
steps, width = 5, 3
W = (0.3 * torch.randn(width, width)).requires_grad_()
U = torch.randn(width, 2, requires_grad=True)
inputs = torch.randn(steps, 2)
goal = torch.ones(width)


def roll(inputs):
    states = torch.zeros(steps + 1, width)
    for t in range(steps):
        drive = U @ inputs[t]
        new = torch.tanh(torch.mv(W, states[t]) + drive)
        states[t + 1] = new  # <- here
    return states


def energy(states):
    return (states[-1] - goal).square().sum()


loss = energy(roll(inputs))
print("loss", loss.item())
loss.backward()
print("dW", W.grad)
print("dU", U.grad)
