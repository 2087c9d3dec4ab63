"""`torch.func`: grad, grad_and_value, vjp, jacrev, hessian, and what they show of each other."""

import inspect
import warnings
from collections import OrderedDict, namedtuple
from typing import Any

from tests.observe import attempt

Pair = namedtuple("Pair", "a b")


def _try(*functions: Any) -> None:
    for function in functions:
        print(attempt(function))


def _hessian(torch: Any) -> Any:
    """`torch.func.hessian`, without what PyTorch warns of its own modules at the first call."""

    def hessian(*args: Any, **options: Any) -> Any:
        def silent(*inputs: Any) -> Any:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return torch.func.hessian(*args, **options)(*inputs)

        return silent

    return hessian


def gradients_of_one_number(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor([1.0, 2.0])
    _try(
        lambda: grad(lambda t: (t**2).sum())(x),
        lambda: grad(lambda t: t**2)(x),
        lambda: grad(lambda t: 3.0)(x),
        lambda: grad(lambda t: [t.sum()])(x),
        lambda: grad(lambda t: torch.tensor(3))(x),
        lambda: grad(lambda t: (t * (1 + 1j)).sum())(x),
        lambda: grad(lambda t: t.sum())(torch.tensor([1, 2])),
        lambda: grad(lambda t: t.sum())(3.0),
        lambda: grad(lambda a, b=None: (a * b).sum())(x, b=x),
        lambda: grad(lambda t: (t * 3.3).sum())(x.to(torch.bfloat16)),
        lambda: grad(lambda t: (t.abs() ** 2).sum())(torch.tensor([1 + 2j, 3 - 1j])),
        lambda: grad(grad(grad(lambda t: t**4)))(torch.tensor(2.0)),
    )


def which_arguments(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    for argnums in (
        0,
        1,
        -1,
        2,
        -3,
        (0, 1),
        (1, 0),
        (1,),
        (0, 0),
        (),
        [0],
        1.0,
        (0, 1.0),
        (0, -2),
    ):
        _try(lambda: torch.func.grad(lambda t, u: (t * u * u).sum(), argnums=argnums)(x, x))
        _try(lambda: torch.func.jacrev(lambda t, u: t * u * u, argnums=argnums)(x, x))
    _try(lambda: torch.func.grad(lambda t: t.sum())())


def trees(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor([1.0, 2.0])
    _try(
        lambda: grad(lambda d: (d["a"] * d["b"][0]).sum())({"a": x, "b": [x, x]}),
        lambda: grad(lambda d: d["a"].sum())({"a": x, "b": [x, 3]}),
        lambda: grad(lambda d: d["a"].sum())({"a": x, "b": None}),
        lambda: grad(lambda d: d["a"].sum())({"a": x, "b": ()}),
        lambda: grad(lambda p: (p.a * p.b).sum())(Pair(x, x)),
        lambda: grad(lambda p: p["a"].sum())(OrderedDict(a=x)),
        lambda: grad(lambda p: p[0].sum())((x, x)),
        lambda: torch.func.jacrev(lambda a: {"u": a * 2, "v": [a.sum()]})(x),
        lambda: torch.func.jacrev(lambda d: (d["a"] * 2, d["a"].sum()))({"a": x, "b": x}),
        lambda: _hessian(torch)(lambda d: (d["a"] * d["b"]).sum())({"a": x, "b": x}),
    )


def what_is_returned_beside(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0])
    auxes = [
        lambda t: {"a": t * 2, "b": [t]},
        lambda t: (3,),
        lambda t: None,
        lambda t: t.detach(),
    ]
    for aux in auxes:
        _try(
            lambda: torch.func.grad(lambda t: (t.sum(), aux(t)), has_aux=True)(x),
            lambda: torch.func.grad_and_value(lambda t: (t.sum(), aux(t)), has_aux=True)(x),
            lambda: torch.func.vjp(lambda t: (t * 2, aux(t)), x, has_aux=True)[2],
            lambda: torch.func.jacrev(lambda t: (t * 2, aux(t)), has_aux=True)(x),
        )
    for wrong in (lambda t: t.sum(), lambda t: (t, 1, 2), lambda t: [t.sum(), t]):
        _try(
            lambda: torch.func.grad(wrong, has_aux=True)(x),
            lambda: torch.func.vjp(wrong, x, has_aux=True),
            lambda: torch.func.jacrev(wrong, has_aux=True)(x),
        )


def what_is_around_stays_connected(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor([1.0, 2.0])
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    _try(
        lambda: grad(lambda t: (t * t * y).sum())(x),
        lambda: grad(lambda t: (t * t * y).sum())(y),
        lambda: grad(lambda t: t.sum())(y),
        lambda: grad(lambda t: (t * t).sum())(y * 1),
        lambda: torch.func.grad_and_value(lambda t: (t * t * y).sum())(x),
        lambda: torch.func.grad_and_value(lambda t: (y * y).sum())(x),
        lambda: torch.func.grad_and_value(lambda t: ((y * t).sum(), (y, t)), has_aux=True)(x),
        lambda: torch.func.vjp(lambda t: t * y, x)[0],
        lambda: torch.func.vjp(lambda t: t * y, x)[1](x),
        lambda: torch.func.vjp(lambda t: t * t, x)[1](y),
        lambda: torch.func.jacrev(lambda t: t * y)(x),
        lambda: torch.func.jacrev(lambda t: t * t)(y),
        lambda: _hessian(torch)(lambda t: (t**3).sum())(y),
    )
    grad(lambda t: (t * t * y).sum())(x).sum().backward()
    print(y.grad)
    a = torch.tensor(2.0, requires_grad=True)
    for function in (grad, torch.func.jacrev, _hessian(torch)):
        print(torch.autograd.grad(function(lambda t: t**3 * a)(a), a))
    output, pull = torch.func.vjp(lambda t: t**2 * a, a)
    print(torch.autograd.grad((output, *pull(torch.tensor(1.0))), a, torch.ones(2)))


def inputs_come_back_as_they_were(torch: Any) -> list[bool]:
    seen = []
    for x in (torch.ones(2), torch.ones(2, requires_grad=True)):
        seen.append(torch.func.grad(lambda t: (t.sum(), t), has_aux=True)(x)[1] is x)
        seen.append(torch.func.vjp(lambda t: t, x)[0] is x)
        view = torch.func.vjp(lambda t: t[:1], x)[0]
        seen += [view.requires_grad, view.data_ptr() == x.data_ptr()]
    return seen


def grad_modes(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor([1.0, 2.0])
    y = torch.tensor([3.0, 4.0], requires_grad=True)

    def inner(t: Any) -> Any:
        with torch.no_grad():
            square = t**2
        return (square * t).sum()

    def without(t: Any) -> Any:
        with torch.no_grad():
            return grad(lambda u: (u**3).sum())(t).sum()

    with torch.no_grad():
        _try(
            lambda: grad(lambda t: (print(torch.is_grad_enabled()), (t * t * y).sum())[1])(x),
            lambda: torch.func.vjp(lambda t: (t * t * y).sum(), x)[0],
            lambda: torch.func.vjp(lambda t: (t * t * y).sum(), x)[1](torch.tensor(1.0)),
            lambda: torch.func.jacrev(lambda t: t * t * y)(x),
            lambda: grad(grad(lambda t: t**3))(torch.tensor(2.0)),
        )
    with torch.inference_mode():
        _try(lambda: grad(lambda t: (t * t).sum())(torch.ones(2)))
        _try(lambda: _hessian(torch)(lambda t: (t**3).sum())(x))
    _try(
        lambda: grad(inner)(x),
        lambda: grad(lambda t: grad(inner)(t).sum())(x),
        lambda: grad(without)(x),
        lambda: grad(lambda t: (t * t.detach()).sum())(x),
        lambda: grad(lambda t: grad(lambda u: (u * u.detach()).sum())(t).sum())(x),
    )
    print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())


def inside_of_a_transformation(torch: Any) -> None:
    grad, x = torch.func.grad, torch.tensor([1.0, 2.0])

    def written(t: Any) -> Any:
        own = t * 1
        own.view(-1)[0] *= 5
        return (own * t).sum()

    def hooked(t: Any) -> Any:
        t.register_hook(lambda g: g * 10)
        return (t * t).sum()

    def seen(t: Any) -> Any:
        print(t.requires_grad, t.is_leaf, t.grad_fn, (t * 2).grad_fn)
        return t.sum()

    _try(
        lambda: grad(seen)(x),
        lambda: grad(written)(x),
        lambda: grad(hooked)(x),
        lambda: grad(lambda t: t.mul_(2).sum())(x),
        lambda: grad(lambda t: grad(lambda u: u.mul_(2).sum())(t * 1).sum())(x),
        lambda: grad(lambda t: t.sum().backward())(x),
        lambda: grad(lambda t: (t * 2).backward(t))(x),
        lambda: grad(lambda t: t.detach().requires_grad_())(x),
        lambda: grad(lambda t: (t * 2).retain_grad())(x),
        lambda: grad(lambda t: torch.autograd.functional.jacobian(torch.sin, t).sum())(x),
        lambda: grad(lambda t: torch.autograd.grad((t**2).sum(), t)[0].sum())(x),
        lambda: grad(lambda t: t.sum() * t.sum().item())(x),
        lambda: grad(lambda t: (t * 2).sum() if t[0] > 0 else t.sum())(x),
        lambda: grad(lambda t: t.numpy().sum())(x),
    )
    print(x)
    (x.requires_grad_() * 2).sum().backward()  # refused inside only
    print(x.grad)


def products_with_the_jacobian(torch: Any) -> None:
    vjp, x = torch.func.vjp, torch.tensor([1.0, 2.0])

    def two(a: Any, b: Any) -> Any:
        return a * b, a + b

    _try(
        lambda: vjp(torch.sin, x)[1](x),
        lambda: vjp(torch.sin, x)[1](torch.ones(3)),
        lambda: vjp(torch.sin, x)[1](3.0),
        lambda: vjp(torch.sin, x)[1](None),
        lambda: vjp(torch.sin, x)[1]((x,)),
        lambda: vjp(torch.sin, x)[1](x.double()),
        lambda: vjp(torch.sin, 3.0),
        lambda: vjp(lambda a: 3.0, x),
        lambda: vjp(lambda a: (a, 3), x),
        lambda: vjp(lambda a: None, x),
        lambda: vjp(lambda a: (), x),
        lambda: vjp(lambda a: a > 0, x),
        lambda: vjp(lambda a: torch.ones(2), x)[1](x),
        lambda: vjp(two, x, x)[0],
        lambda: vjp(two, x, x)[1]((x, x)),
        lambda: vjp(two, x, x)[1](x),
        lambda: vjp(two, x, x)[1]([x, x]),
        lambda: vjp(lambda a: {"u": a * 2, "v": (a * 3,)}, x)[1]({"u": x, "v": (x,)}),
        lambda: vjp(lambda a: {"u": a * 2, "v": (a * 3,)}, x)[1]({"u": x, "w": (x,)}),
        lambda: vjp(lambda d, e: d["a"] * 2, {"a": x, "b": x}, (x, x))[1](x),
    )
    _, pull = vjp(lambda a: a**3, torch.tensor(2.0))
    print(pull(torch.tensor(1.0)), pull(torch.tensor(2.0)))
    print(torch.func.grad(lambda c: pull(c)[0])(torch.tensor(1.0)))
    print(torch.func.grad(lambda t: vjp(lambda u: u**3, t)[1](t)[0])(torch.tensor(3.0)))


def jacobians(torch: Any) -> None:
    jacrev, x = torch.func.jacrev, torch.tensor([1.0, 2.0])
    _try(
        lambda: jacrev(torch.sin)(x),
        lambda: jacrev(lambda a: a.sum())(x),
        lambda: jacrev(lambda a: (a * 2, a.sum()))(x),
        lambda: jacrev(lambda a, b: (a * b, a), argnums=(0, 1))(x, x * 5),
        lambda: jacrev(lambda a: torch.ones(3))(x),
        lambda: jacrev(lambda a: a.double())(x),
        lambda: jacrev(lambda a: a * (1 + 2j))(x),
        lambda: jacrev(lambda a: a * 2)(torch.ones(2, dtype=torch.complex64)),
        lambda: jacrev(lambda a: a * 2)(torch.tensor([1, 2])),
        lambda: jacrev(lambda a: a > 0)(x),
        lambda: jacrev(lambda a: a * 2)(3.0),
        lambda: jacrev(lambda a: ())(x),
        lambda: jacrev(jacrev(lambda a: a**3))(x),
        lambda: jacrev(lambda a: a)(torch.ones(0)),
        lambda: jacrev(torch.func.grad(lambda t: (t**3).sum()))(x),
        lambda: _hessian(torch)(lambda a: a**3)(x),
        lambda: _hessian(torch)(lambda a, b: (a * b * b).sum(), argnums=(0, 1))(x, x),
        lambda: _hessian(torch)(lambda a: a.sum())(x),
    )
    for size in (1, 2, 7, None, 0, -1):
        _try(lambda: jacrev(lambda a: (a * a, a.sum()), chunk_size=size)(x))


def networks(torch: Any) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape))
    x, labels = torch.linspace(-1, 1, 12).view(4, 3), torch.tensor([0, 1, 1, 0])

    def loss(parameters: Any) -> Any:
        output = torch.func.functional_call(model, parameters, (x,))
        return torch.nn.functional.cross_entropy(output, labels)

    def after_a_step(parameters: Any) -> Any:
        gradients = torch.func.grad(loss)(parameters)
        return loss({name: p - 0.1 * gradients[name] for name, p in parameters.items()})

    cut = {name: p.detach() for name, p in model.named_parameters()}
    print(torch.func.grad(loss)(cut)["0.weight"])
    print(torch.func.grad(after_a_step)(cut)["0.weight"])
    gradients = torch.func.grad(loss)(dict(model.named_parameters()))
    print([g.requires_grad for g in gradients.values()])
    sum((g**2).sum() for g in gradients.values()).backward()
    print(model[0].weight.grad)


def custom_functions(torch: Any) -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x * x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            return grad_output * 2 * ctx.saved_tensors[0]

    class Old(Square):
        setup_context = torch.autograd.Function.setup_context

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * x

    x = torch.tensor([1.0, 2.0])
    _try(
        lambda: torch.func.grad(lambda t: Square.apply(t).sum())(x),
        lambda: torch.func.grad(torch.func.grad(Square.apply))(torch.tensor(3.0)),
        lambda: torch.func.jacrev(Square.apply)(x),
        lambda: torch.func.grad(lambda t: Old.apply(t).sum())(x),
        lambda: torch.func.vjp(Old.apply, x),
        lambda: Old.apply(x),
    )


def names(torch: Any) -> None:
    def square(x: Any) -> Any:
        """What it does."""

    for name in ("grad", "grad_and_value", "jacrev", "hessian"):
        wrapped = getattr(torch.func, name)(square)
        print(wrapped.__name__, wrapped.__doc__, wrapped.__wrapped__ is square)
    for name in ("grad", "grad_and_value", "vjp", "jacrev", "hessian", "vmap", "functionalize"):
        parameters = inspect.signature(getattr(torch.func, name)).parameters.values()
        print(name, [(p.name, p.kind.name, str(p.default)) for p in parameters])


def norms_without_statistics(torch: Any) -> Any:
    nn, replace = torch.nn, torch.func.replace_all_batch_norm_modules_
    inner = nn.Sequential(nn.InstanceNorm1d(2, track_running_stats=True), nn.BatchNorm2d(3))
    model = nn.Sequential(nn.BatchNorm1d(2), inner, nn.LazyBatchNorm1d())
    print(replace(model) is model, replace(nn.BatchNorm3d(1)), replace(nn.ReLU()))
    print(list(model.state_dict()))
    for norm in (model[0], *inner, model[2]):
        print(norm.track_running_stats, norm.running_mean is None, norm.num_batches_tracked)
    print(model[0].eval()(torch.tensor([[1.0, 2.0], [3.0, 4.0]])))
    _try(lambda: replace(3))


def what_writes(torch: Any) -> None:
    functionalize, x = torch.func.functionalize, torch.ones(2)
    _try(
        lambda: functionalize(lambda t: t.add_(1))(x),
        lambda: functionalize(lambda t, n: (t * n, n), remove="mutations_and_views")(x, n=3),
        lambda: functionalize(torch.sin, remove="x"),
        lambda: torch.func.grad(functionalize(lambda t: (t.clone().mul_(t)).sum()))(x),
        lambda: functionalize(torch.sin).__name__,
        lambda: torch.func.debug_unwrap(x) is x,
    )
    print(x)
