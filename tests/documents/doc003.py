"""What a walk through PyTorch's differentiation does: errors, accumulation, repr, saved values."""

from typing import Any

from tests.observe import attempt, edges, rounded


def backward_of_a_plain_tensor(torch: Any) -> str:
    return attempt(lambda: torch.Tensor([1, 2, 3]).backward())


def backward_of_several_elements(torch: Any) -> str:
    a = torch.Tensor([1, 2, 3])
    a.requires_grad = True
    return attempt(lambda: a.backward())


def elements_are_counted(torch: Any) -> Any:
    return [torch.Tensor([1, 2, 3]).numel(), torch.ones(2, 3).numel(), torch.tensor(1.0).numel()]


def gradients_accumulate(torch: Any) -> Any:
    a = torch.Tensor([1, 2, 3])
    a.requires_grad = True
    b = a.sum()
    b.backward()
    print(a.grad)
    first = a.grad
    b.backward()
    print(a.grad)
    return a.grad is first


def zeroing_between_steps(torch: Any) -> Any:
    a = torch.Tensor([1, 2, 3])
    a.requires_grad = True
    optimizer = torch.optim.SGD([a], lr=0.5)
    (a * a).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    print(a.grad)
    a.sum().backward()
    print(a, a.grad)


def product_is_printed_with_its_node(torch: Any) -> Any:
    a, b = torch.Tensor([4]), torch.Tensor([3])
    a.requires_grad = True
    c = a * b
    print(c)
    print(a, b, c.grad_fn)
    return edges(c.grad_fn)


def only_what_is_needed_is_saved(torch: Any) -> Any:
    a, b = torch.Tensor([4]), torch.Tensor([3])
    a.requires_grad = True
    node = (a * b).grad_fn
    print(node._saved_self, node._saved_other, sep=", ")
    both = (a * a).grad_fn
    return [node._saved_other is b, both._saved_self is a, both._saved_other is a]


def saved_names_are_listed(torch: Any) -> Any:
    a = torch.ones(2, requires_grad=True)
    nodes = [(a * 2).grad_fn, a.exp().grad_fn, (a**3).grad_fn, a.sum(0).grad_fn]
    return [[name for name in dir(node) if name.startswith("_saved")] for node in nodes]


def saved_values_are_freed(torch: Any) -> Any:
    a = torch.tensor([2.0], requires_grad=True)
    b = a * a
    b.backward()
    return [attempt(lambda: b.grad_fn._saved_self), attempt(lambda: b.backward()), rounded(a.grad)]


def gradients_of_a_product(torch: Any) -> Any:
    a = torch.Tensor([4]).requires_grad_()
    b = torch.Tensor([3]).requires_grad_()
    (a * b).backward()
    return [rounded(a.grad), rounded(b.grad)]


def tensors_of_the_old_constructor(torch: Any) -> Any:
    made = [torch.Tensor([1, 2, 3]), torch.Tensor(2, 3).shape, torch.Tensor().shape]
    print(made[0], made[0].dtype, made[0].requires_grad)
    return [list(made[1]), list(made[2])]
