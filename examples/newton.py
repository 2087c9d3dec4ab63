"""Newton's method: the gradient of a gradient, row by row and as a product with a vector."""

import torch


def valley(x):
    """Rosenbrock's function: a curved valley with its lowest point at (1, 1)."""
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


def gradient_and_hessian(function, x):
    """The gradient, recorded while it is computed, is differentiated once more, row by row."""
    (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
    rows = [torch.autograd.grad(one, x, retain_graph=True)[0] for one in gradient]
    return gradient, torch.stack(rows)


def solved(matrix, right):
    """The solution of two equations, by Cramer's rule."""
    (a, b), (c, d) = matrix
    return torch.stack([d * right[0] - b * right[1], a * right[1] - c * right[0]]) / (
        a * d - b * c
    )


def newton():
    x = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
    print("step        f(x)       x[0]       x[1]")
    for step in range(7):
        gradient, hessian = gradient_and_hessian(valley, x)
        print(f"{step:4d} {valley(x).item():11.6f} {x[0].item():10.6f} {x[1].item():10.6f}")
        with torch.no_grad():
            x -= solved(hessian, gradient)
    print("Hessian in the last step:", hessian)
    print("its rows are derivatives of a", gradient.grad_fn.name())


def hessian_times_vector():
    """The product needs no Hessian: the derivative of (gradient . vector), one backward pass."""
    x = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
    vector = torch.tensor([1.0, 2.0], dtype=torch.float64)
    gradient, hessian = gradient_and_hessian(valley, x)
    (product,) = torch.autograd.grad(gradient, x, grad_outputs=vector)
    print("H v:", product, "by the whole Hessian:", hessian @ vector)


def without_create_graph():
    """A gradient that nobody recorded is a number: it has no derivative."""
    x = torch.tensor([-1.2, 1.0], requires_grad=True)
    (gradient,) = torch.autograd.grad(valley(x), x)
    try:
        torch.autograd.grad(gradient[0], x)
    except RuntimeError as error:
        print("without create_graph:", error)


if __name__ == "__main__":
    newton()
    hessian_times_vector()
    without_create_graph()
