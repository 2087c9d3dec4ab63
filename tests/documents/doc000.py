"""What a tutorial on grad_fn and custom operations does: printing the graph, Functions, chunk."""

from typing import Any

from tests.observe import edges, rounded


def _print_graph(node: Any, level: int = 0, detailed: bool = False) -> None:
    print(" " * level, *([type(node).__name__] if detailed else []), node)
    for next_node, _ in getattr(node, "next_functions", ()):
        if next_node is not None:
            _print_graph(next_node, level + 1, detailed)


def _product_and_sum(torch: Any) -> tuple[Any, Any]:
    left = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    right = torch.tensor([4.0, 5.0, 6.0], requires_grad=True)
    product = left * right
    return product, product.sum()


def graph_printed(torch: Any) -> None:
    _print_graph(_product_and_sum(torch)[1].grad_fn)


def graph_printed_with_types(torch: Any) -> None:
    product, _ = _product_and_sum(torch)
    _print_graph(product.sum().grad_fn, detailed=True)


def two_sums_share_a_product(torch: Any) -> Any:
    product, total = _product_and_sum(torch)
    again = product.sum()
    return [
        total.grad_fn is again.grad_fn,
        total.grad_fn.next_functions[0][0] is again.grad_fn.next_functions[0][0],
    ]


def graph_of_a_longer_formula(torch: Any) -> None:
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    weight = torch.ones(2, requires_grad=True)
    _print_graph(((x * weight + 1).exp().mean() - x.sum() ** 2).grad_fn)


def function_that_copies(torch: Any) -> Any:
    class Copy(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, input: Any) -> Any:
            ctx.save_for_backward(input)
            return input.clone()

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            (input,) = ctx.saved_tensors
            print(input)
            return grad_output.clone()

    x = torch.tensor([1.0, -2.0], requires_grad=True)
    output = Copy.apply(x)
    print(output)
    output.sum().backward()
    return rounded(x.grad)


def _product_function(torch: Any) -> Any:
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            x, y = ctx.saved_tensors
            return grad_output * y, grad_output * x

    return Product


def function_of_two_inputs(torch: Any) -> Any:
    product = _product_function(torch).apply
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    c = product(a, b)
    print("c.grad_fn:", c.grad_fn)
    print("c.grad_fn.next_functions:", c.grad_fn.next_functions)
    c.sum().backward()
    return [rounded(a.grad), rounded(b.grad)]


def wrapped_in_a_callable_object(torch: Any) -> Any:
    function = _product_function(torch)

    class Operation:
        def __call__(self, x: Any, y: Any) -> Any:
            return function.apply(x, y)

    result = Operation()(torch.tensor([2.0], requires_grad=True), torch.tensor([5.0]))
    print(result)
    return edges(result.grad_fn)


def wrapped_in_a_plain_function(torch: Any) -> Any:
    function = _product_function(torch)

    def operation(x: Any, y: Any) -> Any:
        return function.apply(x, y)

    a = torch.tensor([1.0, 2.0], requires_grad=True)
    result = operation(operation(a, a), a)
    _print_graph(result.grad_fn)
    result.sum().backward()
    return rounded(a.grad)


def constants_have_no_edge(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    constant = torch.ones(2)
    return [edges((x * constant).grad_fn), edges((constant - x).grad_fn), edges((x * 2).grad_fn)]


def chunk_has_one_node(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    a, b = torch.chunk(x, 2)
    c = a.sum() + b.sum()
    print("c.grad_fn:", c.grad_fn)
    print("c.grad_fn.next_functions:", c.grad_fn.next_functions)
    for i, (node, _) in enumerate(c.grad_fn.next_functions):
        print(f"grad_fn[{i}].next_functions:", node.next_functions)
    return [a.grad_fn is b.grad_fn, a.output_nr, b.output_nr]


def chunk_sends_gradients_home(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    a, b = torch.chunk(x, 2)
    (a.sum() + (b * b).sum()).backward()
    first = x.grad.clone()
    x.grad = None
    torch.chunk(x, 2)[1].sum().backward()
    return [rounded(first), rounded(x.grad)]


def chunk_of_uneven_length(torch: Any) -> Any:
    x = torch.arange(14.0).reshape(7, 2)
    return [[rounded(part) for part in torch.chunk(x, 3)],
            [list(part.shape) for part in torch.chunk(x, 2, dim=1)]]  # fmt: skip
