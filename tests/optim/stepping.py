"""Where optimisers take their parameters."""

from typing import Any

from tests.observe import attempt, rounded
from tests.optim.walks import OPTIONS, every, walk


def _short(torch: Any, name: str, options: dict[str, Any], dtype: Any, steps: int) -> Any:
    """Parameters and state after some steps of the walk that is long beside PyTorch."""
    params, states = walk(torch, name, options, dtype, steps)
    return [[rounded(param, 7) for param in params],
            {key: rounded(value, 7) for key, value in states[0].items()}]  # fmt: skip


def float64(torch: Any) -> Any:
    return {f"{name} {options}": _short(torch, name, options, torch.float64, 12)
            for name, options in every()}  # fmt: skip


def complex128(torch: Any) -> Any:
    return {f"{name} {options}": _short(torch, name, options, torch.complex128, 5)
            for name, options in every([*OPTIONS][:-1]) if "fused" not in options}  # fmt: skip


def matrices(torch: Any) -> Any:
    """Muon, whose iteration is in bfloat16: what is rounded there decides, so few steps."""
    seen = []
    for shape in ((2, 3), (4, 2)):
        for options in ({}, {"nesterov": False, "adjust_lr_fn": "match_rms_adamw"},
                        {"adjust_lr_fn": "original", "ns_steps": 2, "momentum": 0.5}):  # fmt: skip
            weight = torch.nn.Parameter(torch.ones(shape, dtype=torch.float64))
            optimizer = torch.optim.Muon([weight], lr=0.1, **options)
            for i in range(3):
                numbers = torch.linspace(-1, 2, weight.numel(), dtype=torch.float64)
                weight.grad = (numbers**2 + i * numbers).reshape(shape)
                optimizer.step()
            seen.append([rounded(weight), rounded(optimizer.state[weight]["momentum_buffer"])])
    return seen


def recorded_steps(torch: Any) -> Any:
    """With differentiable=True a gradient goes through two steps to where they began."""
    seen = {}
    for name in (
        "SGD",
        "Adam",
        "AdamW",
        "NAdam",
        "RAdam",
        "Adagrad",
        "Adadelta",
        "RMSprop",
        "ASGD",
    ):
        start = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
        weight = start.clone()
        optimizer = getattr(torch.optim, name)([weight], lr=0.1, differentiable=True)
        for share in (1.0, 0.25):
            weight.grad = share * start**3
            with torch.no_grad():
                optimizer.step()
        (weight**2).sum().backward()
        seen[name] = [rounded(weight, 9), rounded(start.grad, 9), weight.requires_grad]
    rate = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    for name in ("SGD", "Adam", "AdamW", "RAdam"):
        weight = torch.ones(2, dtype=torch.float64)
        optimizer = getattr(torch.optim, name)(
            [weight], lr=rate, weight_decay=0.1, differentiable=True
        )
        for _ in range(2):
            weight.grad = torch.tensor([1.0, -3.0], dtype=torch.float64)
            optimizer.step()
        (got,) = torch.autograd.grad(weight.sum(), rate)
        seen[name + " by lr"] = rounded(got, 9)
    leaf = torch.ones(2, requires_grad=True)
    leaf.grad = torch.ones(2)
    seen["leaf"] = [
        attempt(torch.optim.SGD([leaf], differentiable=True).step),
        attempt(torch.optim.Adam([leaf], differentiable=True, foreach=True).step),
    ]
    return seen


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
    for name in OPTIONS:
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
    for name in OPTIONS:
        weight = torch.ones(70, 1001, dtype=torch.float64, requires_grad=True)
        optimizer = getattr(torch.optim, name)([weight], lr=0.1)
        for _ in range(3):
            weight.grad = torch.linspace(-1, 1, 70070, dtype=torch.float64).reshape(70, 1001)
            optimizer.step()
        seen.append([rounded(weight.sum(), 6), rounded(weight[0, :3], 9),
                     rounded(weight[-1, -3:], 9),
                     rounded((weight * weight).sum(), 6)])  # fmt: skip
    return seen


def empty_parameters(torch: Any) -> Any:
    seen = []
    for name in [*OPTIONS][:-1]:
        weight = torch.ones(0, 3, requires_grad=True)
        weight.grad = torch.ones(0, 3)
        optimizer = getattr(torch.optim, name)([weight])
        optimizer.step()
        seen.append([name, {k: list(v.shape) for k, v in optimizer.state[weight].items()}])
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
    for name in OPTIONS:
        optimizer = getattr(torch.optim, name)([weight], lr=0.1)

        def closure() -> Any:
            optimizer.zero_grad()
            loss = (weight * weight).sum()
            loss.backward()
            return loss

        with torch.no_grad():
            seen.append([rounded(optimizer.step(closure), 3), torch.is_grad_enabled()])
        seen.append([optimizer.step() is None, rounded(weight, 3)])
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
    for name in OPTIONS:
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
