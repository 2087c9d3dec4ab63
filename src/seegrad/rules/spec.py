"""How a rule is declared: one call is one line of the table of derivatives.

    elementwise("mul(self, other)",
                self=lambda xp, grad, other: grad * other,
                other=lambda xp, grad, self: grad * self)

The signature names the parameters as PyTorch's operator schema does. A formula is called with the
namespace, the gradient of the output and the values that it names; those names are the save list.

Note [Fast]: where formulas of several operands have work in common, or would go through memory
many times, `fast=` names a kernel that the node calls instead when it runs on arrays:
`kernel(grad, wanted, *values)` gives a tuple with the gradient of each operand that has a formula,
None where `wanted` is False. It decides nothing: a generated test holds it equal to the formulas,
which remain what is differentiated again, and what complex numbers are read with.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

Formula = Callable[..., Any]

__all__ = [
    "REGISTRY",
    "Operator",
    "constant",
    "elementwise",
    "general",
    "linear",
    "multilinear",
    "not_implemented",
    "size_of",
    "variadic",
    "view",
    "without",
]


@dataclass(slots=True, eq=False)
class Operator:
    """One operator: its signature, what has a gradient, and the formulas."""

    name: str
    kind: str
    parameters: tuple[str, ...]
    defaults: dict[str, Any]
    operands: tuple[str, ...]
    formulas: dict[str, Formula]
    node: str
    promote: str = "none"
    result: str = ""
    outputs: tuple[str, ...] = ("result",)
    gradients: tuple[str, ...] = ()
    fused: bool = False
    holomorphic: bool = True
    wide: bool = True
    inplace: bool = False
    bools: bool = True
    # The same with the rule and the node of its in-place twin, where these are others.
    written: "Operator | None" = None
    # A kernel that stands in for the formulas on arrays, all gradients at once (Note [Fast]).
    fast: Formula | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    # Shapes and numbers that a node keeps to show them, though no formula mentions them.
    shown: tuple[str, ...] = ()
    uses: dict[str, tuple[str, ...]] = field(init=False)
    fast_uses: tuple[str, ...] = field(init=False)
    saved: tuple[str, ...] = field(init=False)
    kept: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.gradients = self.gradients or self.outputs[:1]
        self.uses = {name: mentions(formula) for name, formula in self.formulas.items()}
        self.fast_uses = mentions(self.fast) if self.fast else ()
        named = dict.fromkeys(use for uses in self.uses.values() for use in uses)
        named |= dict.fromkeys((*self.fast_uses, *self.shown))
        self.saved = tuple(n for n in named if n in self.operands or n in self.outputs)
        self.kept = tuple(n for n in named if n not in self.saved)
        for name in self.kept:
            operand = name.removesuffix("_strides").removesuffix("s").removesuffix("_shape")
            operand = operand.removesuffix("_numel")
            if name not in self.parameters and operand not in self.operands:
                raise TypeError(
                    f"the rule of {self.name} mentions {name!r}, which it does not have"
                )

    def users(self, name: str) -> list[str]:
        """The operands whose gradients are made of a value."""
        everyone = name in self.fast_uses
        return [o for o in self.formulas if everyone or name in self.uses[o]]

    @property
    def many(self) -> bool:
        """Whether the outputs are a list, all of them differentiable."""
        return self.outputs == ("list",)

    @property
    def several(self) -> bool:
        """Whether more than one output has a gradient."""
        return self.many or len(self.gradients) > 1

    @property
    def variadic(self) -> bool:
        """Whether the operand is a list of tensors."""
        return self.kind == "variadic"


REGISTRY: dict[str, Operator] = {}


def mentions(formula: Formula) -> tuple[str, ...]:
    """The names a formula asks for after the namespace and the gradient."""
    code = formula.__code__
    return code.co_varnames[2 : code.co_argcount]


def parse(signature: str) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    """Name, parameters and literal defaults of `"sum_dim(self, dim, keepdim=False)"`."""
    name, _, rest = signature.partition("(")
    parameters: list[str] = []
    defaults: dict[str, Any] = {}
    for part in rest.rstrip(")").split(","):
        parameter, equals, default = (text.strip() for text in part.partition("="))
        parameters.append(parameter)
        if equals:
            defaults[parameter] = ast.literal_eval(default)
    return name.strip(), tuple(parameters), defaults


def node_name(name: str) -> str:
    """PyTorch's usual class name: `log_softmax` gives `LogSoftmaxBackward0`."""
    return "".join(word.capitalize() for word in name.split("_")) + "Backward0"


