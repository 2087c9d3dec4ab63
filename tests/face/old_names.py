"""Constructors and names of old programs: `Variable`, `FloatTensor`, `Tensor` and their kind."""

from typing import Any

import numpy as np

from tests.observe import attempt


def _facts(t: Any) -> list[Any]:
    return [type(t).__name__, str(t.dtype), list(t.shape), t.requires_grad]


def variable(torch: Any) -> list[Any]:
    Variable = torch.autograd.Variable
    x = torch.ones(2)
    made = Variable(x, requires_grad=True)
    made.data.add_(1)
    whole = torch.tensor([1])
    return [
        _facts(made),
        x.tolist(),
        isinstance(x, Variable),
        isinstance(made, Variable),
        isinstance(1, Variable),
        _facts(Variable(x)),
        _facts(Variable(x * 2)),
        attempt(lambda: Variable(whole, requires_grad=True)),
        attempt(lambda: Variable([1.0])),
        attempt(lambda: _facts(Variable(made))),
        attempt(lambda: _facts(Variable(made * 2))),
        torch.autograd.variable.Variable is Variable,
        Variable.__name__,
        Variable.__module__,
        attempt(lambda: _facts(Variable(None))),
        attempt(lambda: _facts(Variable())),
        attempt(lambda: _facts(Variable(data=x, requires_grad=True))),
        attempt(lambda: issubclass(torch.Tensor, Variable)),
        issubclass(torch.nn.Parameter, Variable),
    ]


def volatile(torch: Any) -> list[Any]:
    Variable = torch.autograd.Variable
    x = torch.ones(1)
    found = [attempt(lambda: _facts(Variable(x, volatile=v))) for v in (True, False, None)]
    found += [attempt(lambda: _facts(Variable(x, requires_grad=True, volatile=True)))]
    return [*found, attempt(lambda: x.volatile), attempt(lambda: setattr(x, "volatile", True))]


def typed_constructors(torch: Any) -> list[Any]:
    names = [
        "FloatTensor",
        "DoubleTensor",
        "HalfTensor",
        "BFloat16Tensor",
        "LongTensor",
        "IntTensor",
        "ShortTensor",
        "CharTensor",
        "ByteTensor",
        "BoolTensor",
    ]
    found: list[Any] = []
    for name in names:
        kind = getattr(torch, name)
        for args in [
            (),
            (2,),
            (2, 3),
            ([1, 2],),
            ((1, 2),),
            (torch.Size([2]),),
            ([],),
            ([[1], [2]],),
            (np.array([1, 2]),),
            (range(3),),
            ([True],),
            ("a",),
            (1.5,),
            (2, "a"),
            (None,),
            ([1.7],),
            (-1,),
        ]:
            found.append(f"{name}{args}: {attempt(lambda: _facts(kind(*args)))}")
        found.append(
            [
                str(kind),
                kind.__name__,
                kind.__module__,
                str(kind.dtype),
                str(kind.layout),
                kind.is_cuda,
                kind.is_sparse,
                type(kind).__name__,
            ]
        )
    return found


def typed_constructors_keep_data(torch: Any) -> list[Any]:
    x = torch.ones(2)
    y = torch.FloatTensor(x)
    y.add_(1)
    array = np.ones(2, dtype=np.float32)
    z = torch.FloatTensor(array)
    array[0] = 5
    return [
        x.tolist(),
        z.tolist(),
        attempt(lambda: torch.LongTensor(x)),
        torch.LongTensor([1.7, 2]).tolist(),
        torch.BoolTensor([0, 2]).tolist(),
        torch.ByteTensor([255, 1]).tolist(),
        attempt(lambda: torch.ByteTensor([256]).tolist()),
        torch.FloatTensor(torch.tensor([1.0], requires_grad=True)).requires_grad,
        attempt(lambda: _facts(torch.FloatTensor(size=(2,)))),
        attempt(lambda: _facts(torch.FloatTensor(2, device="cpu"))),
        attempt(lambda: torch.FloatTensor(2, device="cuda")),
    ]


def kinds(torch: Any) -> list[Any]:
    t = torch.ones(2)
    types = [torch.FloatTensor, torch.DoubleTensor, torch.LongTensor, torch.Tensor]
    values = [t, t.double(), t.long(), torch.nn.Parameter(t), 1, t.bool()]
    return (
        [[isinstance(v, kind) for kind in types] for v in values]
        + [v.type() for v in values if v != 1 or v is not True]
        + [
            attempt(lambda: issubclass(torch.FloatTensor, torch.Tensor)),
            attempt(lambda: type("X", (torch.FloatTensor,), {})),
            torch.is_tensor(t),
            torch.typename(t),
            torch.typename(torch.nn.Parameter(t)),
            torch.typename(torch.FloatTensor),
            attempt(lambda: torch.typename(1)),
            torch.Tensor.__module__,
            type(t).__qualname__,
            str(torch.Tensor),
            repr(type(torch.nn.Parameter(t))),
        ]
    )


