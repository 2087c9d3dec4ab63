"""Nodes with several outputs that have gradients: saved results, hooks, writes, orders."""

from typing import Any

from tests.observe import attempt, rounded


def _matrix(torch: Any) -> Any:
    rows = [[2.0, 1, 0], [1, 3, 1], [0, 1.5, 4]]
    return torch.tensor(rows, dtype=torch.float64, requires_grad=True)


def outputs_share_a_node(torch: Any) -> list[Any]:
    values, vectors = torch.linalg.eigh(_matrix(torch))
    node = values.grad_fn
    saved = node._saved_eigenvalues, node._saved_eigenvectors
    return [
        node is vectors.grad_fn, values.output_nr, vectors.output_nr, len(node._input_metadata),
        [one.grad_fn is node for one in saved], [one.output_nr for one in saved],
    ]  # fmt: skip


def outputs_without_gradient(torch: Any) -> list[Any]:
    P, L, U = torch.linalg.lu(_matrix(torch))
    return [P.requires_grad, P.is_leaf, L.output_nr, U.output_nr]


def a_written_output_that_is_needed(torch: Any) -> str:
    U, S, Vh = torch.linalg.svd(_matrix(torch))
    S.mul_(2)
    return attempt(lambda: U.abs().sum().backward())


def a_written_output_that_is_not_needed(torch: Any) -> list[Any]:
    A = _matrix(torch)
    L, pivots, info = torch.linalg.lu_factor_ex(A)
    return [attempt(lambda: L.mul_(2).sum().backward()), A.grad is None]


def hooks_and_undefined_gradients(torch: Any) -> list[Any]:
    values, vectors = torch.linalg.eigh(_matrix(torch))
    seen: list[Any] = []
    node = values.grad_fn
    values.register_hook(lambda grad: seen.append(["values", rounded(grad)]))
    vectors.register_hook(lambda grad: seen.append(["vectors", grad is None]))
    node.register_prehook(lambda grads: seen.append([g is None for g in grads]))
    node.register_hook(lambda ins, outs: seen.append([len(ins), [g is None for g in outs]]))
    values.retain_grad()
    vectors.retain_grad()
    values.sum().backward()
    return [*seen, rounded(values.grad), vectors.grad is None]


def saved_results_are_packed(torch: Any) -> list[Any]:
    packed: list[Any] = []

    def pack(x: Any) -> Any:
        packed.append([list(x.shape), x.output_nr])
        return x

    A = _matrix(torch)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        U, S, Vh = torch.linalg.svd(A)
    (U * S @ Vh).sum().backward()
    return [sorted(packed), rounded(A.grad)]


def freed_results(torch: Any) -> list[str]:
    values, _ = torch.linalg.eigh(_matrix(torch))
    node = values.grad_fn
    values.sum().backward()
    return [attempt(lambda: node._saved_eigenvalues), attempt(lambda: values.sum().backward())]


def gradients_of_outputs(torch: Any) -> list[Any]:
    A = _matrix(torch)
    values, vectors = torch.linalg.eigh(A)
    loss = (values * values).sum() + vectors.abs().sum()
    return [rounded(g.abs()) for g in torch.autograd.grad(loss, [values, vectors, A])]


def three_orders(torch: Any) -> Any:
    A = _matrix(torch)
    values, _ = torch.linalg.eigh(A)
    (first,) = torch.autograd.grad((values**3).sum(), A, create_graph=True)
    (second,) = torch.autograd.grad((first**2).sum(), A, create_graph=True)
    return rounded(torch.autograd.grad((second**2).sum(), A)[0], 3)


def phases_are_refused(torch: Any) -> list[str]:
    z = torch.tensor([[1, 2j], [-2j, 4]], dtype=torch.complex128, requires_grad=True)
    turned = torch.tensor([[1.0, 2], [-3, 1]], dtype=torch.float64, requires_grad=True)
    return [
        attempt(lambda: (torch.linalg.svd(z + 1)[0].sum() * 1j).real.backward()),
        attempt(lambda: (torch.linalg.eigh(z)[1].sum() * 1j).real.backward()),
        attempt(lambda: (torch.linalg.eig(turned)[1].sum() * 1j).real.backward()),
    ]


def printed(torch: Any) -> list[str]:
    eye = torch.eye(1)
    return [repr(torch.linalg.eigh(eye)), repr(torch.linalg.inv_ex(eye)), repr(torch.slogdet(eye))]
