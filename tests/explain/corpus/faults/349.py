# cause: memory-hidden-state
# says: w is never detached: each new w hangs on all earlier ones; update it under no_grad
# follows: "Gradient descent by hand with autograd.grad gets slower each step" (Q&A site)
import torch

torch.manual_seed(8)
x = torch.randn(100, 3)
y = x @ torch.tensor([0.5, -2.0, 1.0]) + 0.1 * torch.randn(100)


def length(tensor):
    node, count = tensor.grad_fn, 0
    while node is not None:
        node = node.next_functions[0][0] if node.next_functions else None
        count += 1
    return count


w = torch.zeros(3, requires_grad=True)
for step in range(40):
    residual = x @ w - y
    loss = residual.pow(2).mean()
    (gradient,) = torch.autograd.grad(loss, w)
    w = w - 0.2 * gradient  # <- here

print("w", [round(v, 2) for v in w.tolist()], "loss", round(loss.item(), 4))
assert length(w) <= 1, f"w remembers {length(w)} steps"
