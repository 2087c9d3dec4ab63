"""Inference mode: which tensors are inference tensors, and what is refused to them."""

import copy
import threading
from collections.abc import Iterator
from typing import Any

from tests.observe import attempt


def _facts(tensor: Any) -> list[Any]:
    """What tells an inference tensor from a normal one; how often it was written to does not."""
    counted = attempt(lambda: tensor._version >= 0)
    leaf = attempt(lambda: tensor.is_leaf)
    return [tensor.is_inference(), tensor.requires_grad, leaf, tensor._is_view(), counted]


def _inferred(torch: Any, requires_grad: bool = False) -> Any:
    """An inference tensor."""
    with torch.inference_mode():
        return torch.ones(2, 2, requires_grad=requires_grad)


def _normal(torch: Any, requires_grad: bool = True) -> Any:
    """A non-leaf, or a tensor without history."""
    return torch.ones(2, 2, requires_grad=requires_grad).clone()


def the_flag(torch: Any) -> Any:
    seen = [torch.is_inference_mode_enabled(), torch.is_grad_enabled()]
    with torch.inference_mode():
        seen += [torch.is_inference_mode_enabled(), torch.is_grad_enabled()]
        with torch.inference_mode(False):
            seen += [torch.is_inference_mode_enabled(), torch.is_grad_enabled()]
            seen += _facts(torch.ones(1))
            with torch.inference_mode(mode=True):
                seen += [torch.is_inference_mode_enabled(), torch.is_grad_enabled()]
            seen += [torch.is_inference_mode_enabled(), torch.is_grad_enabled()]
        with torch.inference_mode():
            pass
        seen += [torch.is_inference_mode_enabled(), torch.is_grad_enabled()]
    return [*seen, torch.is_inference_mode_enabled(), torch.is_grad_enabled()]


def beside_no_grad(torch: Any) -> Any:
    seen = []
    with torch.no_grad():
        with torch.inference_mode(False):
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
        with torch.inference_mode():
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())
    with torch.inference_mode():
        with torch.no_grad():
            seen.append(_facts(torch.ones(1)))
        seen.append(torch.is_grad_enabled())
    return seen


def beside_enable_grad(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode(), torch.enable_grad():
        print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())
        print(_facts(x * 2), _facts(x.view(-1)), _facts(torch.ones(1)))
        print(_facts((x * 2).requires_grad_() * 3))
        with torch.no_grad():
            print(torch.is_grad_enabled())
        torch.set_grad_enabled(False)
        print(torch.is_grad_enabled())
        torch.set_grad_enabled(True)
        print(torch.is_grad_enabled())
    print(torch.is_grad_enabled(), (x * 2).requires_grad)


def a_function_decorated(torch: Any) -> Any:
    made = []
    for decorator in (torch.inference_mode, torch.inference_mode(), torch.inference_mode(False)):

        @decorator
        def called(value: Any) -> Any:
            "What it says."
            return value + 1, torch.is_inference_mode_enabled(), torch.is_grad_enabled()

        result, *modes = called(torch.ones(1))
        made.append([result.is_inference(), *modes, called.__name__, called.__doc__])
    return [*made, torch.is_inference_mode_enabled()]


def a_generator_decorated(torch: Any) -> Any:
    @torch.inference_mode()
    def steps() -> Iterator[Any]:
        yield torch.is_inference_mode_enabled()
        with torch.inference_mode(False):
            yield torch.is_inference_mode_enabled()
        yield torch.is_inference_mode_enabled()

    seen = []
    for inside in steps():
        seen += [inside, torch.is_inference_mode_enabled()]
    return seen


def a_class_decorated(torch: Any) -> Any:
    @torch.inference_mode()
    class Made:
        def __init__(self) -> None:
            self.inside = torch.is_inference_mode_enabled()

        def asked(self) -> Any:
            return torch.is_inference_mode_enabled()

    made = Made()
    return [made.inside, made.asked()]


def a_recursion_decorated(torch: Any) -> Any:
    @torch.inference_mode()
    def down(depth: int) -> list[Any]:
        return [torch.is_inference_mode_enabled(), *(down(depth - 1) if depth else [])]

    return down(2)


