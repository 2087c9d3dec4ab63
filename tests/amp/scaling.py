"""Scaled losses, and custom Functions under autocast."""

from typing import Any

from tests.observe import attempt, rounded


def _training(torch: Any) -> Any:
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 1)
    return net, torch.optim.SGD(net.parameters(), lr=0.1)


def steps(torch: Any) -> Any:
    """Good steps, one with an infinite gradient, and what is refused in between."""
    net, optimizer = _training(torch)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    seen = [scaler.get_scale(), scaler.state_dict(), attempt(scaler.update)]
    for i in range(6):
        x = torch.ones(3, 2) * (float("inf") if i == 3 else 1)
        optimizer.zero_grad()
        loss = scaler.scale(net(x).sum())
        loss.backward()
        if i == 2:
            scaler.unscale_(optimizer)
            seen += [net.weight.grad.tolist(), attempt(lambda: scaler.unscale_(optimizer))]
        scaler.step(optimizer)
        if i == 1:
            seen += [attempt(lambda: scaler.step(optimizer)),
                     attempt(lambda: scaler.unscale_(optimizer))]  # fmt: skip
        scaler.update()
        seen += [rounded(net.weight), scaler.state_dict()]
    return seen


def options(torch: Any) -> Any:
    net, optimizer = _training(torch)
    make, x = torch.amp.GradScaler, torch.ones(1)
    scaler, off = make("cpu", init_scale=4.0), make("cpu", enabled=False)
    seen = [repr(scaler.scale([x, (x,)])), attempt(lambda: scaler.scale(3)),
            attempt(lambda: scaler.step(optimizer)),
            attempt(lambda: make("cpu").unscale_(optimizer)),
            attempt(lambda: scaler.step(optimizer, closure=len)),
            attempt(lambda: make("cpu", growth_factor=1.0)),
            attempt(lambda: make("cpu", backoff_factor=1.0))]  # fmt: skip
    for new in (3.0, torch.tensor(5.0), torch.tensor([1.0, 2.0])):
        seen.append([attempt(lambda n=new: scaler.update(n)), scaler.get_scale()])
    other = make("cpu")
    seen += [attempt(lambda: other.load_state_dict({})),
             other.load_state_dict(scaler.state_dict()), other.get_scale(), other.is_enabled(),
             [other.get_growth_factor(), other.get_backoff_factor(),
              other.get_growth_interval()]]  # fmt: skip
    seen += [off.get_scale(), off.state_dict(), off.scale(x) is x, off.update(),
             off.unscale_(optimizer), off.is_enabled()]  # fmt: skip
    net(torch.ones(1, 2)).sum().backward()
    off.step(optimizer)
    half = torch.nn.Linear(1, 1).half()
    half.weight.grad = torch.ones(1, 1).half()
    refused = attempt(lambda: scaler.unscale_(torch.optim.SGD(half.parameters(), lr=1)))
    return [*seen, rounded(net.weight), refused, make().is_enabled()]


def functions(torch: Any) -> Any:
    """A custom Function casts its inputs, or its backward runs as its forward did."""
    seen: list[Any] = []
    on, kind = torch.is_autocast_enabled, lambda t: str(t.dtype)[6:]

    def product(cast: Any) -> Any:
        class Product(torch.autograd.Function):  # type: ignore[misc,name-defined]
            @staticmethod
            @torch.amp.custom_fwd(device_type="cpu", cast_inputs=cast)
            def forward(ctx: Any, x: Any, y: Any) -> Any:
                ctx.save_for_backward(x, y)
                seen.append([kind(x), kind(y), on("cpu")])
                return x @ y

            @staticmethod
            @torch.amp.custom_bwd(device_type="cpu")
            def backward(ctx: Any, grad: Any) -> Any:
                x, y = ctx.saved_tensors
                seen.append([kind(grad), kind(x), on("cpu")])
                return grad @ y.T, x.T @ grad

        return Product

    for cast in (torch.float32, None):
        Product, x = product(cast), torch.ones(2, 2, requires_grad=True)
        with torch.autocast("cpu"):
            y = Product.apply(x.bfloat16(), x)
        y.float().sum().backward()
        seen.append([kind(y), x.grad.tolist()])
        Product.apply(x, x).sum().backward()
    return [*seen, attempt(lambda: torch.amp.custom_fwd(device_type=3))]


def training(torch: Any) -> Any:
    """A network learns; its losses are PyTorch's to the digits that bfloat16 has."""
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Flatten(),
        torch.nn.Linear(144, 10))  # fmt: skip
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, classes, losses = torch.randn(16, 1, 8, 8), torch.randint(0, 10, (16,)), []
    for _ in range(4):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = net(x)
            loss = torch.nn.functional.cross_entropy(y, classes)
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 1))
    return [losses, str(y.dtype)[6:], str(loss.dtype)[6:], str(net[0].weight.grad.dtype)[6:]]