def declare(
    kind: str,
    signature: str,
    formulas: dict[str, Formula],
    node: str = "",
    operands: str = "",
    outputs: str = "result",
    gradients: str = "",
    shown: str = "",
    written: dict[str, Any] | None = None,
    **options: Any,
) -> Operator:
    """Makes an Operator of a declaration and enters it into the table.

    `written` are node and formulas of the in-place twin, where they are not the operator's.
    """
    name, parameters, defaults = parse(signature)
    named = operands.split() + [p for p in formulas if p not in operands.split()]
    operator = Operator(
        name=name,
        kind=kind,
        parameters=parameters,
        defaults=defaults,
        operands=tuple(p for p in parameters if p in named),
        formulas={p: formulas[p] for p in parameters if p in formulas},
        node=node or node_name(name),
        outputs=tuple(outputs.split()),
        gradients=tuple(gradients.split()),
        shown=tuple(shown.split()),
        **options,
    )
    unknown = [p for p in named if p not in parameters]
    if unknown or name in REGISTRY:
        raise TypeError(f"operator {name}: {unknown or 'declared twice'}")
    if written is not None:
        changed = {p: f for p, f in written.items() if p != "node"}
        operator.written = replace(
            operator, node=written["node"], formulas=operator.formulas | changed
        )
    REGISTRY[name] = operator
    return operator


OPTIONS = frozenset(
    {"attributes", "bools", "fast", "fused", "gradients", "holomorphic", "inplace", "node"}
    | {"operands", "outputs", "promote", "result", "shown", "wide", "written"}
)


def size_of(operand: str, dim: int) -> Any:
    """One size of an operand whose shape a node keeps, as an attribute of the node."""
    return property(lambda node: getattr(node, f"_saved_{operand}_sym_sizes")[dim])


def split(arguments: dict[str, Any]) -> tuple[dict[str, Formula], dict[str, Any]]:
    """Formulas and options out of the keywords of a declaration."""
    formulas = {k: v for k, v in arguments.items() if k not in OPTIONS}
    return formulas, {k: v for k, v in arguments.items() if k in OPTIONS}


def elementwise(signature: str, **arguments: Any) -> Operator:
    """An operator that treats each element alone: operands are promoted and broadcast."""
    formulas, options = split(arguments)
    options = {"promote": "operands", "inplace": True, **options}
    return declare("elementwise", signature, formulas, **options)


def linear(signature: str, **arguments: Any) -> Operator:
    """An operator that is linear in its operands taken together."""
    formulas, options = split(arguments)
    return declare("linear", signature, formulas, **options)


def multilinear(signature: str, **arguments: Any) -> Operator:
    """An operator that is linear in each operand alone, such as a matrix product."""
    formulas, options = split(arguments)
    return declare("multilinear", signature, formulas, **options)


def general(signature: str, **arguments: Any) -> Operator:
    """Any other differentiable operator."""
    formulas, options = split(arguments)
    return declare("general", signature, formulas, **options)


def view(signature: str, **arguments: Any) -> Operator:
    """An operator whose result shares memory with `self`.

    It only moves values, so its rule is right for complex ones without conjugates.
    """
    formulas, options = split(arguments)
    return declare("view", signature, formulas, **{"wide": False, "holomorphic": False, **options})


def variadic(signature: str, **arguments: Any) -> Operator:
    """An operator of a list of tensors; its formula returns one gradient for each."""
    formulas, options = split(arguments)
    return declare("variadic", signature, formulas, **options)


def constant(signature: str, **arguments: Any) -> Operator:
    """An operator without derivative: comparisons, indices."""
    formulas, options = split(arguments)
    if formulas:
        raise TypeError(f"{signature}: a constant operator has no formulas")
    if "operands" not in options:
        options["operands"] = " ".join(
            p for p in parse(signature)[1] if p in ("self", "other", "input")
        )
    return declare("constant", signature, formulas, **options)


def not_implemented(name: str) -> Formula:
    """The formula of what PyTorch records in a node `NotImplemented`."""
    return refusing(RuntimeError(f"derivative for aten::{name} is not implemented"))


def without(name: str) -> Formula:
    """The formula of an operand that PyTorch's node has no derivative for."""
    return refusing(NotImplementedError(f"the derivative for '{name}' is not implemented."))


def refusing(error: Exception) -> Formula:
    """A formula that raises a copy of an error."""

    def refuse(xp: Any, grad: Any) -> Any:
        """PyTorch has none, and says so when it is asked for."""
        raise type(error)(*error.args)

    return refuse
