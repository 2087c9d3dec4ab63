"""Custom Functions: what they may return and mark, and what an error in them leaves behind."""

from typing import Any

import pytest

import seegrad as torch
from seegrad.autograd import Function
from seegrad.autograd.function import once_differentiable


def leaf(*values: float) -> Any:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


class Product(Function):
    """Two outputs, keyword-free, saved inputs."""

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return a * b, a + b

    @staticmethod
    def backward(ctx: Any, product: Any, total: Any) -> Any:
        a, b = ctx.saved_tensors
        return product * b + total, product * a + total


def test_two_outputs_of_one_node() -> None:
    a, b = leaf(2), leaf(5)
    product, total = Product.apply(a, b)
    assert product.grad_fn is total.grad_fn
    assert (product.output_nr, total.output_nr) == (0, 1)
    assert product.grad_fn.name() == "ProductBackward"
    (product + 10 * total).backward()
    assert a.grad.tolist() == [15.0]
    assert b.grad.tolist() == [12.0]


def test_unused_output_is_materialised() -> None:
    a, b = leaf(2), leaf(5)
    Product.apply(a, b)[1].backward()
    assert a.grad.tolist() == b.grad.tolist() == [1.0]


def test_unused_output_as_none() -> None:
    seen: list[Any] = []

    class Keeps(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx: Any, first: Any, second: Any) -> Any:
            seen.append(first)
            return second * 3

    x = leaf(1)
    Keeps.apply(x)[1].backward()
    assert seen == [None]
    assert x.grad.tolist() == [3.0]


def test_second_derivative_through_saved_inputs() -> None:
    a, b = leaf(2), leaf(5)
    product, _ = Product.apply(a, b)
    (to_a,) = torch.autograd.grad(product, a, create_graph=True)
    (mixed,) = torch.autograd.grad(to_a, b)
    assert mixed.tolist() == [1.0]


