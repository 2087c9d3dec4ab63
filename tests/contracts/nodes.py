"""Nodes of the graph: names, texts, edges, saved values; how tensors with history print."""

from typing import Any

from tests.observe import attempt, edges


def _name(tensor: Any) -> str | None:
    return type(tensor.grad_fn).__name__ if tensor.grad_fn is not None else None


def _doubled(torch: Any) -> Any:
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2

    return Doubled


def names_of_arithmetic(torch: Any) -> Any:
    x, y = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    results = [x + y, x + 1, 1 - x, x - y, x * y, x * 2, x / y, 1 / x, -x, x**2, x**y, 2**x]
    return [_name(result) for result in results]


def names_of_functions(torch: Any) -> Any:
    x = torch.rand(3, 3, requires_grad=True)
    names = (
        "exp expm1 log log1p log2 log10 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh "
        "sigmoid relu abs sign floor ceil round trunc square reciprocal erf erfc"
    )
    return {name: _name(getattr(x, name)()) for name in names.split()}


def names_of_reductions(torch: Any) -> Any:
    x = torch.rand(3, 3, requires_grad=True)
    whole = ["sum", "mean", "prod", "max", "min", "var", "std", "norm", "amax", "amin"]
    along = ["sum", "mean", "prod", "logsumexp", "cumsum", "cumprod", "amax", "softmax"]
    pairs = [x.max(0)[0], x.min(0)[0], x.sort()[0], x.topk(2)[0]]
    return [
        [_name(getattr(x, name)()) for name in whole],
        [_name(getattr(x, name)(0)) for name in along],
        [_name(result) for result in pairs],
    ]


def names_of_products(torch: Any) -> Any:
    x, y = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    v, batch = torch.rand(3, requires_grad=True), torch.rand(2, 3, 3, requires_grad=True)
    linear = torch.nn.functional.linear
    results = [x @ y, x @ v, v @ v, batch @ batch, torch.outer(v, v), torch.addmm(v, x, y),
               linear(x, y), linear(x, y, v), torch.bmm(batch, batch)]  # fmt: skip
    return [_name(result) for result in results]


def names_of_shapes(torch: Any) -> Any:
    x, v = torch.rand(3, 3, requires_grad=True), torch.rand(3, requires_grad=True)
    batch = torch.rand(1, 3, 3, requires_grad=True)
    results = [x.t(), x.T, x.transpose(0, 1), batch.permute(2, 0, 1), x.view(-1), x.reshape(-1),
               x.flatten(), v.expand(3, 3), x.unsqueeze(0), batch.squeeze(), batch.squeeze(0),
               v.repeat(2), x.narrow(0, 0, 2), x.diagonal(), x.tril(), torch.cat([x, x]),
               torch.stack([x, x]), x.split(1)[0], x.chunk(3)[0], x.unbind()[0], x.flip(0),
               x.roll(1), x.clone(), x.t().contiguous(), x.double(), x.view_as(x)]  # fmt: skip
    unchanged = [x.contiguous() is x, x.to(torch.float32) is x]
    return [[_name(result) for result in results], unchanged]


def names_of_indexing(torch: Any) -> Any:
    x = torch.rand(3, 3, requires_grad=True)
    mask, index = torch.tensor([True, False, True]), torch.tensor([0, 2])
    row = torch.zeros(1, 3, dtype=torch.long)
    results = [x[0], x[0:2], x[:, 0:2], x[...], x[None], x[mask], x[index], x[0, 1],
               x.select(0, 1), x.gather(0, row), x.index_select(0, index),
               x.masked_fill(mask, 0.0), x.scatter(0, row, x)]  # fmt: skip
    return [_name(result) for result in results]


