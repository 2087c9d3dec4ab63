# healthy: Hessian by double backward, Newton's method with it
import torch


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def hessian(fn, p):
    (g,) = torch.autograd.grad(fn(p), p, create_graph=True)
    rows = [torch.autograd.grad(g[i], p, retain_graph=True)[0] for i in range(p.numel())]
    return g.detach(), torch.stack(rows)


p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
for it in range(8):
    g, H = hessian(rosenbrock, p)
    with torch.no_grad():
        p -= torch.linalg.solve(H, g)
    print(it, f"{rosenbrock(p).item():.3e}" if it < 3 else "")

H_auto = torch.autograd.functional.hessian(rosenbrock, p.detach())
print(torch.allclose(H_auto, hessian(rosenbrock, p)[1]))
assert torch.allclose(p.detach(), torch.ones(2, dtype=torch.float64))