def wrong_arguments(torch: Any) -> Any:
    print(attempt(lambda: torch.is_inference(1)))
    print(repr(torch.inference_mode().clone().mode), torch.inference_mode(False).mode)


def each_thread_has_its_own(torch: Any) -> Any:
    seen: list[Any] = []
    with torch.inference_mode():
        thread = threading.Thread(target=lambda: seen.extend(_facts(torch.ones(1))))
        thread.start()
        thread.join()
        seen.append(torch.is_inference_mode_enabled())
    return seen


def an_error_leaves_the_block(torch: Any) -> Any:
    def fails() -> None:
        with torch.inference_mode():
            raise ValueError("inside")

    return [attempt(fails), torch.is_inference_mode_enabled()]


def what_creation_makes(torch: Any) -> Any:
    kept = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        made = {
            "ones": torch.ones(2),
            "requires": torch.ones(2, requires_grad=True),
            "tensor": torch.tensor([1.0, 2.0], requires_grad=True),
            "integers": torch.arange(3),
            "bools": torch.ones(2) > 0,
            "half": torch.ones(2, dtype=torch.float16) * 2,
            "complex": torch.ones(2, dtype=torch.complex64) + 1,
            "random": torch.rand(2),
            "normal": torch.randn(2),
            "zeros_like": torch.zeros_like(kept),
            "empty": torch.empty(2),
            "full": torch.full((2,), 1.5),
            "linspace": torch.linspace(0, 1, 3),
            "eye": torch.eye(2),
            "numpy": torch.from_numpy(torch.ones(2).numpy()),
            "as_tensor": torch.as_tensor([1.0]),
            "new_zeros": kept.new_zeros(2),
            "legacy": torch.Tensor([1.0]),
            "number": kept * 2,
            "left": 2 - kept,
            "unary": kept.exp(),
            "binary": kept * kept,
            "matmul": kept @ kept,
            "cat": torch.cat([kept, kept]),
            "stack": torch.stack([kept, kept]),
            "max": torch.ones(2, 2).max(0).values,
            "indices": torch.ones(2, 2).max(0).indices,
            "sum": kept.sum(),
            "where": torch.where(kept > 0, kept, kept),
            "item": kept[torch.tensor([0])],
            "clone": kept.clone(),
            "to": kept.to(torch.float64),
            "contiguous": torch.ones(2, 2).t().contiguous(),
            "softmax": torch.softmax(kept, 0),
            "dropout": torch.nn.functional.dropout(kept, 0.0),
        }
        print({name: _facts(tensor) for name, tensor in made.items()})
        print(torch.is_inference(kept), torch.is_inference(made["ones"]))
    print({name: tensor.is_inference() for name, tensor in made.items()})


def what_stays_normal_inside(torch: Any) -> Any:
    base = torch.ones(2, 2)
    leaf = torch.ones(2, 2, requires_grad=True)
    with torch.inference_mode():
        for kept in (base, leaf, leaf.detach(), leaf.data, base.data, base.detach()):
            print(_facts(kept))
        for same in (base.contiguous(), base.to(torch.float32), base.float(), base.cpu()):
            print(same is base, same.is_inference())
        print(_facts(base.requires_grad_()))
        print(_facts(torch.as_tensor(leaf)))
        print(attempt(lambda: leaf.requires_grad_(False).requires_grad))


