"""Where optimisers take their parameters."""

from typing import Any

from tests.observe import attempt, rounded

_OPTIMISERS = [
    ("SGD", {"lr": 0.1}), ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "maximize": True}),
    ("SGD", {"lr": 0.1, "weight_decay": 0.1, "maximize": True}),
    ("Adam", {}), ("Adam", {"lr": 0.1, "betas": (0.5, 0.6), "eps": 0.1}),
    ("Adam", {"amsgrad": True, "weight_decay": 0.1}), ("Adam", {"maximize": True}),
    ("Adam", {"decoupled_weight_decay": True, "weight_decay": 0.1}),
    ("AdamW", {"lr": 0.1}), ("AdamW", {"amsgrad": True, "maximize": True, "weight_decay": 0.5}),
    ("RMSprop", {}), ("RMSprop", {"centered": True}), ("RMSprop", {"momentum": 0.9}),
    ("RMSprop", {"momentum": 0.9, "centered": True, "weight_decay": 0.1, "maximize": True}),
    ("Adagrad", {}), ("Adagrad", {"lr_decay": 0.1, "weight_decay": 0.1, "maximize": True}),
    ("Adagrad", {"initial_accumulator_value": 0.5}),
]  # fmt: skip


def _walk(torch: Any, name: str, options: dict[str, Any], dtype: Any, steps: int) -> Any:
    """Parameters and state after some steps down a bowl whose gradients change sign."""
    start = torch.tensor([[1.0, -2.0, 0.5], [3.0, 0.0, -1.0]], dtype=torch.float64)
    matrix, number = (
        torch.nn.Parameter(start.to(dtype)),
        torch.nn.Parameter(start[1, 0].to(dtype)),
    )
    if dtype.is_complex:
        matrix.data.mul_(1 + 0.5j)
    optimizer = getattr(torch.optim, name)([matrix, number], **options)
    for step in range(steps):
        optimizer.zero_grad()
        loss = ((matrix - 0.1 * step) ** 2).abs().sum() + (number * (2.0 - step)).abs().sum()
        loss.backward()
        optimizer.step()
    state = {key: rounded(value, 9) for key, value in optimizer.state[matrix].items()}
    return [rounded(matrix, 9), rounded(number, 9), state]


def float64(torch: Any) -> Any:
    return {f"{name} {options}": _walk(torch, name, options, torch.float64, 20)
            for name, options in _OPTIMISERS}  # fmt: skip


def complex128(torch: Any) -> Any:
    return {f"{name} {options}": _walk(torch, name, options, torch.complex128, 5)
            for name, options in _OPTIMISERS}  # fmt: skip


def float32_of_sgd(torch: Any) -> Any:
    """Additions are rounded once, so the numbers are PyTorch's to the last bit."""
    weight = torch.nn.Parameter(torch.randn(40))
    optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9, weight_decay=0.01)
    for _ in range(10):
        weight.grad = torch.randn(40)
        optimizer.step()
    return weight.tolist()


def other_strides(torch: Any) -> Any:
    seen = []
    for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
        weight = torch.arange(6.0, dtype=torch.float64).reshape(2, 3).t().requires_grad_()
        optimizer = getattr(torch.optim, name)([weight], lr=0.1)
        for _ in range(3):
            weight.grad = torch.full((3, 2), 0.5, dtype=torch.float64)
            optimizer.step()
        seen.append([rounded(weight, 9), list(weight.stride())])
    return seen


def large_parameters(torch: Any) -> Any:
    """More elements than one block holds."""
    seen = []
    for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
        weight = torch.ones(70, 1001, dtype=torch.float64, requires_grad=True)
        optimizer = getattr(torch.optim, name)([weight], lr=0.1)
        for _ in range(3):
            weight.grad = torch.linspace(-1, 1, 70070, dtype=torch.float64).reshape(70, 1001)
            optimizer.step()
        seen.append([rounded(weight.sum(), 6), rounded(weight[0, :3], 9),
                     rounded(weight[-1, -3:], 9),
                     rounded((weight * weight).sum(), 6)])  # fmt: skip
    return seen


def half_precision(torch: Any) -> Any:
    seen = []
    for dtype in (torch.float16, torch.bfloat16):
        for name in ("SGD", "Adam"):
            weight = torch.nn.Parameter(torch.ones(2, dtype=dtype))
            optimizer = getattr(torch.optim, name)([weight], lr=0.25)
            weight.grad = torch.tensor([1.0, -0.5], dtype=dtype)
            optimizer.step()
            seen.append([str(weight.dtype), rounded(weight.float(), 2)])
    return seen


def versions(torch: Any) -> Any:
    weight, other = (torch.nn.Parameter(torch.ones(2)) for _ in "ab")
    y = (weight * weight).sum()
    optimizer = torch.optim.SGD([weight, other], lr=0.1)
    weight.grad = torch.ones(2)
    optimizer.step()
    return [weight._version, other._version, weight.is_leaf, weight.grad_fn is None,
            attempt(y.backward)]  # fmt: skip


def closures(torch: Any) -> Any:
    weight = torch.nn.Parameter(torch.ones(2))
    seen = []
    for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
        optimizer = getattr(torch.optim, name)([weight], lr=0.1)

        def closure() -> Any:
            optimizer.zero_grad()
            loss = (weight * weight).sum()
            loss.backward()
            return loss

        with torch.no_grad():
            seen.append([rounded(optimizer.step(closure)), torch.is_grad_enabled()])
        seen.append([optimizer.step() is None, rounded(weight)])
    return seen


def shared_memory(torch: Any) -> Any:
    """A step writes into the array that a view, a detached alias and NumPy see."""
    weight = torch.nn.Parameter(torch.ones(2))
    alias, array = weight.detach(), weight.detach().numpy()
    weight.grad = torch.ones(2)
    torch.optim.Adam([weight], lr=0.5).step()
    return [rounded(alias), array.tolist(), alias._version]


def training(torch: Any) -> Any:
    seen = {}
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad"):
        torch.manual_seed(0)
        net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
        optimizer = getattr(torch.optim, name)(net.parameters(), lr=0.01)
        x = torch.randn(16, 2)
        losses = []
        for _ in range(5):
            loss = torch.nn.functional.mse_loss(net(x), x.prod(1, keepdim=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(round(loss.item(), 4))
        seen[name] = losses
    return seen
