"""Asks both libraries what PyTorch's own table of operators asks, and compares the answers.

`entries("linalg.")` are entries of the table, `samples(entry, "float64")` their arguments, and
`differences(entry, sample)` is empty where value, dtype, shape, first and second derivative agree.

    python -m tests.opdb.driver linalg. det     # every sample; prints what holds, entry by entry
"""

import re
import sys
import types
import unittest
import warnings
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

import seegrad
from tests.database.run import numpy

# Derivatives are compared in double precision; values in every type.
TOLERANCES = {"float64": 1e-8, "complex128": 1e-8, "float32": 1e-4, "complex64": 1e-4}
# Second derivatives that lose digits in PyTorch: finite differences say so.
ILL_CONDITIONED = {"svd_lowrank": 1e4, "pca_lowrank": 1e4}
# What PyTorch says of a derivative that it does not have: ours is compared as far as it goes.
NO_DERIVATIVE = r".*(derivative for \S+ is not implemented|got None \(or an undefined Tensor)"
# Where PyTorch's derivative is NaN and ours a number: a norm of zeros has gradient zero, and that
# gradient too; so has a sum of exponentials of masked elements.
NUMBERS_FOR_NAN = frozenset(
    {"linalg.norm", "linalg.norm.subgradients_at_zero", "masked.logaddexp"}
)


def table() -> list[Any]:
    """PyTorch's entries; its module wants a package of test helpers that we do without."""
    if "expecttest" not in sys.modules:
        helper: Any = types.ModuleType("expecttest")
        helper.TestCase = unittest.TestCase
        sys.modules["expecttest"] = helper
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    return list(op_db)


def label(entry: Any) -> str:
    """The name of an entry, with its variant."""
    return ".".join(filter(None, (entry.name, entry.variant_test_name)))


def entries(*families: str) -> list[Any]:
    """The entries of these names; a name that ends in a dot stands for all that begin so."""
    return [
        entry
        for entry in table()
        if any(entry.name.startswith(f) if f.endswith(".") else entry.name == f for f in families)
    ]


def samples(entry: Any, dtype: str, most: int | None = None) -> list[Any]:
    """The samples of an entry in a dtype, evenly thinned out to `most`; none for other dtypes."""
    import torch

    wanted = getattr(torch, dtype)
    if not entry.supports_dtype(wanted, "cpu"):
        return []
    torch.manual_seed(0)
    needs = entry.supports_autograd and (wanted.is_floating_point or wanted.is_complex)
    with warnings.catch_warnings():  # PyTorch's own samples use what it calls deprecated
        warnings.simplefilter("ignore")
        found = list(entry.sample_inputs("cpu", wanted, requires_grad=needs))
    for sample in found:
        sample.kwargs = {name: leaf(value) for name, value in sample.kwargs.items()}
    if most is None or len(found) <= most:
        return found
    return [found[round(place)] for place in np.linspace(0, len(found) - 1, most)]


def leaf(value: Any) -> Any:
    """A tensor of its own for a view of one that was made without a graph."""
    is_view = hasattr(value, "_is_view") and value._is_view() and value.requires_grad
    return value.detach().clone().requires_grad_() if is_view and value.is_leaf else value


def seeded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a random function with the seed that PyTorch's table gives it."""
    seegrad.manual_seed(42)
    return function(*args, **kwargs)


