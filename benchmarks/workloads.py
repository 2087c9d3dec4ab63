"""What is timed: functions over a namespace like torch that prepare a step and return it.

Each workload is written once; ``torch`` is PyTorch or seegrad.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

Step = Callable[[], Any]
CHAIN = 100


def chain(torch: Any) -> Step:
    """100 multiplications on 10 elements, forward and backward."""
    x, w = (torch.ones(10, requires_grad=True) for _ in range(2))

    def step() -> None:
        y = x
        for _ in range(CHAIN):
            y = y * w
        y.sum().backward()
        x.grad = w.grad = None

    return step


def function(torch: Any) -> Step:
    """The same chain through a custom Function."""

    class Multiply(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, left: Any, right: Any) -> Any:
            ctx.save_for_backward(left, right)
            return left * right

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            left, right = ctx.saved_tensors
            return grad * right, grad * left

    multiply = Multiply.apply
    x, w = (torch.ones(10, requires_grad=True) for _ in range(2))

    def step() -> None:
        y = x
        for _ in range(CHAIN):
            y = multiply(y, w)
        y.sum().backward()
        x.grad = w.grad = None

    return step


MIXED_SHAPES = [(7,), (3, 5), (2, 3, 4), (1, 6), (4, 1), (16,)]


def mixed(torch: Any) -> Step:
    """About 100 mixed operators: fresh leaves and another shape each time."""
    torch.manual_seed(0)
    data = [(torch.rand(shape), torch.rand(shape)) for shape in MIXED_SHAPES]

    def part(x: Any, y: Any) -> Any:
        a = (x * 2.0 + y).sin()
        b = (a.exp() - y / (x + 1.0)).tanh()
        c = (b * b + a).sqrt().clamp(0.1, 5.0)
        d = torch.where(c > b, c, b).reshape(-1)
        e = torch.cat([d, -d]).unsqueeze(0)
        return (e.mean(0) ** 2).sum() + torch.maximum(x, y).log1p().sum()

    def step() -> None:
        total = 0.0
        for x, y in data:
            total = total + part(x.clone().requires_grad_(), y.clone().requires_grad_())
        total.backward()

    return step


def _layers(torch: Any, sizes: list[int]) -> list[Any]:
    torch.manual_seed(0)
    layers = []
    for fan_in, fan_out in pairwise(sizes):
        layers.append((torch.randn(fan_in, fan_out) / fan_in**0.5).requires_grad_())
        layers.append(torch.zeros(fan_out).requires_grad_())
    return layers


def _descend(torch: Any, parameters: list[Any], rate: float) -> None:
    with torch.no_grad():
        for parameter in parameters:
            parameter -= rate * parameter.grad
            parameter.grad = None


def small_network(torch: Any) -> Step:
    """A training step of a 2-32-32-1 network on 16 rows, descent by hand."""
    parameters = _layers(torch, [2, 32, 32, 1])
    w1, b1, w2, b2, w3, b3 = parameters
    inputs, targets = torch.randn(16, 2), torch.randn(16, 1)

    def step() -> None:
        hidden = (inputs @ w1 + b1).tanh()
        hidden = (hidden @ w2 + b2).tanh()
        loss = ((hidden @ w3 + b3 - targets) ** 2).mean()
        loss.backward()
        _descend(torch, parameters, 1e-3)

    return step


def large_network(torch: Any) -> Step:
    """A training step of a 784-256-256-10 network on 64 rows, descent by hand."""
    parameters = _layers(torch, [784, 256, 256, 10])
    w1, b1, w2, b2, w3, b3 = parameters
    inputs, targets = torch.rand(64, 784), torch.randint(0, 10, (64,))

    def step() -> None:
        hidden = (inputs @ w1 + b1).relu()
        hidden = (hidden @ w2 + b2).relu()
        loss = torch.nn.functional.cross_entropy(hidden @ w3 + b3, targets)
        loss.backward()
        _descend(torch, parameters, 1e-3)

    return step


def _adam(torch: Any, model: Any, loss_of: Callable[[Any], Any]) -> Step:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

    def step() -> None:
        optimizer.zero_grad()
        loss_of(model).backward()
        optimizer.step()

    return step


def small_adam(torch: Any) -> Step:
    """The same network as modules, trained with Adam."""
    nn = torch.nn
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)
    )
    inputs, targets, loss = torch.randn(16, 2), torch.randn(16, 1), nn.MSELoss()
    return _adam(torch, model, lambda network: loss(network(inputs), targets))


def large_adam(torch: Any) -> Step:
    """The same network as modules, trained with Adam."""
    nn = torch.nn
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)
    )
    inputs, targets = torch.rand(64, 784), torch.randint(0, 10, (64,))
    loss = nn.CrossEntropyLoss()
    return _adam(torch, model, lambda network: loss(network(inputs), targets))


def adam_step(torch: Any) -> Step:
    """Adam's own step on the parameters of that network, their gradients being there."""
    torch.manual_seed(0)
    shapes = [(256, 784), (256,), (256, 256), (256,), (10, 256), (10,)]
    parameters = [torch.nn.Parameter(torch.randn(*shape)) for shape in shapes]
    for parameter in parameters:
        parameter.grad = torch.randn(*parameter.shape)
    step: Step = torch.optim.Adam(parameters).step
    return step