def detached_and_data(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        print(_facts(made.detach()), _facts(made.data), _facts(made.clone()))
        print(_facts(made.view(-1).detach()))
        with torch.inference_mode():
            print(_facts(made.detach()), _facts(made.data), _facts(made.clone()))
    made = _inferred(torch)
    print(attempt(lambda: made.detach_()))
    print(attempt(lambda: made.data.add_(1)))
    print(attempt(lambda: made.detach().add_(1)))
    x = torch.ones(2, 2)
    x.data = made
    print(_facts(x))
    print(attempt(lambda: x.add_(1)))


def functional_inside(torch: Any) -> Any:
    for requires in (False, True):
        with torch.inference_mode():
            made = torch.ones(2, 2, requires_grad=requires)
            print(_facts(made), _facts(made * made), _facts(made + 1), _facts(made.sum()))


def functional_outside(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        for result in (made * made, made + 1, made.exp(), made.sum(), torch.cat([made, made])):
            print(_facts(result), result.grad_fn)
        print(_facts(2 * made), _facts(made @ made), _facts(made > 0), _facts(made.int()))
        print(_facts(made.double()), _facts(made.max(0).values))
        print([_facts(one) for one in torch.unbind(made)])


def in_place_inside(torch: Any) -> Any:
    for requires in (False, True):
        with torch.inference_mode():
            made = torch.ones(2, 2, requires_grad=requires)
            print(attempt(lambda: made.mul_(made)))
            print(attempt(lambda: made.add_(1)))
            print(attempt(lambda: made.zero_()))
            print(attempt(lambda: made.copy_(torch.ones(2, 2) * 3)))
            made[0] = 7
            made[1, 1] = made[0, 0] * 2
            made += 1
            print(made, _facts(made))


def in_place_outside(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        ways = [
            lambda: made.mul_(made), lambda: made.mul_(torch.ones(2, 2)), lambda: made.add_(1),
            lambda: made.zero_(), lambda: made.fill_(3), lambda: made.exp_(),
            lambda: made.copy_(torch.ones(2, 2)), lambda: made.__setitem__(0, 5),
            lambda: made.__setitem__((0, 0), 5.0), lambda: made.masked_fill_(made > 0, 5),
            lambda: made.t_(), lambda: made.unsqueeze_(0), lambda: made.squeeze_(),
            lambda: made.index_add_(0, torch.tensor([0]), torch.ones(1, 2)),
            lambda: made.index_put_((torch.tensor([0]),), torch.ones(1, 2)),
            lambda: made.clamp_(0), lambda: made.__iadd__(1),
            lambda: torch.add(made, 1, out=made), lambda: torch.nn.init.ones_(made),
            lambda: made.sub_(made),
            lambda: torch.nn.functional.relu_(made),
            lambda: made.scatter_(0, torch.zeros(1, 2, dtype=torch.int64), 9.0),
        ]  # fmt: skip
        if not requires:
            ways += [made.uniform_, made.normal_, made.random_, made.bernoulli_]
        for number, way in enumerate(ways):
            print(number, attempt(way))
            with torch.no_grad():
                print(number, attempt(way))
        print(made)


def views_inside(torch: Any) -> Any:
    for requires in (False, True):
        with torch.inference_mode():
            made = torch.ones(2, 2, requires_grad=requires)
            for view in (made.view(-1), made[0], made.t(), made.expand(3, 2, 2), made.unbind()[0]):
                print(_facts(view), view._base)
            made.view(-1).add_(1)
            print(made)


def views_outside(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        for view in (made.view(-1), made[0], made.t(), made.expand(3, 2, 2), made.unbind()[0]):
            print(_facts(view), view._base, view.grad_fn)
        print(_facts(made.split(1)[1]), _facts(made.reshape(4)), _facts(made.view(-1).exp()))
        for grad in (True, False):
            with torch.set_grad_enabled(grad):
                print(attempt(lambda: made.view(-1).add_(1)))
                print(attempt(lambda: made[0].mul_(made[1])))
                print(attempt(lambda: made.split(1)[1].zero_()))
        with torch.inference_mode():
            print(attempt(lambda: made.view(-1).add_(1)), _facts(made.view(-1)))


def saved_for_backward(torch: Any) -> Any:
    x, c = torch.ones(2, 2, requires_grad=True), _inferred(torch)
    leaf = _inferred(torch, True)
    ways = [
        lambda: x * c, lambda: c * x, lambda: x / c, lambda: c / x, lambda: x @ c, lambda: c @ x,
        lambda: x**c, lambda: torch.where(c > 0, x, x).requires_grad, lambda: x * leaf,
        lambda: leaf * x, lambda: x.double() * c, lambda: torch.lerp(x, c, 0.5).requires_grad,
        lambda: torch.lerp(x, c, torch.ones(2, 2)).requires_grad,
        lambda: torch.addcmul(x, c, c).requires_grad,
        lambda: torch.addmm(x, c, c).requires_grad,
        lambda: torch.addmm(c, x, c).requires_grad,
        lambda: torch.nn.functional.linear(c, x).requires_grad,
        lambda: torch.nn.functional.linear(x, c).requires_grad,
        lambda: torch.nn.functional.mse_loss(x, c).requires_grad,
        lambda: torch.nn.functional.binary_cross_entropy(x, c),
        lambda: x.atan2(c), lambda: x[c.long()[0]],
        lambda: x.gather(0, c.long() * 0).requires_grad,
        lambda: x.masked_fill(c > 0, 3), lambda: torch.dot(x[0], c[0]),
        lambda: x.clone().mul_(c), lambda: x.clone().add_(c).requires_grad,
        lambda: torch.cat([x, c]).requires_grad, lambda: (x + c).requires_grad,
        lambda: (x - c).requires_grad, lambda: (leaf + 1).requires_grad,
        lambda: torch.einsum("ij,jk->ik", x, c), lambda: torch.maximum(x, c),
    ]  # fmt: skip
    for number, way in enumerate(ways):
        print(number, attempt(way))


def saved_indices_and_masks(torch: Any) -> Any:
    x = torch.ones(2, 2, requires_grad=True)
    with torch.inference_mode():
        index, mask, place = (
            torch.tensor([1]),
            torch.tensor([True, False]),
            torch.zeros(1, 2).long(),
        )
    print(attempt(lambda: x[index]))
    print(attempt(lambda: x[mask]))
    print(attempt(lambda: x.gather(0, place)))
    print(attempt(lambda: x.index_select(0, index)))
    print(attempt(lambda: x.masked_fill(mask, 2)))
    print(attempt(lambda: torch.where(mask, x, 0)))
    print(attempt(lambda: x.masked_select(mask)))
    print(attempt(lambda: torch.nn.functional.embedding(index, x)))
    print(attempt(lambda: torch.nn.functional.cross_entropy(x, place[0])))


def setting_requires_grad(torch: Any) -> Any:
    made = _inferred(torch)
    print(attempt(lambda: made.requires_grad_()))
    print(attempt(lambda: setattr(made, "requires_grad", True)))
    print(attempt(lambda: made.requires_grad_(False).requires_grad))
    print(attempt(lambda: made.view(-1).requires_grad_()))
    with torch.inference_mode():
        print(made.requires_grad_().requires_grad)
    print(made.requires_grad, made.grad)
    print(attempt(lambda: made.requires_grad_().requires_grad))
    print(attempt(lambda: made.requires_grad_(False).requires_grad))
    integers = _inferred(torch).int()
    print(attempt(lambda: integers.requires_grad_()))


def versions(torch: Any) -> Any:
    made, x = _inferred(torch), torch.ones(2)
    print(attempt(lambda: made._version))
    print(attempt(lambda: torch.autograd.graph.increment_version(made)))
    print(attempt(lambda: torch.autograd.graph.increment_version([x, made])), x._version)
    with torch.inference_mode():
        print(attempt(lambda: torch.autograd.graph.increment_version(made)))
        x.add_(1)
        print(x._version)
        x.view(-1).add_(1)
        print(x._version, attempt(lambda: torch.autograd.graph.increment_version(x)), x._version)

    def preserved() -> None:
        with torch.autograd._unsafe_preserve_version_counter(made):
            pass

    print(attempt(preserved))


def normal_in_place_inside(torch: Any) -> Any:
    for requires in (False, True):
        a, leaf = _normal(torch, requires), torch.ones(2, requires_grad=requires)
        made = _inferred(torch)
        with torch.inference_mode():
            print(attempt(lambda: a.add_(1)), _facts(a))
            print(attempt(lambda: a.mul_(made)), _facts(a))
            print(attempt(lambda: a.mul_(a)), _facts(a))
            print(attempt(lambda: leaf.add_(1)), _facts(leaf))
            print(attempt(lambda: a.__setitem__(0, 3)), _facts(a))
            print(attempt(lambda: leaf.zero_()), _facts(leaf))
            print(attempt(lambda: a.add_(1).view(-1)), _facts(a.add_(1).view(-1)))
        print(_facts(a), _facts(leaf), attempt(lambda: a.add_(1).sum().requires_grad))


def normal_saved_then_changed_inside(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    a = x * 2
    b = a * a
    with torch.inference_mode():
        a.add_(1)
    print(attempt(lambda: b.sum().backward()))


def out_variants(torch: Any) -> Any:
    made, a, b = _inferred(torch), torch.ones(2, 2), torch.ones(2, 2)
    print(attempt(lambda: torch.add(a, b, out=made)), made)
    print(attempt(lambda: torch.add(made, b, out=a)), _facts(a))
    with torch.inference_mode():
        print(attempt(lambda: torch.add(a, b, out=made)), _facts(made))
        print(attempt(lambda: torch.add(a, made, out=b)), _facts(b))


def views_of_normal_inside(torch: Any) -> Any:
    for requires in (False, True):
        a = _normal(torch, requires)
        with torch.inference_mode():
            for view in (a.view(-1), a[0], a.view(-1).view(2, 2), a.unbind()[0], a.detach()):
                print(_facts(view), view._base is a)
            view = a.view(-1)
            view.add_(1)
            print(_facts(view), _facts(a))
        print(_facts(view), attempt(lambda: view.grad_fn))
        print(attempt(lambda: view.add_(1)))
        print(attempt(lambda: view.view(2, 2).add_(1)))
        with torch.no_grad():
            print(attempt(lambda: view.add_(1)))
        print(attempt(lambda: (view * 2).requires_grad), attempt(lambda: view.sum().grad_fn))
        print(attempt(lambda: view.detach().add_(1)), attempt(lambda: view.detach_()))


def views_of_leaves_inside(torch: Any) -> Any:
    leaf = torch.ones(2, 2, requires_grad=True)
    with torch.inference_mode():
        view, row = leaf.view(-1), leaf.unbind()[0]
        print(attempt(lambda: view.add_(1)))
    for made in (view, row):
        print(_facts(made), attempt(lambda: made.grad_fn))
        print(attempt(lambda: made.add_(1)))
        print(attempt(lambda: (made * 2).sum().backward()), leaf.grad)


def view_directly_on_a_rebased_base(torch: Any) -> Any:
    for requires in (False, True):
        for operation in ("view", "expand"):
            a = torch.ones(2, 2, requires_grad=requires).clone()
            with torch.inference_mode():
                view = a.view(-1) if operation == "view" else a.expand(3, 2, 2)
            a.add_(2)
            print(_facts(a), _facts(view))
            print(attempt(lambda: view.add_(2)))
            print(attempt(lambda: view.grad_fn))
            with torch.inference_mode():
                print(attempt(lambda: view.grad_fn))


def view_of_a_view_on_a_rebased_base(torch: Any) -> Any:
    for requires in (False, True):
        a = torch.ones(2, 2, requires_grad=requires).clone()
        b = a.view(-1)
        with torch.inference_mode():
            c = b.view(-1)
            d = b.detach()
        a.add_(2)
        print(attempt(lambda: b.grad_fn), attempt(lambda: c.grad_fn), _facts(d))
        print(attempt(lambda: c.add_(2)))
        print(attempt(lambda: b.add_(2).grad_fn))
        print(attempt(lambda: c.grad_fn))


def mixed_functional(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        for other in (torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)):
            for way in (lambda a, b: a + b, lambda a, b: b + a, lambda a, b: torch.cat([a, b])):
                print(attempt(lambda: _facts(way(made, other))))
            print(attempt(lambda: _facts(made * other)))
            result = attempt(lambda: torch.autograd.grad((made + other).sum(), made))
            print(result)


def mixed_in_place(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        for a in (_normal(torch, False), _normal(torch, True)):
            print(attempt(lambda: _facts(a.add_(made))))
            print(attempt(lambda: _facts(a.mul_(made))))
            print(attempt(lambda: _facts(a.copy_(made))))
            print(attempt(lambda: _facts(made.add_(a))))
            print(attempt(lambda: _facts(made.mul_(a))))
            print(attempt(lambda: _facts(made.copy_(a))))
            a[0] = made[0]
            print(_facts(a), a.tolist())
        leaf = torch.ones(2, 2, requires_grad=True)
        print(attempt(lambda: leaf.add_(made)))


def mixed_views(torch: Any) -> Any:
    made, a = _inferred(torch), torch.ones(2, 2)
    print(_facts(made.view_as(a)), _facts(a.view_as(made)))
    print(_facts(made.expand_as(a)), _facts(made.type_as(a)), _facts(a.type_as(made)))


def backward_inside(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    with torch.inference_mode():
        loss.backward()
        print(_facts(x.grad), x.grad)
    print(_facts(x.grad))
    print(attempt(lambda: x.grad.add_(1)), attempt(lambda: x.grad.zero_()))
    y = (x * x).sum()
    print(attempt(lambda: y.backward()))
    x.grad = None
    z = (x * x).sum()
    with torch.inference_mode():
        (gradient,) = torch.autograd.grad(z, x)
        print(_facts(gradient))
        print(attempt(lambda: torch.ones(1, requires_grad=True).sum().backward()))
        print(attempt(lambda: (x * 2).sum().backward()))


def backward_inside_with_a_graph(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    loss = (x * x * x).sum()
    with torch.inference_mode():
        print(
            attempt(lambda: [_facts(g) for g in torch.autograd.grad(loss, x, create_graph=True)])
        )


def an_existing_graph(torch: Any) -> Any:
    s = torch.ones(2, 2, requires_grad=True)
    a = s.clone()
    with torch.inference_mode():
        a.add_(2)
        b = a.exp()
    print(_facts(a), _facts(b))
    print(attempt(lambda: a.sum().backward()), s.grad)
    print(attempt(lambda: a.mul_(3).sum().backward()))
    out = s.clone().tanh()
    with torch.inference_mode():
        out.add_(1)
    print(attempt(lambda: out.sum().backward()))


def gradients_of_inference_tensors(torch: Any) -> Any:
    made, x = _inferred(torch, True), torch.ones(2, 2, requires_grad=True)
    result = made + x
    print(result.requires_grad, result.grad_fn.next_functions[0][0] is not None)
    result.sum().backward()
    print(made.grad, x.grad, _facts(made.grad))
    print(attempt(lambda: made.register_hook(print)) != "")
    x.grad = None
    print(attempt(lambda: setattr(x, "grad", _inferred(torch))), _facts(x.grad))
    print(attempt(lambda: x.sum().backward()), x.grad)


def gradients_handed_in(torch: Any) -> Any:
    x = torch.ones(2, 2, requires_grad=True)
    made = _inferred(torch)
    print(attempt(lambda: (x * 2).backward(made)), _facts(x.grad))
    print(attempt(lambda: (x * 2).backward(made)), _facts(x.grad))
    y = x * 2
    print(attempt(lambda: torch.autograd.grad(y, x, made)))
    print(attempt(lambda: torch.autograd.grad(x * x, x, made, create_graph=True)))


def custom_functions(torch: Any) -> Any:
    class Double(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2, None

    x, made = torch.ones(2, 2, requires_grad=True), _inferred(torch)
    print(attempt(lambda: _facts(Double.apply(x, made))))
    print(attempt(lambda: _facts(Double.apply(x, x))))
    print(attempt(lambda: _facts(Double.apply(made, made))))
    print(attempt(lambda: _facts(Double.apply(made, torch.ones(1)))))
    with torch.inference_mode():
        print(attempt(lambda: _facts(Double.apply(x, made))))
        print(attempt(lambda: _facts(Double.apply(made, made))))


def layers(torch: Any) -> Any:
    with torch.inference_mode():
        inside = torch.nn.Linear(2, 1)
        parameter = torch.nn.Parameter(torch.ones(2))
        print([_facts(p) for p in inside.parameters()], _facts(parameter))
        print(_facts(inside(torch.ones(1, 2))))
    outside = torch.nn.Linear(2, 1)
    kept = torch.ones(1, 2)
    print(attempt(lambda: _facts(inside(kept))))
    print(attempt(lambda: _facts(inside(kept.clone().requires_grad_()))))
    print(attempt(lambda: _facts(outside(_inferred(torch)))))
    print(attempt(lambda: inside.weight.data.add_(1)))
    print(attempt(lambda: torch.nn.Parameter(_inferred(torch)).requires_grad))
    print(
        attempt(lambda: torch.nn.Parameter(_inferred(torch), requires_grad=False).is_inference())
    )
    print(attempt(lambda: inside.zero_grad()))
    with torch.inference_mode():
        print(_facts(outside(kept)), _facts(outside(_inferred(torch))))
        print(attempt(lambda: torch.nn.init.zeros_(inside.weight)))
        print(attempt(lambda: torch.nn.Parameter(kept).is_inference()))
    print(attempt(lambda: outside.load_state_dict(inside.state_dict())))
    print(attempt(lambda: inside.load_state_dict(outside.state_dict())))


def copies(torch: Any) -> Any:
    for requires in (False, True):
        made = _inferred(torch, requires)
        print(_facts(copy.copy(made)), attempt(lambda: _facts(copy.deepcopy(made))))
        with torch.inference_mode():
            print(_facts(copy.deepcopy(made)), _facts(copy.deepcopy(torch.ones(1))))
            kept = torch.ones(2)
        print(_facts(kept.clone()), _facts(torch.tensor(kept.tolist())), kept.numpy().tolist())
        print(_facts(torch.as_tensor(kept)), _facts(kept.to(torch.float64)), kept.tolist())


def threads_of_backward(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append((torch.is_inference_mode_enabled(), g.is_inference())))
    with torch.inference_mode():
        y.backward(torch.ones(2))
    x.grad = None
    y = x * 2
    y.register_hook(lambda g: seen.append((torch.is_inference_mode_enabled(), g.is_inference())))
    y.sum().backward()
    return seen


def printed(torch: Any) -> Any:
    made = _inferred(torch)
    print(made, _inferred(torch, True), made.view(-1))


def in_place_results_that_are_saved(torch: Any) -> Any:
    x = torch.ones(2, 2, requires_grad=True)
    print(attempt(lambda: x.exp().add_(_inferred(torch)).sum().backward()))
    print(attempt(lambda: torch.exp(_inferred(torch, True)).requires_grad))


def functions_that_return_their_input(torch: Any) -> Any:
    def function(give: Any) -> Any:
        class Made(torch.autograd.Function):  # type: ignore[misc, name-defined]
            @staticmethod
            def forward(ctx: Any, x: Any, y: Any) -> Any:
                return give(ctx, x, y)

            @staticmethod
            def backward(ctx: Any, grad: Any, *more: Any) -> Any:
                return grad * 3, None

        return Made.apply

    def dirty(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(y)
        return y.add_(1)

    def marked(ctx: Any, x: Any, y: Any) -> Any:
        ctx.mark_dirty(y)
        return y

    def seen(outs: Any) -> Any:
        return [_facts(out) for out in (outs if isinstance(outs, tuple) else (outs,))]

    gives = {
        "as it is": lambda ctx, x, y: y, "view": lambda ctx, x, y: y.view(-1),
        "detached": lambda ctx, x, y: y.detach(), "dirty": dirty, "marked": marked,
        "both": lambda ctx, x, y: (x, y), "clone": lambda ctx, x, y: y.clone(),
    }  # fmt: skip
    for name, give in gives.items():
        for requires in (False, True):
            made, x = _inferred(torch, requires), torch.ones(2, 2, requires_grad=True)
            for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
                with mode():
                    print(name, requires, mode.__name__)
                    print(attempt(lambda: seen(function(give)(x, made))))


def beside_other_modes(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    seen: list[Any] = []
    hooks = torch.autograd.graph.saved_tensors_hooks

    def pack(tensor: Any) -> Any:
        seen.append(tensor.is_inference())
        return tensor

    with torch.inference_mode():
        with hooks(pack, lambda packed: packed):
            seen.append(_facts(x * x))
            with torch.inference_mode(False):
                seen.append(_facts(x * x))
            seen.append(_facts(x * x))
        with torch.autograd.detect_anomaly(check_nan=False), torch.enable_grad():
            seen.append(_facts(x * x))
        seen.append(_facts(x * x))
    with hooks(pack, lambda packed: packed):
        with torch.inference_mode():
            seen.append(_facts(x * x))
        seen.append(_facts(x * x))
        with torch.inference_mode(), torch.autograd._force_original_view_tracking(True):
            seen.append(_facts(x.view(-1)))
    seen.append(_facts(x * x))
    return seen


def training_after_inference(torch: Any) -> Any:
    torch.manual_seed(0)
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    data = torch.ones(3, 2)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = (model(data) ** 2).mean()
        loss.backward()
        optimizer.step()
        with torch.inference_mode():
            losses.append(round((model(data) ** 2).mean().item(), 4))
    print(losses, [_facts(p) for p in model.parameters()])
    with torch.inference_mode():
        print(attempt(lambda: optimizer.step()))
        optimizer.zero_grad(set_to_none=False)
    print(
        [_facts(p.grad) for p in model.parameters()], [p._version > 2 for p in model.parameters()]
    )


def random_functions_and_losses(torch: Any) -> Any:
    functional = torch.nn.functional
    x, target = torch.ones(3, 4, requires_grad=True), torch.tensor([0, 1, 2])
    with torch.inference_mode():
        made = [
            functional.cross_entropy(x, target), functional.relu(x), functional.gelu(x),
            functional.softmax(x, 1), functional.dropout(x, 0.5), functional.linear(x, x),
            functional.one_hot(target, 4), functional.pad(x, (1, 1)), torch.sort(x).values,
            torch.topk(x, 2).indices, x.norm(), x.std(), torch.bernoulli(x), torch.argmax(x),
            torch.unique(target), torch.nonzero(target), x.tolist() and x.cumsum(0),
            torch.einsum("ij,ij->i", x, x), torch.where(x > 0)[0], x[x > 0], x[target, target],
            torch.meshgrid(target, target, indexing="ij")[0].contiguous(), torch.linspace(0, 1, 3),
            x.new_tensor([1.0]), torch.zeros_like(x, requires_grad=True), torch.rand_like(x),
            functional.embedding(target, x), x.repeat(2, 1), x.flip(0), torch.tril(x), x.var(0),
        ]  # fmt: skip
        views = [
            x.chunk(2)[0],
            x.flatten()[1:],
            x.T,
            x.mT,
            x.diagonal(),
            x.squeeze(),
            x.view_as(x),
        ]
    print([tensor.is_inference() for tensor in made])
    print([tensor.requires_grad for tensor in made])
    print([_facts(view) for view in views])


def detached_in_place(torch: Any) -> Any:
    for requires in (False, True):
        leaf = torch.ones(2, requires_grad=requires)
        made = leaf.clone()
        tensors = [leaf, made, made[:], _inferred(torch, requires), _inferred(torch, requires)[:]]
        for mode in (torch.inference_mode, torch.no_grad, torch.enable_grad):
            with mode():
                for tensor in tensors:
                    done = attempt(lambda: tensor.detach_() is tensor)
                    print(done[:60], tensor.requires_grad)


def memory_that_overlaps(torch: Any) -> Any:
    for mode in (torch.enable_grad, torch.no_grad, torch.inference_mode):
        with mode():
            x = torch.ones(2, 2)
            print(attempt(lambda: x.mul_(x[0])), attempt(lambda: x.add_(x.data[:1])))
            print(attempt(lambda: x[0].add_(x[1])), attempt(lambda: x.add_(x)))
            print(attempt(lambda: x.view(-1)[1:].copy_(x.view(-1)[:3])))
