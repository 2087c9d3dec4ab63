"""PyTorch's sentences for arguments of kinds that no signature of a function takes."""

from typing import Any

from seegrad.graph.tensor import TensorBase

__all__ = ["SIGNATURES", "TENSOR_FIRST", "invalid_combination", "type_name", "wrong_kinds"]

_OUT = "*, Tensor out = None"
_TENSORS = f"Tensor input, Tensor other, {_OUT}"
_NUMBER = f"Tensor input, Number other, {_OUT}"
_SECOND = (_TENSORS, _NUMBER)
_EITHER = (_TENSORS, f"Number self, Tensor other, {_OUT}", _NUMBER)
_EXPONENT = tuple(one.replace("other", "exponent") for one in _EITHER)
_BITS = (_TENSORS, "Number self, Tensor other", _NUMBER)
_DEGREES = tuple(f"{a}, {b}, {_OUT}" for a, b in (
    ("Tensor x", "Tensor n"), ("Number x", "Tensor n"), ("Tensor x", "Number n")
))  # fmt: skip
_MADE = (
    "*, Tensor out = None, torch.dtype dtype = None, torch.layout layout = None, torch.device "
    "device = None, bool pin_memory = False, bool requires_grad = False"
)
_ENDS = [f"{a} start, {b} end" for b in ("Tensor", "Number") for a in ("Tensor", "Number")]
_EXTREME = (
    f"Tensor input, {_OUT}",
    _TENSORS,
    "Tensor input, int dim, bool keepdim = False, *, tuple of Tensors out = None",
)
_SPLIT = ("Tensor input, int sections", "Tensor input, tuple of ints indices")

# Functions with several signatures, under their names in messages.
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("copysign", "eq", "fmod", "ge", "gt", "le", "lt", "ne"), _SECOND),
    **dict.fromkeys(("bitwise_and", "bitwise_left_shift", "bitwise_or"), _BITS),
    **dict.fromkeys(("bitwise_right_shift", "bitwise_xor", "remainder"), _BITS),
    **dict.fromkeys(("special_xlog1py", "special_zeta", "xlogy"), _EITHER),
    **{
        f"special_{kind}_polynomial_{letter}": _DEGREES
        for kind, letters in {
            "chebyshev": "tuvw",
            "shifted_chebyshev": "tuvw",
            "hermite": ("h", "he"),
            "laguerre": "l",
            "legendre": "p",
        }.items()
        for letter in letters
    },
    **{
        f"clamp_{bound}": tuple(one.replace("other", bound) for one in _SECOND)
        for bound in ("max", "min")
    },
    **dict.fromkeys(("float_power", "pow"), _EXPONENT),
    **dict.fromkeys(("max", "min"), _EXTREME),
    **dict.fromkeys(("hsplit", "vsplit"), _SPLIT),
    "linspace": tuple(f"{ends}, int steps, {_MADE}" for ends in _ENDS),
    "logspace": tuple(f"{ends}, int steps, float base = 10.0, {_MADE}" for ends in _ENDS),
    "rsub": ("Tensor input, Tensor other, *, Number alpha = 1",
             "Tensor input, Number other, Number alpha = 1"),
}  # fmt: skip

# Operators whose second operand may be a number, the first may not.
TENSOR_FIRST = frozenset({"eq", "fmod", "ge", "gt", "le", "lt", "ne"})


def invalid_combination(name: str, *args: Any) -> TypeError:
    """PyTorch's list of the signatures of a function, none of which takes the arguments.

    >>> from seegrad.operators.signatures import invalid_combination
    >>> print(invalid_combination("hsplit", "a"))
    hsplit() received an invalid combination of arguments - got (str), but expected one of:
     * (Tensor input, int sections)
     * (Tensor input, tuple of ints indices)
    <BLANKLINE>
    """
    kinds = [kind_of(arg) for arg in args]
    lines = [
        f"{name}() received an invalid combination of arguments - got ({', '.join(kinds)}), but "
        "expected one of:"
    ]
    for signature in SIGNATURES[name]:
        lines.append(f" * ({signature})")
        wanted = [part.split()[0] for part in signature.split(", ") if part != "*"]
        if len(wanted) == len(args) and "out" not in signature:
            marked = ", ".join(
                k if k == w else f"!{k}!" for k, w in zip(kinds, wanted, strict=True)
            )
            lines.append(
                f"      didn't match because some of the arguments have invalid types: ({marked})"
            )
    return TypeError("\n".join(lines) + "\n")


def kind_of(value: Any) -> str:
    """The name of an argument's type in messages."""
    return "Tensor" if isinstance(value, TensorBase) else type_name(value)


def type_name(value: Any) -> str:
    """The name of its type, NumPy's with their module."""
    cls = type(value)
    return f"numpy.{cls.__name__}" if cls.__module__ == "numpy" else cls.__name__


def wrong_kinds(name: str, first: Any, second: Any) -> TypeError:
    """The error for two operands, of which one should be a tensor and is not."""
    if name in SIGNATURES:
        return invalid_combination(name, first, second)
    place = 2 if isinstance(first, TensorBase) else 1
    return TypeError(
        f"{name}(): argument '{'other' if place == 2 else 'input'}' (position {place}) must be "
        f"Tensor, not {type_name(second if place == 2 else first)}"
    )
