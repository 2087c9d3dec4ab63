# cause: flow-vanishing
# says: every step multiplies the gradient by 0.2; nothing is left for the first of 40 inputs
# follows: own
import torch

torch.manual_seed(0)
units = 6
w_in = torch.randn(1, units) * 0.5
w_in.requires_grad_()
w_rec = (0.2 * torch.eye(units)).requires_grad_()
readout = torch.randn(units, 1, requires_grad=True)


def run(sequence):
    state = torch.zeros(sequence.shape[1], units)
    for value in sequence:
        state = torch.tanh(value @ w_in + state @ w_rec)  # <- here
    return state @ readout


# remember the first number of the sequence, 40 steps later
sequence = torch.randn(40, 16, 1)
answer = sequence[0]
sequence.requires_grad_()
losses = []
for _ in range(15):
    loss = (run(sequence) - answer).pow(2).mean()
    grads = torch.autograd.grad(loss, [w_in, w_rec, readout], retain_graph=True)
    (to_input,) = torch.autograd.grad(loss, sequence)
    with torch.no_grad():
        for p, g in zip((w_in, w_rec, readout), grads, strict=True):
            p.sub_(0.1 * g)
    losses.append(loss.item())

print("loss", losses[-1])
reach = to_input[0].abs().max() / to_input[-1].abs().max()
assert reach > 1e-6, "the first input has no influence on the loss"