def convolutional(torch: Any) -> Step:
    """A training step of two convolutions with pools and batch_norm, 16 images, Adam."""
    nn = torch.nn
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * 7 * 7, 10),
    )  # fmt: skip
    inputs, targets = torch.rand(16, 1, 28, 28), torch.randint(0, 10, (16,))
    loss = nn.CrossEntropyLoss()
    return _adam(torch, model, lambda network: loss(network(inputs), targets))


def attention_block(torch: Any) -> Step:
    """Self-attention of 4 heads and a network of two layers, normalised before, of width 64."""
    functional, width, heads = torch.nn.functional, 64, 4
    torch.manual_seed(0)
    shapes = [(3 * width, width), (width, width), (4 * width, width), (width, 4 * width)]
    weights = [(torch.randn(*shape) / shape[1] ** 0.5).requires_grad_() for shape in shapes]
    scale, shift = torch.ones(width, requires_grad=True), torch.zeros(width, requires_grad=True)
    inputs = torch.randn(8, 64, width)

    def attend(x: Any) -> Any:
        parts = (
            functional.linear(x, weights[0]).reshape(8, 64, 3, heads, -1).permute(2, 0, 3, 1, 4)
        )
        mixed = functional.scaled_dot_product_attention(parts[0], parts[1], parts[2])
        return functional.linear(mixed.transpose(1, 2).reshape(8, 64, width), weights[1])

    def step() -> None:
        x = inputs + attend(functional.layer_norm(inputs, (width,), scale, shift))
        hidden = functional.linear(functional.layer_norm(x, (width,), scale, shift), weights[2])
        (x + functional.linear(functional.gelu(hidden), weights[3])).square().mean().backward()
        for parameter in (*weights, scale, shift):
            parameter.grad = None

    return step


def rosenbrock(x: Any) -> Any:
    """The Rosenbrock function of a vector."""
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()


def double_backward(torch: Any) -> Step:
    """Gradient of the squared gradient norm of a 20-dimensional Rosenbrock function."""
    x = torch.linspace(-1, 1, 20, dtype=torch.float64).requires_grad_()

    def step() -> None:
        (grad,) = torch.autograd.grad(rosenbrock(x), x, create_graph=True)
        (grad * grad).sum().backward()
        x.grad = None

    return step


def hessian(torch: Any) -> Step:
    """The 20 x 20 Hessian of the Rosenbrock function, row by row."""
    x = torch.linspace(-1, 1, 20, dtype=torch.float64).requires_grad_()

    def step() -> Any:
        (grad,) = torch.autograd.grad(rosenbrock(x), x, create_graph=True)
        rows = [torch.autograd.grad(grad[i], x, retain_graph=True)[0] for i in range(20)]
        return torch.stack(rows)

    return step


def page(torch: Any, count: int) -> Step:
    """As `picture`, of the HTML page."""
    return picture(torch, count, "html")


def picture(torch: Any, count: int, form: str = "svg") -> Step:
    """A loss of about `count` nodes as a picture: SVG by seegrad, DOT by torchviz for PyTorch.

    The nodes are many short branches, because torchviz cannot draw deep graphs.
    """
    x, branches = torch.ones(4, requires_grad=True), []
    for _ in range(count // 20):
        w = torch.ones(4, requires_grad=True)
        branch = x
        for _ in range(10):
            branch = (branch * w).tanh()
        branches.append(branch)
    loss = torch.stack(branches).sum()
    if torch.__name__ == "torch":
        import torchviz

        return lambda: torchviz.make_dot(loss).source
    from seegrad import viz

    return lambda: getattr(viz.graph(loss, {}, folded=False), form)()
