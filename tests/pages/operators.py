"""The list in docs/operators.md: every public operator of PyTorch, and whether it is here.

What is there is looked up; an operator is there partly if the accounts over PyTorch's table
(`tests/opdb`) name it among those that differ.
"""

import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import seegrad
from tests.opdb import account, exceptions

NAME = "operators.md"
TITLE = "## Every public operator"

HEAD = f"""{TITLE}

Written by `make pages`. Partly there is what the accounts above name, with what differs; what is
not there has its reason.
"""

# Why operators are not there, by how their names begin or end; the first that fits counts.
REASONS = {
    "sparse and nested tensors": r".*(sparse|spmm|smm|addmm|col_indices|row_indices|coalesced?"
    r"|_dense|dense_dim|padded_tensor)|native_norm|values|indices|hspmm",
    "quantised tensors": r".*(quant|scaled|grouped_mm|qparams)|fbgemm|q_|qscheme|int_repr|fused_m",
    "one device's kernels": r"(to_)?mkldnn|(cudnn|miopen|is_vulkan|batch_norm)_|record_stream"
    r"|ipu|xpu|mtia",
    "functorch's dimensions as objects": r"index$",
    "what a compiler traces": r"sym_|slice_inverse|dim_order|is_distributed|module_load"
    r"|const_data",
    "types that NumPy does not have": r"chalf|hash_tensor",
}


def scopes(torch: Any) -> dict[str, tuple[Any, Any, list[str]]]:
    """PyTorch's namespaces, ours, and the names of the operators in them."""
    functional = torch.nn.functional
    kernels = {*dir(torch._C._VariableFunctions), *torch.functional.__all__}
    return {
        "torch": (torch, seegrad, sorted(kernels)),
        "torch.Tensor": (torch.Tensor, seegrad.Tensor, dir(torch.Tensor)),
        "torch.linalg": (torch.linalg, seegrad.linalg, dir(torch.linalg)),
        "torch.fft": (torch.fft, seegrad.fft, dir(torch.fft)),
        "torch.special": (torch.special, seegrad.special, dir(torch.special)),
        "torch.nn.functional": (functional, seegrad.nn.functional, dir(functional)),
    }


def is_operator(scope: Any, name: str) -> bool:
    """Whether a name stands for something that computes with tensors."""
    value = getattr(scope, name, None)
    helper = re.match("_|has_torch|handle_torch|boolean_dispatch|assert_int|Optional", name)
    kinds = (type, ModuleType)
    return callable(value) and not helper and not isinstance(value, kinds)


def text(torch: Any) -> str:
    """The whole list."""
    return "\n".join([HEAD, *(line for name in scopes(torch) for line in section(torch, name))])


def section(torch: Any, scope: str) -> Iterator[str]:
    """What is there of one namespace, what partly, and what is not."""
    theirs, mine, found = scopes(torch)[scope]
    names = [name for name in found if is_operator(theirs, name)]
    there = [name for name in names if hasattr(mine, name)]
    differing = {name: why for name in there if (why := difference(scope, name))}
    missing: dict[str, list[str]] = {}
    for name in names:
        if name not in there:
            missing.setdefault(reason(name), []).append(name)
    yes = [name for name in there if name not in differing]
    yield from (f"### `{scope}`: {len(yes)} yes, {len(differing)} partly, "
                f"{len(names) - len(there)} no", "")  # fmt: skip
    yield from (f"Yes: {listed(yes)}.", "")
    if differing:
        yield "Partly:"
        yield from ("", *(f"* `{name}`: {why}" for name, why in differing.items()), "")
    if missing:
        yield "No:"
        yield from ("", *(f"* {why}: {listed(missing[why])}" for why in sorted(missing)), "")


def listed(names: list[str]) -> str:
    """Names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


def reason(name: str) -> str:
    """Why an operator is not there."""
    fitting = (why for why, pattern in REASONS.items() if re.match(pattern, name))
    return next(fitting, "not written")


def difference(scope: str, name: str) -> str:
    """What the accounts say of an operator."""
    prefix = scope.removeprefix("torch").removeprefix(".Tensor").removeprefix(".")
    full = f"{prefix}.{name}".removeprefix(".")
    whole = account.KNOWN | account.KNOWN_VALUES
    found = [why for entry, why in whole.items() if matches(entry, full)]
    for why, entries in exceptions.VALUES.items():
        dtypes = [these for entry, these in entries.items() if matches(entry, full)]
        if dtypes:
            found.append(f"{', '.join(sorted(set(' '.join(dtypes).split())))}: {why}")
    return "; ".join(dict.fromkeys(found))


def matches(entry: str, full: str) -> bool:
    """Whether an entry of PyTorch's table, perhaps a variant, is about an operator."""
    return entry == full or entry.startswith(f"{full}.")
