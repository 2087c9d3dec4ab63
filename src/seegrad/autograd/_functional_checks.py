"""What `torch.autograd.functional` refuses, in PyTorch's words."""

from collections.abc import Sequence
from enum import Enum
from typing import Any

from seegrad.graph.tensor import TensorBase, requires

__all__ = [
    "INPUT",
    "OUTPUT",
    "OUTPUTS",
    "Stage",
    "check_forward_mode",
    "check_reverse_mode",
    "check_single_output",
    "check_strategy",
    "check_vector",
    "refuse_constant_jacobian",
    "refuse_constant_outputs",
    "require_single_element",
    "tensors_of",
]

OUTPUTS = "outputs of the user-provided function"
STRATEGIES = ("forward-mode", "reverse-mode")
INPUT = "input to the user-provided function is"
OUTPUT = "user-provided function returns"
REFUSED = "This is not allowed in strict mode"
NO_JACOBIAN = f"The jacobian of the user-provided function is independent of input {{}}. {REFUSED}"
NO_HESSIAN = f"The hessian of the user-provided function is independent of input {{}}. {REFUSED}"


class Stage(Enum):
    """Where a gradient is taken: what strict mode says if it is absent, and if it is constant.

    A constant one is refused under `create_graph`, where it should be differentiable again.
    """

    FIRST = (
        f"The output of the user-provided function is independent of input {{}}. {REFUSED}.",
        f"{NO_JACOBIAN} when create_graph=True.",
    )
    FIRST_FORWARD = (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs "
        "when using the double backward trick to compute forward mode gradients. "
        f"{REFUSED}.",
        f"{NO_JACOBIAN} when create_graph=True.",
    )
    ELEMENT = (
        "Output {output} of the user-provided function is independent of input {}. "
        f"{REFUSED}.",
        # As PyTorch says it: the number is that of the output.
        f"{NO_JACOBIAN} when create_graph=True.".replace("{}", "{output}"),
    )
    SECOND = (f"{NO_JACOBIAN}.", f"{NO_HESSIAN} when create_graph=True.")
    SECOND_FORWARD = (
        "The hessian of the user-provided function is independent of entry {} in the "
        f"grad_jacobian. {REFUSED} as it prevents from using the double backward trick to replace "
        "forward mode AD.",
        f"{NO_HESSIAN} when create_graph=True.",
    )

    def check(self, index: int, gradient: Any, create_graph: bool, output: int = 0) -> None:
        """Raises RuntimeError for a gradient that strict mode does not allow."""
        absent, constant = self.value
        if gradient is None:
            raise RuntimeError(absent.format(index, output=output))
        if create_graph and not requires(gradient):
            raise RuntimeError(constant.format(index, output=output))


def tensors_of(given: Any, what: str, api: str) -> tuple[bool, tuple[Any, ...]]:
    """Whether a tuple was given, and its tensors; TypeError for anything but tensors."""
    is_tuple = isinstance(given, tuple)
    tensors = given if is_tuple else (given,)
    for index, value in enumerate(tensors):
        if not isinstance(value, TensorBase):
            subject = f"value at index {index}" if is_tuple else f"given {what}"
            given_to = f"{what} given to {api}"
            raise TypeError(
                f"The {given_to} must be either a Tensor or a tuple of Tensors but the {subject} "
                f"has type {type(value)}."
            )
    return is_tuple, tensors


def check_vector(vector: Sequence[Any], others: Sequence[Any], is_tuple: bool) -> None:
    """The tensors of `v` have the shapes of those that they are multiplied with."""
    if len(vector) != len(others):
        if not is_tuple:
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(others)} but got {len(vector)}."
        )
    for index, (entry, other) in enumerate(zip(vector, others, strict=True)):
        if entry.shape != other.shape:
            start = f"Entry {index} in v" if is_tuple else "v"
            raise RuntimeError(
                f"{start} has invalid size: should be {other.shape} but got {entry.shape}."
            )


def require_single_element(tensors: Sequence[Any], whose: str) -> None:
    """`v` may be left out where there is one number only."""
    if len(tensors) != 1 or tensors[0]._array.size != 1:
        raise RuntimeError(
            f"The vector v can only be None if the {whose} a single Tensor with a single element."
        )


def check_single_output(is_tuple: bool, outputs: Sequence[Any], api: str) -> None:
    """Second derivatives are taken of functions that return one number."""
    if is_tuple:
        raise RuntimeError(f"The function given to {api} should return a single Tensor")
    if outputs[0]._array.size != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {api} should contain a single element"
        )


def refuse_constant_outputs(outputs: Sequence[Any]) -> None:
    """Strict mode wants every output to require a gradient."""
    for index, output in enumerate(outputs):
        if not requires(output):
            raise RuntimeError(
                f"Output {index} of the user-provided function does not require gradients. The "
                "outputs must be computed in a differentiable manner from the input when running "
                "in strict mode."
            )


def refuse_constant_jacobian(jacobian: Sequence[Any]) -> None:
    """Strict mode wants every first derivative to depend on the inputs, before the second."""
    for index, part in enumerate(jacobian):
        if not requires(part):
            raise RuntimeError(
                "While computing the hessian, found that the jacobian of the user-provided "
                f"function with respect to input {index} is independent of the input. This is not "
                "allowed in strict mode. You should ensure that your function is twice "
                "differentiable and that the jacobian depends on the inputs (this would be "
                "violated by a linear function for example)."
            )


def check_strategy(strategy: Any, hint: str = "") -> None:
    """One of PyTorch's two strategies."""
    if strategy not in STRATEGIES:
        raise AssertionError(
            f'Expected strategy to be either "forward-mode" or "reverse-mode".{hint}'
        )


def check_reverse_mode(strict: bool) -> None:
    """Rows that are computed together cannot be examined one by one."""
    if strict:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
            "supported together. Please either set `strict=False` or `vectorize=False`."
        )


def check_forward_mode(create_graph: bool, strict: bool, vectorize: bool) -> None:
    """What PyTorch's forward mode does not do."""
    if create_graph:
        raise NotImplementedError(_not_together("create_graph"))
    if strict:
        raise RuntimeError(_not_together("strict"))
    if not vectorize:
        raise NotImplementedError(  # PyTorch's words, without the space
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian is"
            "only implemented for `vectorize=True`."
        )


def _not_together(option: str) -> str:
    return (
        f'torch.autograd.functional.jacobian: `{option}=True` and `strategy="forward-mode"` are '
        f"not supported together (yet). Please either set `{option}=False` or "
        '`strategy="reverse-mode"`.'
    )