class Exponential(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (result,) = ctx.saved_tensors
        return grad * result


def test_saved_output_is_tied_to_its_node() -> None:
    x = leaf(0.5, 1)
    y = Exponential.apply(x)
    (saved,) = y.grad_fn.saved_tensors
    assert saved is not y
    assert saved.grad_fn is y.grad_fn
    value = y
    for _ in range(3):
        (value,) = torch.autograd.grad(value.sum(), x, create_graph=True)
    assert torch.allclose(value, x.exp())


def test_saved_output_that_was_written_to() -> None:
    y = Exponential.apply(leaf(1))
    total = y.sum()
    y.add_(1)
    with pytest.raises(RuntimeError, match="which is output 0 of Exponential, is at version 1"):
        total.backward()


def test_saved_values_are_freed_and_attributes_stay() -> None:
    class Scales(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, factor: float) -> Any:
            ctx.factor = factor
            ctx.save_for_backward(x, None)
            return x * factor

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            assert ctx.saved_tensors[1] is None
            return grad * ctx.factor, None

    x = leaf(1)
    y = Scales.apply(x, 3.0)
    assert y.grad_fn.next_functions == ((x.view_as(x).grad_fn.next_functions[0][0], 0),)
    y.backward()
    assert y.grad_fn.factor == 3.0
    with pytest.raises(RuntimeError, match="a second time"):
        y.grad_fn.saved_tensors
    assert x.grad.tolist() == [3.0]


# Inputs written to, returned, viewed


class Increment(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 10


def test_dirty_input_is_the_output() -> None:
    x = leaf(1, 2)
    y = x * 2
    before = y.grad_fn
    z = Increment.apply(y)
    assert z is y
    assert y.grad_fn.name() == "IncrementBackward"
    assert y.grad_fn.next_functions == ((before, 0),)
    assert y._version == 2  # once by `add_`, once by `mark_dirty`
    y.sum().backward()
    assert y.tolist() == [3.0, 5.0]
    assert x.grad.tolist() == [20.0, 20.0]


def test_dirty_leaf_is_refused_but_written() -> None:
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        Increment.apply(leaf(1))


def test_dirty_view_rewrites_its_base() -> None:
    x = leaf(1, 2)
    y = x * 1
    Increment.apply(y[0:1])
    assert type(y.grad_fn).__name__ == "CopySlices"
    y.sum().backward()
    assert y.tolist() == [2.0, 2.0]
    assert x.grad.tolist() == [10.0, 1.0]


def test_dirty_without_gradient() -> None:
    x = torch.ones(2)
    assert Increment.apply(x) is x
    assert x.tolist() == [2.0, 2.0]
    assert x.grad_fn is None


class Same(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 7


def test_returned_input_is_another_tensor_of_the_same_memory() -> None:
    x = leaf(1, 2)
    y = Same.apply(x)
    assert y is not x
    assert y.data_ptr() == x.data_ptr()
    y.sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]
    with pytest.raises(RuntimeError, match="created inside a custom Function"):
        y.add_(1)


def test_returned_view_of_an_input() -> None:
    class Head(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x[:1]

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return torch.cat([grad, torch.zeros(1, dtype=torch.float64)])

    x = leaf(1, 2)
    y = Head.apply(x)
    assert y._is_view()
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 0.0]
    z = Head.apply(leaf(1, 2) * 1)
    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        z.mul_(2)


def test_non_differentiable_output() -> None:
    class Ranks(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            values, places = x.sort()
            ctx.mark_non_differentiable(places)
            ctx.save_for_backward(places)
            return values, places

        @staticmethod
        def backward(ctx: Any, grad: Any, _: Any) -> Any:
            (places,) = ctx.saved_tensors
            return torch.zeros_like(grad).index_add(0, places, grad)

    x = leaf(3, 1, 2)
    values, places = Ranks.apply(x)
    assert places.tolist() == [1, 2, 0]
    assert not places.requires_grad
    (values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [100.0, 1.0, 10.0]


# How forward and backward are called


def test_forward_does_not_record_and_backward_only_when_asked() -> None:
    modes: list[bool] = []

    class Watches(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            modes.append(torch.is_grad_enabled())
            assert x.requires_grad
            assert (x * 2).grad_fn is None
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            modes.append(torch.is_grad_enabled())
            return grad * 2

    x = leaf(1)
    torch.autograd.grad(Watches.apply(x), x)
    torch.autograd.grad(Watches.apply(x), x, create_graph=True)
    assert modes == [False, False, False, True]
    with torch.no_grad():
        assert Watches.apply(x).grad_fn is None


def test_context_set_up_apart() -> None:
    class Cube(Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x**3, 3 * x**2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            (x,) = inputs
            result, slope = output
            ctx.mark_non_differentiable(slope)
            ctx.save_for_backward(x, slope)

        @staticmethod
        def backward(ctx: Any, grad: Any, _: Any) -> Any:
            _, slope = ctx.saved_tensors
            return grad * slope

    x = leaf(2)
    result, slope = Cube.apply(x)
    result.backward()
    assert (result.item(), slope.item(), x.grad.item()) == (8.0, 12.0, 12.0)


def test_subclass_that_overrides_apply() -> None:
    class Named(Same):
        @classmethod
        def apply(cls, x: Any, *, factor: float = 1.0) -> Any:
            return super().apply(x) * factor

    x = leaf(1)
    Named.apply(x, factor=2.0).backward()
    assert x.grad.tolist() == [14.0]


def test_needs_input_grad() -> None:
    seen: list[Any] = []

    class Asks(Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
            seen.append(ctx.needs_input_grad)
            return a * b

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            seen.append(ctx.needs_input_grad)
            return grad, None, None

    Asks.apply(leaf(1), torch.ones(1), "text").backward()
    assert seen == [(True, False, False)] * 2


def test_one_tensor_given_twice() -> None:
    x = leaf(3)
    product, total = Product.apply(x, x)
    (product + total).backward()
    assert x.grad.tolist() == [8.0]


def test_broadcast_gradient_is_summed() -> None:
    class Wide(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.expand(3, 2).clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    x = leaf(1, 2)
    Wide.apply(x).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_once_differentiable() -> None:
    class Once(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            assert not torch.is_grad_enabled()
            return grad * 2

    x = leaf(1)
    y = Once.apply(x)
    (grad,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    assert grad.item() == 8.0
    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        grad.backward()


# Errors


def test_error_in_forward_leaves_no_trace() -> None:
    class Bad(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            raise ValueError("in forward")

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    x = leaf(1)
    with pytest.raises(ValueError, match="in forward"):
        Bad.apply(x)
    assert torch.is_grad_enabled()
    assert x._version == 0
    (x * 2).backward()
    assert x.grad.tolist() == [2.0]


def answering(answer: Any) -> Any:
    class Answers(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return answer(grad)

    return Answers


@pytest.mark.parametrize(
    "answer, text",
    [
        (lambda g: (g, g), "incorrect number of gradients (expected 1, got 2)"),
        (lambda g: torch.ones(3), "invalid gradient at index 0 - got [3]"),
        (lambda g: 1.0, "expected Variable or None (got float)"),
    ],
)
def test_wrong_answers(answer: Any, text: str) -> None:
    x = leaf(1, 2)
    with pytest.raises(RuntimeError) as caught:
        answering(answer).apply(x).sum().backward()
    assert text in str(caught.value)
    assert x.grad is None


def test_extra_none_is_allowed() -> None:
    x = leaf(1)
    answering(lambda g: (g, None, None)).apply(x).backward()
    assert x.grad.tolist() == [1.0]


def test_gradient_of_another_dtype_is_cast() -> None:
    x = leaf(1)
    answering(lambda g: g.float()).apply(x).backward()
    assert x.grad.dtype == torch.float64


def test_calling_it_another_way() -> None:
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        made = Same()
    with pytest.raises(RuntimeError, match="Legacy autograd function"):
        made(leaf(1))
    with pytest.raises(TypeError):
        Same.apply(leaf(1), leaf(2))


def test_deep_chain_of_functions() -> None:
    x = leaf(1)
    y = x
    for _ in range(3000):
        y = answering(lambda g: g).apply(y) if y is x else Increment.apply(y * 1)
    y.backward(torch.zeros(1, dtype=torch.float64))
    assert x.grad.tolist() == [0.0]
