"""A function under test at one point, and its outputs taken as real ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from seegrad.autograd._jacobians import as_tuple
from seegrad.errors import noted
from seegrad.graph.tensor import TensorBase, requires

__all__ = ["Case", "GradcheckError", "Options", "Part", "needs_gradient", "requires_grad"]

Func = Callable[..., Any]


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` and `gradgradcheck` when backward is not the derivative of forward."""


GradcheckError.__module__ = "seegrad.autograd.gradcheck"


@dataclass(frozen=True)
class Options:
    """What the caller of gradcheck asked for."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_undefined_grad: bool
    check_grad_dtypes: bool
    check_batched_grad: bool
    fast_mode: bool
    check_forward_ad: bool = False
    check_backward_ad: bool = True


class Case:
    """One function at one point: its arguments, those of them and those results that matter.

    Where no result requires a gradient all of them matter: none may depend on the inputs.
    """

    def __init__(self, func: Func, arguments: tuple[Any, ...], options: Options) -> None:
        self.func = func
        self.arguments = arguments
        self.options = options
        self.input_places = [i for i, a in enumerate(arguments) if needs_gradient(a)]
        self.inputs = [arguments[i] for i in self.input_places]
        outputs = as_tuple(func(*arguments))
        places = [i for i, o in enumerate(outputs) if requires_grad(o)]
        self.is_constant = not places
        self.output_places = places or list(range(len(outputs)))
        self.outputs = [outputs[i] for i in self.output_places]

    def run_again(self) -> list[Any]:
        """The outputs of a new run."""
        outputs = as_tuple(self.func(*self.arguments))
        return [outputs[i] for i in self.output_places]

    def parts(self) -> Iterator["Part"]:
        """The imaginary parts of complex outputs, then the real parts of all."""
        numbers = [n for n, output in enumerate(self.outputs) if _is_complex(output)]
        if numbers:
            yield Part(self, numbers, True)
        yield Part(self, list(range(len(self.outputs))), False)


@dataclass(frozen=True)
class Part:
    """The real or the imaginary parts of a case's outputs: real tensors."""

    case: Case
    numbers: list[int]
    imaginary: bool

    def outputs(self) -> list[Any]:
        """This part of the outputs that the case keeps."""
        return [self._of(self.case.outputs[number]) for number in self.numbers]

    def func(self, *arguments: Any) -> list[Any]:
        """The function under test, reduced to this part."""
        outputs = as_tuple(self.case.func(*arguments))
        places = self.case.output_places
        return [self._of(outputs[places[number]]) for number in self.numbers]

    def _of(self, output: Any) -> Any:
        if not _is_complex(output):
            return output
        return output.imag if self.imaginary else output.real

    def prefix(self, number: int) -> str:
        """What PyTorch's message says first where the output is complex."""
        if not _is_complex(self.case.outputs[number]):
            return ""
        name = "imaginary" if self.imaginary else "real"
        return f"While considering the {name} part of complex outputs only, "


def needs_gradient(argument: Any) -> bool:
    return isinstance(argument, TensorBase) and requires(argument)


def requires_grad(output: Any) -> bool:
    try:
        return bool(output.requires_grad)
    except AttributeError as error:
        given = type(output).__name__
        note = (
            f"gradcheck checks functions of tensors that return tensors; this one returns {given}."
        )
        raise noted(error, note)


def _is_complex(output: Any) -> bool:
    return bool(output._array.dtype.kind == "c")