def ours(function: Any) -> Any:
    """A function of PyTorch's table, its `torch` being seegrad."""
    if not isinstance(function, types.FunctionType):
        return function
    scope = function.__globals__ | {"torch": seegrad, "wrapper_set_seed": seeded}
    made = types.FunctionType(
        function.__code__,
        scope,
        function.__name__,
        function.__defaults__,
        tuple(types.CellType(ours(cell.cell_contents)) for cell in function.__closure__ or ()),
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def call_of(entry: Any) -> Callable[..., Any]:
    """What seegrad calls by the name of an entry: a function, or a method of tensors."""
    import torch

    if str(getattr(entry.op, "__module__", "")).startswith("torch.testing"):
        made: Callable[..., Any] = ours(entry.op)
        return made
    is_method = getattr(torch.Tensor, entry.name, None) is entry.op
    found: Callable[..., Any] = attrgetter(entry.name)(seegrad.Tensor if is_method else seegrad)
    return found


def translated(value: Any, held: dict[Any, Any] | None = None) -> Any:
    """An argument as seegrad takes it: tensors in their layout, dtypes, and what they stand in.

    Tensors share memory where those of PyTorch do if `held` is given, which remembers it.
    """
    import torch

    if isinstance(value, torch.Tensor):
        plain = value.detach().resolve_conj().resolve_neg()
        memory, storage = plain.numel() * plain.element_size(), plain.untyped_storage()
        least = memory if held is None else extent(plain) - 1
        if storage.nbytes() > least:  # a part, which may reach the rest; or all, to be shared
            held, place = {} if held is None else held, (storage.data_ptr(), plain.dtype)
            if place not in held:
                held[place] = copied(flat(plain)), plain  # which keeps its place
            shown = (tuple(one()) for one in (plain.size, plain.stride))
            made = held[place][0].as_strided(*shown, plain.storage_offset()).detach()
        else:
            made = copied(plain)
        return made.requires_grad_(value.requires_grad)
    if isinstance(value, torch.nn.Module):
        module = getattr(seegrad.nn, type(value).__name__)()
        public = {name: one for name, one in vars(value).items() if not name.startswith("_")}
        vars(module).update(public)
        return module
    if isinstance(value, torch.dtype | torch.memory_format):
        return getattr(seegrad, str(value).removeprefix("torch."))
    if isinstance(value, torch.device):
        return "cpu"
    if type(value) in (tuple, list):
        return type(value)(translated(one, held) for one in value)
    if isinstance(value, dict):
        return {name: translated(one, held) for name, one in value.items()}
    return value


def copied(tensor: Any) -> Any:
    """The numbers of a tensor of PyTorch in a tensor of seegrad."""
    wide = tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor
    return seegrad.from_numpy(wide.numpy().copy("K")).to(translated(tensor.dtype))


def extent(tensor: Any) -> int:
    """How many bytes of its memory a tensor of PyTorch needs; more than one."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    last = tensor.storage_offset() + sum((size - 1) * step for size, step in steps)
    return max((int(last) + 1) * int(tensor.element_size()), 2)


def flat(tensor: Any) -> Any:
    """All the memory that a tensor of PyTorch lies in."""
    many = tensor.untyped_storage().nbytes() // tensor.element_size()
    return tensor.as_strided((many,), (1,), 0)


def tensors(value: Any) -> list[Any]:
    """The tensors of an argument or a result, one after the other; numbers become tensors."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        return [one for part in value for one in tensors(part)]
    return [value] if hasattr(value, "requires_grad") else []


def cotangent(torch: Any, like: Any, seed: int) -> Any:
    """Fixed numbers of the shape and dtype of a tensor."""
    values = np.cos(np.arange(like.numel()) * 1.7 + seed).reshape(tuple(like.shape))
    if like.dtype.is_complex:
        values = values + 0.5j * np.sin(values + seed)
    return torch.tensor(values, dtype=like.dtype)


def answer(
    torch: Any, again: bool, call: Any, arguments: Any, process: Any
) -> dict[str, list[Any]]:
    """Results, first and (if `again`) second derivatives along fixed cotangents, as tensors."""
    first, args, kwargs = arguments
    results = process(call(first, *args, **kwargs))
    found = {"value": tensors(results), "first": [], "second": []}
    leaves = [one for one in tensors([first, args, kwargs]) if one.requires_grad]
    roots = [one for one in found["value"] if one.requires_grad]
    is_double = all(one.element_size() // (1 + one.dtype.is_complex) == 8 for one in leaves)
    if not roots or not leaves or not is_double:
        return found
    seeds = [cotangent(torch, root, 1).requires_grad_(again) for root in roots]
    grads = torch.autograd.grad(roots, leaves, seeds, create_graph=again, allow_unused=True)
    found["first"] = defined(torch, grads, leaves)
    further = [one for one in grads if one is not None and one.requires_grad]
    if again:
        along, sources = [cotangent(torch, one, 2) for one in further], [*leaves, *seeds]
        more = (
            torch.autograd.grad(further, sources, along, allow_unused=True)
            if further
            else [None] * len(sources)
        )
        found["second"] = defined(torch, more, sources)
    return found


def defined(torch: Any, grads: Any, sources: list[Any]) -> list[Any]:
    """Gradients, zeros where there is none."""
    pairs = zip(grads, sources, strict=True)
    return [torch.zeros_like(s) if g is None else g for g, s in pairs]


def differences(entry: Any, sample: Any) -> list[str]:
    """Where the answers differ, in words."""
    import torch

    arguments = (sample.input, tuple(sample.args), sample.kwargs)
    own_arguments = tuple(translated(one) for one in arguments)
    process = sample.output_process_fn_grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = entry.supports_gradgrad
        try:
            try:
                wanted = answer(torch, again, entry.op, arguments, process)
            except RuntimeError as error:
                if not again or not re.match(NO_DERIVATIVE, str(error)):
                    raise
                again = False  # of the derivative
                wanted = answer(torch, again, entry.op, arguments, process)
        except Exception as error:
            return refusal(entry, own_arguments, ours(process), error)
        try:
            found = answer(seegrad, again, call_of(entry), own_arguments, ours(process))
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
    return [
        f"{part}: {text}"
        for part in wanted
        for text in compared(entry, part, found[part], wanted[part])
    ]


def refusal(entry: Any, arguments: Any, process: Any, error: Exception) -> list[str]:
    """What PyTorch refuses is refused here, or answered better."""
    try:
        answer(seegrad, entry.supports_gradgrad, call_of(entry), arguments, process)
    except type(error):
        return []
    except Exception as other:
        return [f"{type(other).__name__} for {type(error).__name__}: {error}"]
    return [f"no {type(error).__name__}: {error}"]


def compared(entry: Any, part: str, found: list[Any], wanted: list[Any]) -> list[str]:
    """How two lists of tensors differ in number, dtype, shape, strides of views, numbers."""
    if len(found) != len(wanted):
        return [f"{len(found)} tensors for {len(wanted)}"]
    texts = []
    for place, (mine, other) in enumerate(zip(found, wanted, strict=True)):
        for what in ("dtype", "shape"):
            one, two = (str(getattr(t, what)) for t in (mine, other))
            if one != two:
                texts.append(f"{place} has {what} {one}, not {two}")
        if part == "value" and other._is_view() and tuple(mine.stride()) != tuple(other.stride()):
            texts.append(f"{place} has strides {mine.stride()}, not {other.stride()}")
        spared = part != "value" and label(entry) in NUMBERS_FOR_NAN
        factor = ILL_CONDITIONED.get(label(entry), 1) if part == "second" else 1
        if not texts and not close(mine, other, factor, spared):
            texts.append(f"{place} is {mine.detach()}, not {other.detach()}")
    return texts


def close(mine: Any, other: Any, factor: float = 1, spared: bool = False) -> bool:
    """Whether the numbers agree; NaN agrees with NaN, and if `spared` with any number."""
    one, two = numpy(mine), numpy(other)
    if spared:
        one, two = (np.where(np.isnan(two), 0, array) for array in (one, two))
    scale = np.max(np.abs(two[np.isfinite(two)]), initial=1.0)
    tolerance = TOLERANCES.get(str(other.dtype).removeprefix("torch."), 0) * factor
    return bool(np.allclose(one, two, tolerance, tolerance * min(scale, 1e6), equal_nan=True))


def refusals(entry: Any) -> list[tuple[str, str]]:
    """What both libraries say to the entry's wrong inputs: ours and PyTorch's, class and text."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for wrong in entry.error_inputs("cpu") if entry.error_inputs_func else ():
            sample = wrong.sample_input
            arguments = (sample.input, tuple(sample.args), sample.kwargs)
            given = tensors(list(arguments))
            if any(one.device.type != "cpu" or one.ndim > 64 for one in given):
                continue  # NumPy has no more dimensions
            held: dict[Any, Any] = {}
            own = tuple(translated(one, held) for one in arguments)
            found.append((said(lambda: call_of(entry), own), said(lambda: entry.op, arguments)))
    return found


def said(find: Callable[[], Callable[..., Any]], arguments: Any) -> str:
    """Class and text of the error that a call raises."""
    first, args, kwargs = arguments
    try:
        find()(first, *args, **kwargs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def disagreements(entry: Any, dtype: str, most: int | None = None) -> list[list[str]]:
    """For each sample of an entry, where the answers differ."""
    return [differences(entry, sample) for sample in samples(entry, dtype, most)]


def report(families: list[str], dtypes: tuple[str, ...] = ("float64", "complex128")) -> None:
    """Prints what holds: for each entry and dtype how many samples, and the first difference."""
    held = asked = 0
    for entry in entries(*families):
        for dtype in dtypes:
            found = disagreements(entry, dtype)
            wrong = [one for one in found if one]
            if found:
                asked, held = asked + 1, held + (not wrong)
                print(f"{label(entry)} {dtype}: {len(found) - len(wrong)} of {len(found)}")
            for text in sorted({one[0][:300] for one in wrong})[:3]:
                print("   ", text)
        said_twice = refusals(entry) if "float64" in dtypes else []
        for mine, theirs in said_twice:
            if mine != theirs:
                print("   ", mine, "| for |", theirs)
    print(f"{held} of {asked} hold")


if __name__ == "__main__":
    report(sys.argv[1:])
