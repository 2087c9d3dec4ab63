"""What an introduction to autograd does: leaves, detach, retained graphs, zeroing, training."""

from typing import Any

from tests.observe import attempt, rounded


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0], requires_grad=True)


def leaves(torch: Any) -> None:
    x = _leaf(torch)
    y = x * 2
    z = y.detach()
    for tensor in (x, y, z, torch.ones(2), torch.ones(2) * 3):
        print(tensor.is_leaf, tensor.requires_grad, tensor.grad_fn)
    z.requires_grad_()
    print(z.is_leaf, z.requires_grad)


def detach_shares_memory(torch: Any) -> Any:
    y = _leaf(torch) * 2
    z = y.detach()
    z[0] = 50.0
    print(y)
    return [z.data_ptr() == y.data_ptr(), z._version, y._version]


def retained_gradient(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    z = y.detach().requires_grad_()
    y.retain_grad()
    y.sum().backward()
    print(x.grad, y.grad)
    (z * 3).sum().backward()
    print(z.grad, x.grad)
    return [x.retains_grad, y.retains_grad]


def gradient_of_an_inner_tensor(torch: Any) -> Any:
    y = _leaf(torch) * 2
    y.sum().backward()
    return y.grad


def chain_of_four(torch: Any) -> Any:
    x = _leaf(torch)
    a = 2 * x + 10
    b = 3 * a
    b.retain_grad()
    c = 2 * b
    print(a, b, c, sep="\n")
    c.backward(torch.ones(c.shape))
    return [rounded(x.grad), rounded(b.grad)]


def backward_by_a_sum(torch: Any) -> Any:
    x = _leaf(torch)
    total = torch.sum(2 * (3 * (2 * x + 10)))
    total.backward()
    return [rounded(total), rounded(x.grad)]


def backward_with_weights(torch: Any) -> Any:
    x = _leaf(torch)
    (x * x).backward(torch.tensor([1.0, 0.1]))
    first = rounded(x.grad)
    return [first, attempt(lambda: (x * x).backward(torch.ones(3)))]


def backward_needs_a_gradient(torch: Any) -> str:
    return attempt(lambda: (_leaf(torch) * 2).backward())


def second_backward(torch: Any) -> Any:
    x = _leaf(torch)
    y = (x * x).sum()
    y.backward()
    return [attempt(lambda: y.backward()), rounded(x.grad)]


def retained_graph(torch: Any) -> Any:
    x = _leaf(torch)
    y = (x * x).sum()
    for _ in range(3):
        y.backward(retain_graph=True)
        print(x.grad)
    y.backward()
    return attempt(lambda: y.backward())


def zeros_with_underscore_is_missing(torch: Any) -> Any:
    x = _leaf(torch)
    x.sum().backward()
    try:
        x.grad.zeros_()
    except AttributeError as error:
        return [
            type(error).__name__,
            str(error).splitlines()[0].partition(" object ")[0],
            "zeros_" in str(error),
        ]
    return "no error"


def zero_with_underscore(torch: Any) -> Any:
    x = _leaf(torch)
    x.sum().backward()
    grad = x.grad
    x.grad.zero_()
    print(x.grad, x.grad is grad)
    (x * 3).sum().backward()
    return rounded(x.grad)


def gradients_pile_up_when_not_zeroed(torch: Any) -> Any:
    x = _leaf(torch)
    seen = []
    for factor in (1.0, 2.0, 3.0):
        (x * factor).sum().backward()
        seen.append(rounded(x.grad))
    return seen


def no_grad_block(torch: Any) -> Any:
    x = _leaf(torch)
    with torch.no_grad():
        y = x * 2
        print(x.requires_grad, y.requires_grad, torch.is_grad_enabled())
    return [torch.is_grad_enabled(), (x * 2).requires_grad]


def training_loop(torch: Any) -> Any:
    inputs = torch.linspace(-1, 1, 24, dtype=torch.double).reshape(12, 2)
    targets = inputs @ torch.tensor([[2.0], [-1.0]], dtype=torch.double) + 0.5
    model = torch.nn.Linear(2, 1, dtype=torch.double)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_function = torch.nn.MSELoss()
    losses = []
    for _ in range(4):
        for start in range(0, 12, 4):
            data, target = inputs[start : start + 4], targets[start : start + 4]
            optimizer.zero_grad()
            loss = loss_function(model(data), target)
            loss.backward()
            optimizer.step()
            losses.append(round(loss.item(), 6))
    return [losses, rounded(model.weight), rounded(model.bias)]


def training_without_zeroing(torch: Any) -> Any:
    weight = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    path = []
    for _ in range(4):
        ((weight - 1) ** 2).sum().backward()
        optimizer.step()
        path.append(rounded(weight))
    return path