def names_of_losses(torch: Any) -> Any:
    functional = torch.nn.functional
    x, y = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    target = torch.tensor([0, 1, 2])
    results = [
        functional.softmax(x, 0),
        functional.log_softmax(x, 0),
        functional.mse_loss(x, y),
        functional.l1_loss(x, y),
        functional.nll_loss(functional.log_softmax(x, 1), target),
        functional.cross_entropy(x, target),
        functional.binary_cross_entropy_with_logits(x, y.detach()),
        *(
            getattr(functional, name)(x)
            for name in ("gelu", "leaky_relu", "elu", "softplus", "silu")
        ),
    ]
    return [_name(result) for result in results]


def node_faces(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    node = (x * 2).grad_fn
    print(node, type(node), type(node).__module__, node.name())
    print(isinstance(node, torch.autograd.graph.Node))
    print(issubclass(type(node), torch.autograd.graph.Node))
    leaf = node.next_functions[0][0]
    print(leaf, leaf.name(), leaf.variable is x, leaf.next_functions)
    custom = _doubled(torch).apply(x).grad_fn
    print(custom, type(custom).__name__, custom.name())


def printed_tensors(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    print(x, x * 2, (x * 2).detach(), x.sum(), torch.nn.Parameter(torch.zeros(2)), sep="\n")
    print(torch.tensor([1.0], dtype=torch.float64, requires_grad=True))
    print(torch.empty(0, requires_grad=True), torch.tensor(True), torch.tensor(3.0))
    print(torch.tensor([1e-8, 1.0]), torch.tensor([1e8, 1.0]))
    print(torch.tensor([float("nan"), float("inf"), 1.0]), torch.zeros(2, 3))
    print(_doubled(torch).apply(x))


def printed_view_after_a_write(torch: Any) -> None:
    base = torch.rand(3, requires_grad=True).clone()
    view = base[:2]
    view.zero_()
    print(view, _name(base))


def edges_of_constants(torch: Any) -> Any:
    x, constant = torch.ones(2, requires_grad=True), torch.ones(2)
    results = [x * constant, x * 2, x + 2, torch.cat([x, constant, x])]
    return [edges(result.grad_fn) for result in results]


def several_outputs_share_a_node(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    a, b = x.unbind()
    return [a.grad_fn is b.grad_fn, a.output_nr, b.output_nr, edges((b * 1).grad_fn)]


def node_identity(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y, z = x * 1, x + 1
    same_leaf = y.grad_fn.next_functions[0][0] is z.grad_fn.next_functions[0][0]
    return [y.grad_fn is y.grad_fn, y.grad_fn is (x * 1).grad_fn, same_leaf]


def saved_values(torch: Any) -> Any:
    x, constant = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0])
    product, power, y = (x * constant).grad_fn, (x**3).grad_fn, x.exp()
    print(product._saved_self, product._saved_other)
    print(power._saved_self, power._saved_exponent, type(power._saved_exponent))
    print(y.grad_fn._saved_result)
    total = x.sum(0, keepdim=True).grad_fn
    print(total._saved_dim, total._saved_keepdim, total._saved_self_sym_sizes)
    return [y.grad_fn._saved_result is y, (x * x).grad_fn._saved_other is x]


def saved_values_after_backward(torch: Any) -> Any:
    y = torch.tensor([2.0], requires_grad=True).exp()
    node = y.grad_fn
    y.backward()
    return [attempt(lambda: node._saved_result), attempt(lambda: node._raw_saved_result.unpack())]


def sequence_numbers(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * 2
    leaf = y.grad_fn.next_functions[0][0]
    print(y.grad_fn.metadata, x.grad_fn)
    return [z.grad_fn._sequence_nr() - y.grad_fn._sequence_nr(), leaf._sequence_nr() > 2**60]


def nodes_can_be_called(torch: Any) -> Any:
    x = torch.tensor([3.0], requires_grad=True)
    y = x**2
    print(y.grad_fn(torch.tensor([1.0])))
    wrong = attempt(lambda: y.grad_fn())
    leaf = (x * 2).grad_fn.next_functions[0][0]
    leaf(torch.tensor([5.0]))
    print(x.grad)
    return wrong
