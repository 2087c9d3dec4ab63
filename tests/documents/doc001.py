"""What a tutorial on custom Functions does: seven of them, the last of which PyTorch refuses."""

from typing import Any

from tests.observe import attempt, edges, rounded


def straight_through_sign(torch: Any) -> Any:
    class Sign(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, input: Any) -> Any:
            return torch.sign(input)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return grad_output.clone()

    x = torch.randn(5, requires_grad=True)
    output = Sign.apply(x)
    output.sum().backward()
    print(x, output, x.grad)
    return edges(output.grad_fn)


def gradient_reversal(torch: Any) -> Any:
    class Reversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, alpha: float) -> Any:
            ctx.alpha = alpha
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return grad_output.neg() * ctx.alpha, None

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    output = Reversal.apply(x, 0.5)
    print(output, output._is_view(), output.data_ptr() == x.data_ptr())
    (output * torch.tensor([3.0, 5.0])).sum().backward()
    return [rounded(x.grad), edges(output.grad_fn)]


def scaled_exponential(torch: Any) -> Any:
    class ScaledExp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, input: Any, scale: float) -> Any:
            ctx.save_for_backward(input)
            ctx.scale = scale
            return torch.exp(input) * scale

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            (input,) = ctx.saved_tensors
            return grad_output * torch.exp(input) * ctx.scale, None

    x = torch.tensor([0.0, 1.0, -1.0], dtype=torch.double, requires_grad=True)
    output = ScaledExp.apply(x, 3.0)
    output.sum().backward()
    checked = torch.autograd.gradcheck(lambda t: ScaledExp.apply(t, 3.0), (x,))
    twice = torch.autograd.gradgradcheck(lambda t: ScaledExp.apply(t, 3.0), (x,))
    return [rounded(output), rounded(x.grad), checked, twice, output.grad_fn.scale]


def two_inputs_two_outputs(torch: Any) -> Any:
    class SumAndProduct(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            ctx.save_for_backward(a, b)
            return a + b, a * b

        @staticmethod
        def backward(ctx: Any, grad_sum: Any, grad_product: Any) -> Any:
            a, b = ctx.saved_tensors
            return grad_sum + grad_product * b, grad_sum + grad_product * a

    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 5.0], requires_grad=True)
    total, product = SumAndProduct.apply(a, b)
    print(total, product, total.grad_fn is product.grad_fn, total.output_nr, product.output_nr)
    (total.sum() + 2 * product.sum()).backward()
    both = [rounded(a.grad), rounded(b.grad)]
    a.grad = b.grad = None
    SumAndProduct.apply(a, b)[1].sum().backward()
    return [both, rounded(a.grad), rounded(b.grad)]


def safe_square_root(torch: Any) -> Any:
    class SafeSqrt(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, input: Any) -> Any:
            result = torch.sqrt(input.clamp(min=1e-6))
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            (result,) = ctx.saved_tensors
            return grad_output / (2 * result)

    x = torch.tensor([4.0, 1e-6, 0.0, -1.0], dtype=torch.double, requires_grad=True)
    output = SafeSqrt.apply(x)
    output.sum().backward()
    return [rounded(output), rounded(x.grad, 3)]


def quantisation(torch: Any) -> Any:
    class Quantize(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, input: Any, levels: int) -> Any:
            return torch.round(input * levels) / levels

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return grad_output, None

    x = torch.tensor([0.1, 0.126, 0.375, -0.8], requires_grad=True)
    output = Quantize.apply(x, 4)
    print(output)
    output.sum().backward()
    return rounded(x.grad)


def memory_efficient_add_is_refused(torch: Any) -> Any:
    class Add(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.mark_dirty(x)
            return x + y

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return grad_output, grad_output

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    results = [attempt(lambda: Add.apply(x, y)), attempt(lambda: Add.apply(x * 1, y))]
    results.append(attempt(lambda: Add.apply(x.detach(), y.detach())))
    return [*results, rounded(x), x._version]


def lists_are_not_saved(torch: Any) -> Any:
    class Saves(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, extra: Any) -> Any:
            ctx.save_for_backward(x, extra)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return grad_output * 2, None

    x = torch.ones(1, requires_grad=True)
    return [attempt(lambda: Saves.apply(x, [1])), attempt(lambda: Saves.apply(x, 2.5)),
            attempt(lambda: Saves.apply(x, None))]  # fmt: skip


def gradcheck_finds_a_wrong_backward(torch: Any) -> Any:
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad_output * 2 * x**2

    x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
    return [attempt(lambda: torch.autograd.gradcheck(Wrong.apply, (x,))),
            torch.autograd.gradcheck(Wrong.apply, (x,), raise_exception=False)]  # fmt: skip
