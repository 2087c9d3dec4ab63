"""What arrives in .grad, whose memory it is, and what the loop makes of odd gradients."""

from typing import Any

from tests.observe import attempt, rounded


def _ones(torch: Any, *shape: int) -> Any:
    return torch.ones(shape, requires_grad=True)


def gradients_share_no_memory(torch: Any) -> Any:
    x, given = _ones(torch, 3), torch.ones(3)
    x.backward(given)
    own = [x.grad is given, x.grad.data_ptr() == given.data_ptr()]
    y = _ones(torch, 3)
    (y + 1).backward(given)
    a, b = _ones(torch, 2), _ones(torch, 2)
    (a + b).backward(torch.ones(2))
    a.grad.mul_(5)
    total = _ones(torch, 3)
    total.sum().backward()
    return [*own, y.grad.data_ptr() == given.data_ptr(), rounded(b.grad), total.grad.stride()]


def second_gradient_is_added_in_place(torch: Any) -> Any:
    x = _ones(torch, 2)
    x.sum().backward()
    first = x.grad
    (2 * x).sum().backward()
    same = x.grad is first
    (x * x).sum().backward(create_graph=True)
    seen = [same, x.grad is first, rounded(first), type(x.grad.grad_fn).__name__]
    x.grad = None
    return seen


def strides_follow_the_leaf(torch: Any) -> Any:
    x = torch.ones(3, 2).t().requires_grad_()
    (x * torch.ones(2, 3)).sum().backward()
    spread = torch.ones(1).expand(3).requires_grad_()
    spread.sum().backward()
    return [list(x.grad.stride()), list(spread.grad.stride())]


def _with_backward(torch: Any, answer: Any, *inputs: Any) -> Any:
    """Gradients of inputs through a Function whose backward is ``answer``."""

    class Odd(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, *rest: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return answer(grad)

    Odd.apply(*inputs).sum().backward()
    return [None if i.grad is None else [str(i.grad.dtype), rounded(i.grad)]
            for i in inputs if hasattr(i, "grad")]  # fmt: skip


def odd_gradients_are_fitted(torch: Any) -> Any:
    answers = [lambda g: g.double(), lambda g: torch.ones(3, 2), lambda g: (g, None, None),
               lambda g: torch.ones(2, dtype=torch.long), lambda g: None]  # fmt: skip
    return [str(_with_backward(torch, answer, _ones(torch, 2))) for answer in answers]


def odd_gradients_are_refused(torch: Any) -> Any:
    answers = [lambda g: torch.ones(3), lambda g: torch.ones(1), lambda g: 3.0, lambda g: [g],
               lambda g: (g, g), lambda g: (),
               lambda g: torch.ones(2, dtype=torch.cfloat)]  # fmt: skip
    return [attempt(lambda a=answer: _with_backward(torch, a, _ones(torch, 2)))
            for answer in answers]  # fmt: skip


def numbers_of_gradients(torch: Any) -> Any:
    answers = [lambda g: g, lambda g: (g, g), lambda g: (g, g, g), lambda g: (g, g, None, None),
               lambda g: (g, g, None, g)]  # fmt: skip
    inputs = [_ones(torch, 2), _ones(torch, 2), 2.0]
    return [attempt(lambda: _with_backward(torch, answer, *inputs)) for answer in answers]


def fan_out(torch: Any) -> Any:
    x, given = _ones(torch, 2), torch.ones(2)
    y = x * 1
    (y + y).backward(given)
    first = rounded(x.grad)
    y = x * 1
    torch.autograd.backward([y, y], [torch.ones(2), torch.ones(2)])
    return [first, rounded(given), rounded(x.grad)]


def leaf_as_root(torch: Any) -> Any:
    x = _ones(torch, 1)
    x.backward()
    x.retain_grad()
    y = x * 2
    y.retain_grad()
    y.backward()
    plain = torch.ones(1)
    print(x.grad, x.retains_grad, y.retains_grad, y.grad)
    return attempt(lambda: plain.retain_grad())


def zeroed_by_an_optimiser(torch: Any) -> Any:
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.zero_grad()
    print(model.weight.grad)
    model(torch.ones(1, 2)).sum().backward()
    kept = model.weight.grad
    optimizer.zero_grad(set_to_none=False)
    print(model.weight.grad, model.weight.grad is kept)


def types_of_gradients(torch: Any) -> Any:
    x = _ones(torch, 2)
    double = torch.ones(2, dtype=torch.double, requires_grad=True)
    y = x * double
    y.sum().backward()
    return [str(y.dtype), str(x.grad.dtype), str(double.grad.dtype)]


def complex_gradients(torch: Any) -> Any:
    x = torch.tensor([1 + 2j], requires_grad=True)
    seen = []
    for function in (lambda z: z.abs(), lambda z: z.real**2, lambda z: z.conj().real):
        x.grad = None
        function(x).sum().backward()
        seen.append(rounded(x.grad))
    real = _ones(torch, 1)
    (real * x.detach()).sum().abs().backward()
    return [seen, rounded(real.grad), str(real.grad.dtype)]


def ties_and_kinks(torch: Any) -> Any:
    def of(function: Any, *values: Any) -> Any:
        leaves = [torch.tensor(value, requires_grad=True) for value in values]
        return [g.tolist() for g in torch.autograd.grad(function(*leaves).sum(), leaves)]

    return [of(torch.relu, [0.0]), of(torch.abs, [0.0]), of(torch.sqrt, [0.0]),
            of(lambda x: x.max(), [1.0, 1.0, 0.0]), of(lambda x: x.max(0)[0], [1.0, 1.0, 0.0]),
            of(lambda x: x.amax(0), [1.0, 1.0, 0.0]), of(torch.maximum, [1.0], [1.0]),
            of(lambda x: x.clamp(0.0, 1.0), [0.0, 1.0, 2.0, -1.0]),
            of(lambda x: x.norm(), [0.0, 0.0]), of(lambda x: x**0.0, [0.0]),
            of(torch.pow, [0.0], [2.0]), of(lambda x: x.prod(), [0.0, 2.0, 3.0]),
            of(lambda x: x.prod(), [0.0, 0.0, 3.0]), of(lambda x: x.std(), [1.0, 1.0]),
            of(lambda x: x[[0, 0]], [1.0, 2.0])]  # fmt: skip
