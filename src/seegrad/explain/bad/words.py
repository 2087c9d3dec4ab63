"""What to say of operators that make NaN and infinities, and the textbook cure for each."""

from seegrad.explain.bad.finite import is_finite, shortly
from seegrad.explain.bad.steps import BadStep
from seegrad.explain.bad.values import Bad, plain_name
from seegrad.explain.record import Made, ancestors

__all__ = [
    "HIDING",
    "backward_cure",
    "backward_says",
    "forward_cure",
    "forward_says",
]

LOGS = ("log", "log2", "log10", "log1p", "xlogy")
ROOTS = ("sqrt", "rsqrt", "norm", "linalg_norm", "vector_norm", "linalg_vector_norm", "cdist")
DOUBLE_WHERE = (
    "make the argument harmless before the call, not only the result after it (the double where: "
    "x_safe = torch.where(ok, x, 1); torch.where(ok, f(x_safe), 0))"
)


# What throws elements away.
HIDING = frozenset(["where", "masked_fill", "nan_to_num", "clamp", "index", "masked_select"])
# What nodes call their saved values.
SAVED = {"self": "its input", "result": "its result", "other": "its second input"}


def call(bad: Bad) -> str:
    """A call as a report shows it: "log(0)"."""
    birth = bad.birth
    assert birth is not None
    return f"{plain_name(bad.made.name)}({', '.join(birth.operands[:3])})"


def forward_says(bad: Bad) -> str:
    """What happened in a call that made a bad value."""
    birth = bad.birth
    assert birth is not None
    name, value = plain_name(bad.made.name), shortly(birth.value)
    first = birth.operands[0] if birth.operands else ""
    if name in LOGS:
        if first.startswith("-") and first != "-0":
            return f"the logarithm of a negative number ({first}) is {value}"
        return f"the logarithm of {first} is {value}"
    if name in ("sqrt", "rsqrt") and first.startswith("-"):
        return f"the square root of a negative number ({first}) is nan"
    if name in ("exp", "exp2", "expm1", "cosh", "sinh", "softplus"):
        return f"{name}({first}) does not fit in the type of the tensor: it overflows to {value}"
    if name == "div" and len(birth.operands) > 1:
        above, below = birth.operands[:2]
        below = above if bad.made.name == "__rtruediv__" else below
        if below in ("0", "-0"):
            if bad.nan and is_norm(bad.made.parents[-1]):
                return "a vector of zeros is divided by its norm, which is 0 too: 0 / 0 is nan"
            return f"a division by zero, {call(bad)}, gives {value}"
    if name in ("acos", "asin", "arccos", "arcsin", "atanh", "acosh"):
        return f"{name}({first}) is outside of where {name} has a value: {value}"
    if name in ("std", "var", "std_mean", "var_mean"):
        return f"the {name} of a single value divides by n - 1 = 0: nan"
    if bad.nan and name == "mul" and bad.sources:
        return f"0 times an infinity is nan: {call(bad)}"
    if bad.nan and bad.sources and name in ("sub", "add"):
        return f"infinity minus infinity is nan: {call(bad)}"
    return f"{call(bad)} gives {value}, the first bad value"


def is_norm(made: Made) -> bool:
    """Whether a number is the length of a vector."""
    names = [plain_name(one.name) for one in ancestors(made, 4)]
    if any("norm" in name for name in names[:2]):
        return True
    squares = {"pow", "square", "mul"} & set(names)
    return bool(squares) and "sum" in names and ("sqrt" in names or "pow" in names[:2])


def forward_cure(name: str) -> str:
    """The way out of a bad value in the forward pass."""
    if name in LOGS:
        return (
            "keep the argument away from zero, log(x.clamp(min=1e-8)), or use what works on the "
            "scores themselves: log_softmax, logsigmoid, binary_cross_entropy_with_logits, xlogy"
        )
    if name in ("exp", "exp2", "expm1", "cosh", "sinh"):
        return (
            "subtract the maximum before exp, or use softmax, log_softmax or torch.logsumexp, "
            "which do; or clamp the exponent"
        )
    if name in ("div", "reciprocal"):
        return "add a small eps to the denominator, or replace zeros in it by where"
    if name in ("sqrt", "rsqrt", "pow", "float_power"):
        return "clamp the argument first, x.clamp(min=0), and add a small eps inside the root"
    if name in ("acos", "asin", "arccos", "arcsin", "atanh"):
        return "clamp the argument to (-1 + eps, 1 - eps)"
    if name in ("std", "var"):
        return "give it two values at least, or correction=0"
    if name in ("mul", "sub", "add"):
        return "choose with torch.where instead of calculating with infinities"
    return "keep its arguments in the range where it has a finite value (clamp, eps)"


def backward_says(step: BadStep, nan: bool, hider: str = "") -> str:
    """What happened in a step of a backward pass; `hider`: what hid the value in the forward."""
    name = step.operator
    at = " and ".join(f"{SAVED.get(n, n)} is {shortly(v)}" for n, v in step.operands[:2])
    there = f" where {at}" if at else ""
    if step.overflowed:
        return f"the gradient of {name} is too large for {step.overflowed}{there}: it became inf"
    if step.slope is not None and not is_finite(step.slope):
        slope = f"the slope of {name} is {shortly(step.slope)}{there}"
        if step.nan and step.grad is not None and step.grad == 0 and hider:
            return (
                f"{hider} hides what {name} gives, but backward still runs through it: {slope}, "
                f"and 0 times {shortly(step.slope)} is nan"
            )
        if step.nan and step.grad is not None and step.grad == 0:
            times = f"0 times {shortly(step.slope)} is nan"
            return f"{slope}, and the gradient that arrives is 0: {times}"
        if nan and step.turned is not None:
            return f"{slope}; a later 0 times {shortly(step.value)} makes the gradient nan"
        return f"{slope}: the gradient becomes {shortly(step.value)}"
    if step.nan and step.grad is not None and step.grad == 0:
        return f"the backward of {name} calculates 0 times an infinity{there}: nan"
    return f"the backward of {name} makes {shortly(step.value)} out of a finite gradient{there}"


def backward_cure(step: BadStep, masked: bool) -> str:
    """The way out of a bad value in the backward pass."""
    name = step.operator
    if masked or (step.grad is not None and step.grad == 0):
        return DOUBLE_WHERE
    if any(name.startswith(root) for root in ROOTS) or "norm" in name:
        return "add a small eps inside the root: torch.sqrt(x + 1e-12)"
    if name.startswith(("acos", "asin", "acosh", "atanh")):
        return "clamp the argument to (-1 + eps, 1 - eps)"
    if name.startswith("pow"):
        return "keep the base away from zero: (x + eps) ** p, or x.clamp(min=eps)"
    if name in LOGS:
        return "keep the argument away from zero: log(x.clamp(min=1e-8))"
    if name.startswith(("div", "reciprocal")):
        return "keep the denominator away from zero: add eps"
    return "keep its argument away from where its slope is infinite (clamp, eps)"
