"""The steps that the functions of `torch.autograd.functional` have in common."""

from collections.abc import Callable, Sequence
from typing import Any

from seegrad.autograd import _functional_checks as checks
from seegrad.autograd._functional_checks import Stage
from seegrad.graph.tensor import requires
from seegrad.tensor.creation import zeros_like
from seegrad.tensor.differentiate import grad

__all__ = ["Run", "Tensors", "differentiate", "without_gaps", "zeros_to_differentiate"]

Tensors = tuple[Any, ...]


class Run:
    """One call of the user's function, at inputs that require gradients."""

    def __init__(self, api: str, inputs: Any, create_graph: bool, strict: bool) -> None:
        self.api = api
        self.create_graph = create_graph
        self.strict = strict
        self.inputs_are_tuple, given = checks.tensors_of(inputs, "inputs", api)
        self.inputs: Tensors = tuple(
            t.view_as(t) if create_graph and requires(t) else t.detach().requires_grad_()
            for t in given
        )
        self.outputs: Tensors = ()
        self.outputs_are_tuple = False

    def call(self, func: Callable[..., Any]) -> None:
        """Calls the function; in strict mode every output must require a gradient."""
        result = func(*self.inputs)
        self.outputs_are_tuple, self.outputs = checks.tensors_of(result, checks.OUTPUTS, self.api)
        if self.strict:
            checks.refuse_constant_outputs(self.outputs)

    def call_for_number(self, func: Callable[..., Any]) -> None:
        """Calls a function that has to return one number."""
        self.call(func)
        checks.check_single_output(self.outputs_are_tuple, self.outputs, self.api)

    def jacobian(self) -> Tensors:
        """The first derivatives of one number, to be differentiated again."""
        grads = differentiate(self.outputs, self.inputs, None, create_graph=True)
        filled = self.filled(grads, self.inputs, Stage.FIRST, constant_allowed=True)
        if self.strict:
            checks.refuse_constant_jacobian(filled)
        return filled

    def input_vector(self, v: Any) -> Tensors | None:
        """The given `v` in the shapes of the inputs; None, for 1, where these are one number."""
        if v is None:
            checks.require_single_element(self.inputs, checks.INPUT)
            return None
        return self._vector(v, self.inputs, self.inputs_are_tuple)

    def output_vector(self, v: Any) -> Tensors | None:
        """The given `v` in the shapes of the outputs; None, for 1, where these are one number."""
        if v is None:
            checks.require_single_element(self.outputs, checks.OUTPUT)
            return None
        return self._vector(v, self.outputs, self.outputs_are_tuple)

    def _vector(self, v: Any, others: Tensors, is_tuple: bool) -> Tensors:
        _, given = checks.tensors_of(v, "v", self.api)
        vector = given if self.create_graph else tuple(t.detach() for t in given)
        checks.check_vector(vector, others, is_tuple)
        return vector

    def filled(
        self,
        grads: Tensors,
        like: Tensors,
        stage: Stage,
        *,
        constant_allowed: bool = False,
        output: int = 0,
    ) -> Tensors:
        """Zeros for absent gradients; in strict mode an error."""
        if self.strict:
            refuse_constant = self.create_graph and not constant_allowed
            for index, gradient in enumerate(grads):
                stage.check(index, gradient, refuse_constant, output)
        return without_gaps(grads, like)

    def for_outputs(self, tensors: Tensors) -> Any:
        """What the caller gets: as many tensors as the function returned."""
        return packed(tensors, self.outputs_are_tuple, self.create_graph)

    def for_inputs(self, tensors: Tensors) -> Any:
        """What the caller gets: as many tensors as there are inputs."""
        return packed(tensors, self.inputs_are_tuple, self.create_graph)


def without_gaps(grads: Tensors, like: Tensors) -> Tensors:
    """Zeros for absent gradients."""
    return tuple(zeros_like(t) if g is None else g for g, t in zip(grads, like, strict=True))


def packed(tensors: Any, is_tuple: bool, create_graph: bool) -> Any:
    """A tuple, or its only tensor; without history unless `create_graph`."""
    found = tensors if create_graph else _cut(tensors)
    return found if is_tuple else found[0]


def _cut(tensors: Any) -> Any:
    if isinstance(tensors, tuple):
        return tuple(_cut(t) for t in tensors)
    return tensors.detach()


def zeros_to_differentiate(like: Tensors) -> Tensors:
    """Zeros of the same shapes: gradients to start from that can be differentiated by.

    A backward pass is linear in the gradient it starts from, so its derivative by that gradient
    is the forward derivative. This is the double backward trick.
    """
    return tuple(zeros_like(t, requires_grad=True) for t in like)


def differentiate(
    outputs: Sequence[Any],
    inputs: Tensors,
    grad_outputs: Sequence[Any] | None,
    *,
    create_graph: bool,
    batched: bool = False,
) -> Tensors:
    """Gradients of `inputs`, None where no output depends on them; the graph is kept."""
    given = (None,) * len(outputs) if grad_outputs is None else grad_outputs
    pairs = [(o, g) for o, g in zip(outputs, given, strict=True) if requires(o)]
    if not pairs:
        return (None,) * len(inputs)
    return grad(
        [o for o, _ in pairs],
        inputs,
        [g for _, g in pairs],
        retain_graph=True,
        create_graph=create_graph,
        allow_unused=True,
        is_grads_batched=batched,
    )
