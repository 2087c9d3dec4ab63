# cause: memory-loss-kept
# says: the smoothed loss is a tensor that carries the graphs of all steps; smooth loss.item()
# follows: own
import torch

torch.manual_seed(2)
x = torch.linspace(-1, 1, 50).unsqueeze(1)
y = torch.sin(3 * x)
hidden = (torch.randn(1, 16) * 0.7).requires_grad_()
readout = (torch.randn(16, 1) * 0.3).requires_grad_()


def depth(node):
    count = 0
    while node is not None:
        node = next((parent for parent, _ in node.next_functions if parent is not None), None)
        count += 1
    return count


smooth, beta = None, 0.95
depths = []
for step in range(30):
    loss = (torch.tanh(x @ hidden) @ readout - y).square().mean()
    loss.backward()
    with torch.no_grad():
        for p in (hidden, readout):
            p -= 0.1 * p.grad
            p.grad = None
    smooth = loss if smooth is None else beta * smooth + (1 - beta) * loss  # <- here
    if step % 10 == 9:
        depths.append(depth(smooth.grad_fn))
        print(step, f"{smooth.item():.4f}", "depth", depths[-1])
assert depths[0] == depths[-1]
