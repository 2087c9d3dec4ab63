"""Hooks on the backward pass of a module, made of an identity Function around its call.

The identity goes around the module's tensor arguments and around its results:

    args -> [identity A] -> forward -> [identity B] -> results

A hook on node B sees the gradient of the results, one on node A that of the arguments. So the
hooks of a module need nothing from the loop: they are node hooks on two nodes of this call.
"""

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from seegrad.autograd.function import Function
from seegrad.autograd.grad_mode import is_grad_enabled
from seegrad.ops.once import warn
from seegrad.tensor.creation import zeros
from seegrad.tensor.tensor import Tensor

Grads = tuple[Tensor | None, ...]

_NO_INPUT_GRAD = (
    "Full backward hook is firing when gradients are computed with respect to module outputs "
    "since no inputs require gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module."
    "html#torch.nn.Module.register_full_backward_hook for more details."
)


class BackwardHookFunction(Function):
    """The identity on several tensors: one node whose hooks see all their gradients together."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple[Tensor, ...]:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        return args


class BackwardHook:
    """The backward hooks of one call of a module."""

    def __init__(
        self,
        module: Any,
        hooks: Iterable[Callable[..., Any]],
        pre_hooks: Iterable[Callable[..., Any]],
    ) -> None:
        self.module = module
        self.hooks = list(hooks)
        self.pre_hooks = list(pre_hooks)
        self.grad_outputs: Grads | None = None
        self.count_inputs = 0
        self.inputs_like: list[tuple[Any, Any]] = []
        self.input_places: list[int] | None = None
        self.output_places: list[int] | None = None

    def wrap_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments behind an identity whose node calls the hooks."""
        self.inputs_like = [(a.shape, a.dtype) for a in args if isinstance(a, Tensor)]
        args, node, self.input_places = _behind_identity(args)
        self.count_inputs = len(args)
        if node is not None:
            node.register_hook(self._after_inputs)
        return args

    def wrap_outputs(self, result: Any) -> Any:
        """The results behind an identity whose node calls the pre-hooks first."""
        outputs = (result,) if isinstance(result, Tensor) else result
        if not isinstance(outputs, tuple):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of "
                f"Tensors but received {type(outputs)}",
                stacklevel=2,
            )
            return result
        outputs, node, self.output_places = _behind_identity(outputs)
        self.count_outputs = len(outputs)
        if node is not None:
            node.register_prehook(self._before_outputs)
        return outputs[0] if isinstance(result, Tensor) else outputs

    def _before_outputs(self, grads: Grads) -> Grads | None:
        """Node B is about to run: call the pre-hooks, remember the gradient of the results."""
        grad_outputs = _spread(grads, self.output_places, self.count_outputs)
        for hook in self.pre_hooks:
            changed = hook(self.module, grad_outputs)
            if changed is not None:
                expected = len(grad_outputs)
                grad_outputs = _as_tuple(changed, expected, "Backward pre hook", "grad_output")
        self.grad_outputs = grad_outputs
        if self.input_places is None and self.hooks:
            self._call_without_input_grad(grad_outputs)
        return _gather(grad_outputs, self.output_places)

    def _call_without_input_grad(self, grad_outputs: Grads) -> None:
        """No argument requires a gradient, so node A does not exist: call the hooks now."""
        warn(_NO_INPUT_GRAD)
        nothing = (None,) * self.count_inputs
        for hook in self.hooks:
            changed = hook(self.module, nothing, grad_outputs)
            if changed is not None and not (
                isinstance(changed, tuple) and all(grad is None for grad in changed)
            ):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always "
                    "return None or None for all gradients."
                )
        self.grad_outputs = None

    def _after_inputs(self, grads: Grads, _: Grads) -> Grads | None:
        """Node A has run: call the hooks with the gradients of arguments and of results."""
        if self.grad_outputs is None:
            return None  # the gradient did not come through the results: nothing to report
        filled = tuple(
            zeros(shape, dtype=dtype) if grad is None else grad
            for grad, (shape, dtype) in zip(grads, self.inputs_like, strict=True)
        )
        grad_inputs = _spread(filled, self.input_places, self.count_inputs)
        for hook in self.hooks:
            changed = hook(self.module, grad_inputs, self.grad_outputs)
            if changed is not None:
                expected = len(grad_inputs)
                grad_inputs = _as_tuple(changed, expected, "Backward hook", "grad_input")
        self.grad_outputs = None
        return _gather(grad_inputs, self.input_places)


def _behind_identity(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, list[int] | None]:
    """`values` with its tensors behind one identity node, that node, the places of the tensors.

    Node and places are None where nothing is recorded.
    """
    places = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
    recording = is_grad_enabled() and any(values[i].requires_grad for i in places)
    if not recording:
        return values, None, None
    wrapped = BackwardHookFunction.apply(*[values[i] for i in places])
    wrapped = (wrapped,) if isinstance(wrapped, Tensor) else wrapped
    mixed = list(values)
    for i, tensor in zip(places, wrapped, strict=True):
        mixed[i] = tensor
    node = next(tensor.grad_fn for tensor in wrapped if tensor.grad_fn is not None)
    return tuple(mixed), node, places


def _spread(grads: Grads, places: list[int] | None, count: int) -> Grads:
    """The gradients at the places of their tensors, None at those of other values."""
    spread: list[Tensor | None] = [None] * count
    for i, grad in zip(places or (), grads, strict=True):
        spread[i] = grad
    return tuple(spread)


def _gather(grads: Grads, places: list[int] | None) -> Grads:
    return tuple(grads[i] for i in places or ())


def _as_tuple(changed: Any, expected: int, who: str, what: str) -> Grads:
    """What a hook returned, as a tuple of the expected length."""
    grads = changed if isinstance(changed, tuple) else (changed,)
    if len(grads) != expected:
        raise RuntimeError(
            f"{who} returned an invalid number of {what}, got {len(grads)}, "
            f"but expected {expected}"
        )
    return grads
