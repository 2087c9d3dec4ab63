"""What tensors answer when they are asked, and what may be assigned to them."""

import operator
import warnings
import weakref
from typing import Any

import numpy as np

from tests.observe import attempt


def names_that_scripts_ask(torch: Any) -> list[Any]:
    x = torch.arange(6.0).reshape(2, 3)
    names = (
        "is_cuda is_sparse is_quantized is_meta is_mkldnn is_mps is_nested is_cpu "
        "is_sparse_csr is_xpu is_vulkan is_ipu is_xla is_maia is_mtia is_leaf itemsize "
        "nbytes ndim _version output_nr retains_grad requires_grad name _backward_hooks "
        "volatile"
    ).split()
    asked = [f"{name}: {attempt(lambda: getattr(x, name))}" for name in names]
    part = x[1:, ::2]
    return [
        *asked,
        str(x.layout),
        x.element_size(),
        part.storage_offset(),
        part._is_view(),
        part._base is x,
        part.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
        x.untyped_storage().nbytes(),
        x.untyped_storage().size(),
        len(x.untyped_storage()),
        part.data_ptr() - x.data_ptr(),
        x.get_device(),
        x.is_pinned(),
        x.is_shared(),
        x.is_inference(),
        x.is_neg(),
        x.is_set_to(x),
        x.is_set_to(part),
        x.is_same_size(part),
    ]


def lengths_and_truth(torch: Any) -> list[Any]:
    t = torch.tensor
    values = [t(1.5), t([2.0]), t([]), t([1, 2]), t(0), t(True), t([[3]]), t(1 + 2j), t([0.0])]
    asks = [len, bool, int, float, complex, operator.index, iter, str, hash]
    found = []
    for ask in asks[:-1]:
        found += [
            f"{ask.__name__} {attempt(lambda: ask(v)) if ask is not iter else ''}" for v in values
        ]
    return found + [attempt(lambda: list(iter(v))) for v in values]


def membership(torch: Any) -> list[str]:
    x = torch.tensor([1.0, 2.0])
    asked = [1, 2.0, 3, True, "a", None, x, torch.tensor(2), [1.0], 1 + 0j, np.float32(1)]
    return [attempt(lambda: a in x) for a in asked]


def formatting(torch: Any) -> list[str]:
    t = torch.tensor
    pairs = [
        (t(1.5), ".3f"),
        (t(3), "05d"),
        (t([1.5]), ".3f"),
        (t([1.5, 2.5]), ""),
        (t(1.5), ""),
        (t(True), ""),
        (t(1 + 2j), ".1f"),
        (torch.nn.Parameter(t(1.5)), ".3f"),
        (t(1.5, requires_grad=True), ".2f"),
        (t(2.0), "d"),
        (t([1.5, 2.5]), "10"),
    ]
    return [attempt(lambda: format(a, b)) for a, b in pairs]


def listing(torch: Any) -> list[Any]:
    x = torch.ones(2)
    x.mine = 1
    names = dir(x)
    expected = (
        "grad data shape backward requires_grad add __add__ mine T register_hook is_leaf "
        "grad_fn detach_ new_tensor volatile __cuda_array_interface__ named_anything"
    ).split()
    missing = [n for n in names if not n.startswith("__") and not hasattr(x, n)]
    return [[n in names for n in expected], missing, names == sorted(set(names))]


def assigning_grad(torch: Any) -> list[Any]:
    x = torch.ones(2, 3, requires_grad=True)

    def put(value: Any) -> Any:
        x.grad = value
        return None if x.grad is None else x.grad is value

    values = [
        torch.zeros(2, 3),
        None,
        torch.zeros(3, 2),
        torch.zeros(2, 3, dtype=torch.float64),
        torch.zeros(2, 3, dtype=torch.int64),
        1.0,
        [1],
        "a",
        x,
        torch.zeros(3, 2).t(),
        torch.zeros(6),
        torch.zeros(2, 3, requires_grad=True),
        torch.zeros(1, 3).expand(2, 3),
        np.zeros((2, 3)),
        torch.zeros(()),
        torch.zeros(2, 3, dtype=torch.float16),
    ]
    found = [attempt(lambda: put(v)) for v in values]
    del x.grad
    found.append(x.grad is None)
    y = torch.ones(2)
    y.grad = torch.ones(2)
    whole = torch.tensor([1, 2])
    return [
        *found,
        y.grad.tolist(),
        attempt(lambda: setattr(whole, "grad", torch.tensor([1, 2]))),
        attempt(lambda: setattr(x * 2, "grad", torch.zeros(2, 3))),
    ]