def types_by_name(torch: Any) -> list[Any]:
    t = torch.ones(2)
    asked = [
        torch.DoubleTensor,
        "torch.LongTensor",
        torch.int32,
        torch.FloatTensor,
        "torch.FloatTensor",
        "LongTensor",
        float,
        torch.Tensor,
        None,
        1,
        "torch.float64",
        torch.BoolTensor,
        "torch.BFloat16Tensor",
    ]
    found = [attempt(lambda: str(t.type(a) if a is None else t.type(a).dtype)) for a in asked]
    leaf = torch.ones(2, requires_grad=True)
    cast = leaf.type(torch.DoubleTensor)
    return [
        *found,
        t.type(torch.FloatTensor) is t,
        cast.grad_fn.name(),
        t.type(dtype=torch.float64).type(),
        attempt(lambda: t.type_as(t.double()).type()),
        attempt(lambda: t.type(torch.float16, non_blocking=True).type()),
    ]


def tensor_constructor(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    array = np.array([1, 2])
    calls = [
        (),
        (2,),
        (2, 3),
        ([1, 2],),
        ((1, 2),),
        (torch.Size([2, 1]),),
        (x,),
        (x.detach(),),
        (1.5,),
        ("a",),
        (None,),
        (array,),
        (torch.tensor([1]),),
        ([],),
        ([[1.0], [2.0]],),
        (-1,),
        (2, None),
        (torch.tensor(2),),
        (torch.ones(1).double(),),
        (True,),
        (np.int64(2),),
        (range(3),),
        ([1j],),
        ({},),
    ]
    found = [f"{args!r:.40} {attempt(lambda: _facts(torch.Tensor(*args)))}" for args in calls]
    return [
        *found,
        attempt(lambda: torch.Tensor(device="cpu")),
        attempt(lambda: torch.Tensor(data=[1])),
        torch.Tensor(x.detach()).data_ptr() == x.data_ptr(),
        attempt(lambda: torch.Tensor([1.7]).tolist()),
        attempt(lambda: torch.Tensor(size=(2,)).shape),
    ]


def default_tensor_type(torch: Any) -> list[Any]:
    found = []
    for value in [
        torch.DoubleTensor,
        "torch.FloatTensor",
        "torch.HalfTensor",
        torch.float64,
        torch.LongTensor,
        "torch.LongTensor",
        1,
        torch.FloatTensor,
    ]:
        found.append(attempt(lambda: torch.set_default_tensor_type(value)))
        found.append(
            [str(torch.get_default_dtype()), torch.tensor(1.0).type(), torch.Tensor().type()]
        )
    torch.set_default_dtype(torch.float64)
    found += [torch.Tensor(2).type(), torch.Tensor([1]).type(), torch.Tensor().type()]
    torch.set_default_dtype(torch.float32)
    return found


def requires_grad_of_factories(torch: Any) -> list[Any]:
    x = torch.ones(2, 3)
    makers = [
        lambda **k: torch.ones(2, **k),
        lambda **k: torch.zeros((2,), **k),
        lambda **k: torch.empty(2, **k),
        lambda **k: torch.rand(2, **k),
        lambda **k: torch.randn(2, **k),
        lambda **k: torch.full((2,), 1.0, **k),
        lambda **k: torch.arange(2.0, **k),
        lambda **k: torch.linspace(0, 1, 2, **k),
        lambda **k: torch.eye(2, **k),
        lambda **k: torch.tensor([1.0], **k),
        lambda **k: torch.ones_like(x, **k),
        lambda **k: torch.zeros_like(x, **k),
        lambda **k: torch.rand_like(x, **k),
        lambda **k: torch.randn_like(x, **k),
        lambda **k: torch.full_like(x, 1, **k),
        lambda **k: torch.empty_like(x, **k),
        lambda **k: torch.logspace(0, 1, 2, **k),
        lambda **k: x.new_ones(2, **k),
        lambda **k: x.new_zeros(2, **k),
        lambda **k: x.new_full((2,), 1, **k),
        lambda **k: x.new_empty(2, **k),
        lambda **k: x.new_tensor([1.0], **k),
        lambda **k: torch.randint_like(x, 3, **k),
        lambda **k: torch.randint(3, (2,), **k),
        lambda **k: torch.randperm(3, **k),
        lambda **k: torch.scalar_tensor(1.0, **k),
        lambda **k: torch.empty_strided((2,), (1,), **k),
        lambda **k: torch.asarray([1.0], **k),
        lambda **k: torch.normal(0.0, 1.0, (2,), **k),
        lambda **k: torch.complex(x, x, **k),
        lambda **k: torch.zeros(2, dtype=torch.int64, **k),
        lambda **k: torch.zeros(2, dtype=torch.bool, **k),
        lambda **k: torch.zeros(2, dtype=torch.complex64, **k),
    ]
    return [
        attempt(lambda: m(requires_grad=flag).requires_grad)
        for m in makers
        for flag in (True, False)
    ]