def grad_dtype(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    found = [
        str(x.grad_dtype),
        str(torch.ones(2).grad_dtype),
        attempt(lambda: (x * 2).detach().grad_dtype),
        attempt(lambda: (x * 2).grad_dtype),
        attempt(lambda: torch.tensor([1]).grad_dtype),
    ]
    for value in (torch.float64, None, torch.float16, torch.int64, torch.complex64, "float32", 3):
        y = torch.ones(2, requires_grad=True)
        found.append(attempt(lambda: (setattr(y, "grad_dtype", value), str(y.grad_dtype))[1]))
        for kind in (torch.float32, torch.float64, torch.float16):
            found.append(attempt(lambda: setattr(y, "grad", torch.ones(2, dtype=kind))))
    return found


def grad_dtype_refusals(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = torch.ones(2)
    w = torch.ones(2, requires_grad=True)
    w.grad = torch.ones(2)

    def put(t: Any, value: Any) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch reads `.grad` and warns of that
            t.grad_dtype = value
        return str(t.grad_dtype)

    return [attempt(lambda: put(t, torch.float64)) for t in (y, z, w, torch.tensor([1]))] + [
        attempt(lambda: put(w, torch.float32)),
        attempt(lambda: put(w, None)),
        attempt(lambda: put(x, torch.float32)),
    ]


def grad_dtype_in_backward(torch: Any) -> list[Any]:
    found = []
    for value in (torch.float64, torch.float16, None, torch.float32):
        x = torch.ones(2, requires_grad=True)
        x.grad_dtype = value
        (x * 2).sum().backward()
        found += [str(x.grad.dtype), x.grad.tolist()]
        (x * 2).sum().backward()
        found += [str(x.grad.dtype), x.grad.tolist(), str(x.grad_dtype)]
    half = torch.ones(2, dtype=torch.float16, requires_grad=True)
    half.grad_dtype = torch.float32
    (half * 2).sum().backward()
    found += [str(half.grad.dtype)]
    (half.float() * 3).sum().backward()
    found += [str(half.grad.dtype), half.grad.tolist()]
    free = torch.ones(2, dtype=torch.float16, requires_grad=True)
    free.grad_dtype = None
    free.float().sum().backward()
    return [*found, str(free.grad.dtype)]


def grad_dtype_with_hooks_and_grad(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    x.grad_dtype = torch.float64
    seen = []
    x.register_hook(lambda g: seen.append(str(g.dtype)))
    (x * 2).sum().backward()
    (g,) = torch.autograd.grad((x * 2).sum(), x)
    (h,) = torch.autograd.grad((x * x).sum(), x, create_graph=True)
    return [seen, str(g.dtype), str(h.dtype), str(x.detach().grad_dtype)]


def assigning_data(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)

    def put(t: Any, value: Any) -> Any:
        t.data = value
        return [str(t.dtype), t.tolist(), t._version, t.requires_grad]

    values = [
        torch.zeros(3),
        torch.zeros(2, dtype=torch.float64),
        torch.tensor([1, 2]),
        [1.0],
        None,
        torch.zeros(2, requires_grad=True),
        np.zeros(2),
        torch.zeros(2, 2).t(),
    ]
    found = [attempt(lambda: put(x, v)) for v in values]
    plain = torch.ones(2)
    found += [attempt(lambda: put(plain, v)) for v in values]
    source = torch.zeros(2)
    plain.data = source
    source.add_(1)
    y = torch.ones(2, requires_grad=True)
    z = y * y
    y.data = torch.full((2,), 3.0)
    z.sum().backward()
    return [*found, plain.tolist(), y.grad.tolist(), attempt(lambda: delattr(y, "data"))]


def data_keeps_identity(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    accumulator = torch.autograd.graph.get_gradient_edge(x).node
    same = id(x)
    x.data = torch.ones(2, dtype=torch.float64)
    x.note = 1
    x.data = torch.ones(3)
    (x * 2).sum().backward()
    w = torch.ones(2)
    w.data = w
    v = torch.ones(2, requires_grad=True)
    v.data = v
    return [
        id(x) == same,
        x.note,
        x.grad.tolist(),
        w.tolist(),
        v.tolist(),
        v.requires_grad,
        accumulator.variable is x,
    ]


def assigning_requires_grad(torch: Any) -> list[str]:
    x = torch.ones(2, requires_grad=True)
    whole, flag = torch.tensor([1]), torch.tensor([True])
    y = x * 2

    def put(t: Any, value: Any) -> Any:
        t.requires_grad = value
        return t.requires_grad

    tensors = [torch.ones(2), whole, flag, torch.tensor([1j]), y, x, x[0], x.detach()]
    values = [True, False, 1, 0, None, "a", torch.tensor(True)]
    found = [attempt(lambda: put(t, v)) for t in tensors for v in values]
    found += [attempt(lambda: t.requires_grad_(v).requires_grad) for t in tensors for v in values]
    return [
        *found,
        attempt(lambda: torch.ones(1).requires_grad_(requires_grad=True).requires_grad),
        attempt(lambda: delattr(x, "requires_grad")),
    ]


def detaching_in_place(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    view = y[0]
    split = y.split(1)
    with torch.no_grad():
        quiet = y[0]
    found = [attempt(lambda: t.detach_().requires_grad) for t in (view, split[0], quiet, y, x)]
    base = torch.ones(2)
    part = base[0]
    return [
        *found,
        attempt(lambda: part.detach_().requires_grad),
        part._is_view(),
        y.requires_grad,
        y.grad_fn is None,
        y.is_leaf,
    ]


def not_writable(torch: Any) -> list[str]:
    x = torch.ones(2, requires_grad=True)
    names = (
        "grad_fn is_leaf shape dtype device ndim _version _base layout output_nr T "
        "is_cuda retains_grad itemsize nbytes real imag mT H is_sparse is_quantized name "
        "volatile _grad_fn _grad"
    ).split()
    found = [f"{n} {attempt(lambda: setattr(x, n, 1))}" for n in names[:-1]]
    safe = ["data", "requires_grad", "grad_fn", "_grad_fn", "_backward_hooks"]
    safe += ["_post_accumulate_grad_hooks", "volatile"]  # of others PyTorch dies
    return found + [f"{n} {attempt(lambda: delattr(x, n))}" for n in safe]


def new_tensors_of_a_tensor(torch: Any) -> list[Any]:
    x = torch.ones(2, dtype=torch.float64)
    made = [
        x.new_tensor([1, 2]),
        x.new_tensor(3.5),
        x.new_tensor([1, 2], dtype=torch.int32),
        x.new_tensor([1.0], requires_grad=True),
        x.new_zeros(2, 3),
        x.new_ones((2,)),
        x.new_full((2,), 7),
        x.new_empty(0),
        x.new(),
        x.new(2, 3).fill_(0),
        x.new([1, 2]),
        x.new_tensor(np.array([1.5])),
        torch.tensor([1]).new_tensor([1.7]),
        x.new_empty_strided((2, 3), (1, 2)).fill_(0),
    ]
    return [[str(t.dtype), list(t.shape), t.tolist(), t.requires_grad] for t in made] + [
        attempt(lambda: x.new_tensor(torch.ones(2)).tolist()),
        attempt(lambda: x.new_tensor("a")),
    ]


def tensor_of_a_tensor(torch: Any) -> list[Any]:
    x = torch.ones(2, requires_grad=True)
    return [attempt(lambda: torch.tensor(t).requires_grad) for t in (x, x * 2, x.detach())] + [
        attempt(lambda: torch.tensor([x[0], x[1]]).tolist()),
        torch.as_tensor(x) is x,
        torch.as_tensor(x, dtype=torch.float64).requires_grad,
    ]


def array_priority(torch: Any) -> list[Any]:
    x = torch.ones(2)
    return [
        x.__array_priority__,
        attempt(lambda: x.__array__().tolist()),
        attempt(lambda: np.asarray(torch.ones(2, requires_grad=True))),
    ]


def swapping(torch: Any) -> list[Any]:
    a = torch.ones(2, requires_grad=True)
    b = torch.zeros(3)
    a.note = 1
    a.sum().backward()
    torch.utils.swap_tensors(a, b)
    found = [
        a.tolist(),
        b.tolist(),
        hasattr(a, "note"),
        b.note,
        a.requires_grad,
        b.requires_grad,
        a.grad is None,
        b.grad.tolist(),
    ]
    view = torch.ones(2)
    part = view[0]
    leaf = torch.ones(2, requires_grad=True)
    used = leaf * 2
    p, q = torch.nn.Parameter(torch.ones(1)), torch.zeros(1)
    torch.utils.swap_tensors(p, q)
    seen = torch.ones(1)
    reference = weakref.ref(seen)
    return [
        *found,
        part is not None,
        used is not None,
        type(p).__name__,
        type(q).__name__,
        attempt(lambda: torch.utils.swap_tensors(seen, torch.ones(1))),
        reference is not None,
        attempt(lambda: torch.utils.swap_tensors(leaf, torch.ones(1))),
    ]


def setting_and_resizing(torch: Any) -> list[Any]:
    x = torch.arange(6.0)
    found: list[Any] = []

    def facts(t: Any) -> list[Any]:
        return [list(t.shape), list(t.stride()), t.storage_offset(), t._version, t.numel()]

    found.append(facts(x.resize_(2, 2)))
    found += [x.tolist(), facts(x.resize_(3)), x.tolist(), facts(x.resize_((2, 3))), x.tolist()]
    found += [facts(torch.ones(2).resize_as_(torch.ones(3, 1)))]
    leaf = torch.ones(2, requires_grad=True)
    found += [
        attempt(lambda: leaf.resize_(3)),
        attempt(lambda: leaf.resize_(2).tolist()),
        attempt(lambda: (leaf * 2).resize_(3)),
        attempt(lambda: leaf.resize_as_(torch.ones(3))),
    ]
    y = torch.zeros(2)
    y.set_(x)
    found += [y.tolist(), facts(y), y.data_ptr() == x.data_ptr()]
    y.set_()
    found += [facts(y)]
    found += [
        attempt(lambda: torch.zeros(2).set_(torch.ones(2, dtype=torch.float64))),
        attempt(lambda: torch.ones(2, requires_grad=True).set_(torch.ones(2))),
    ]
    with torch.no_grad():
        p = torch.nn.Parameter(torch.ones(16))
        p.set_(p[1:])
    joined = torch.cat((p, p))
    joined.sum().backward()
    return [*found, list(joined.shape), p.grad.tolist(), facts(p)]


def storages(torch: Any) -> list[Any]:
    x = torch.arange(4.0)
    s = x.untyped_storage()
    return [
        s.nbytes(),
        s.data_ptr() == x.data_ptr(),
        x[2:].untyped_storage().nbytes(),
        s.device.type,
        len(s),
        x.detach().untyped_storage().data_ptr() == s.data_ptr(),
        x.clone().untyped_storage().data_ptr() == s.data_ptr(),
        s.tolist(),
        torch.is_storage(s),
        torch.is_storage(x),
    ]


def augmented_assignment(torch: Any) -> list[Any]:
    functions = [
        operator.iadd,
        operator.isub,
        operator.imul,
        operator.itruediv,
        operator.ifloordiv,
        operator.imod,
        operator.ipow,
        operator.iand,
        operator.ior,
        operator.ixor,
        operator.ilshift,
        operator.irshift,
    ]
    whole = [torch.float32, torch.int64]
    found = []
    for place, function in enumerate(functions):
        numbers = [2, torch.tensor([3, 2])] + (
            [1.5, torch.tensor([1.0, 2.0])] if place < 7 else []
        )
        for kind in whole[place > 6 :]:
            for other in numbers:
                x = torch.tensor([5, 1]).to(kind)

                def run() -> Any:
                    result = function(x, other)
                    return [result is x, x.tolist(), str(x.dtype), x._version]

                found.append(f"{function.__name__} {kind} {attempt(run)}")
    leaf = torch.tensor([5.0, 1.0], requires_grad=True)
    y = leaf.clone()
    y **= 2
    y %= 2
    y.sum().backward()
    return [*found, attempt(lambda: operator.ipow(leaf, 2)), leaf.grad.tolist()]
