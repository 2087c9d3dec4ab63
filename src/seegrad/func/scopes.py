"""A transformation at work: its inputs begin histories of their own, and what it gives keeps none.

Note [Scopes]: there is one graph. What a transformation hands to the user's function are aliases
of the inputs, leaves whose gradients arrive at an AliasBackward0 instead of an AccumulateGrad.
From there it goes on to the history of the input itself, if what is around records one, so that
what the transformation computes can be differentiated from outside; else it ends there.

    x  <----  AliasBackward0  <----  what the function computes of the alias  <----  output
              (gradients of this call are captured here)

A result whose history leads to nothing but such ends is detached: it would require a gradient for
nobody. So that these can be told from the inputs of transformations that still run, whose
functions may differentiate the result, a node is `open` until its function has returned.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from seegrad.autograd._trees import mapped
from seegrad.autograd.grad_mode import enable_grad, inference_mode
from seegrad.graph.hooks import Hooks
from seegrad.graph.node import AccumulateGrad, Node, next_sequence
from seegrad.graph.state import thread
from seegrad.graph.tangents import give, tangents_of
from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.views import gradient_edge, history
from seegrad.tensor.history import change_requires

__all__ = ["AliasBackward0", "Scope", "transforming"]


class AliasBackward0(Node):
    """Where the gradient of an input of a transformation arrives (Note [Scopes])."""

    open = True

    def _run(self, grad: Any) -> tuple[Any, ...]:
        return (grad,)

    def _run_recording(self, grad: Any) -> tuple[Any, ...]:
        return (grad,)


def without_history(tensor: Any, change: Any = None) -> Any:
    """As `detach()`, with the tangents of forward mode, or what `change` makes of them."""
    cut = tensor.detach()
    for number, tangent in tangents_of(tensor).items():
        give(cut, number, tangent if change is None else change(tangent))
    return cut


class Held:
    """As a weak reference of a leaf to its node, but strong: an alias is never another leaf."""

    def __init__(self, node: AliasBackward0) -> None:
        self.node = node

    def __call__(self) -> AliasBackward0:
        return self.node


class Scope:
    """One call of a transformation: the aliases of its inputs, and whether anything is outside."""

    def __init__(self) -> None:
        self.recorded = thread.state.mode != 0  # whether results have histories
        self.given: list[Any] = []
        self.inputs: list[Any] = []
        self.nodes: list[AliasBackward0] = []

    def begin(self, value: Any) -> Any:
        """An alias of a tensor, a leaf that requires a gradient."""
        if not isinstance(value, TensorBase):
            text = f"Thing passed to transform API must be Tensor, got {type(value)}"
            raise ValueError(text)
        given: Any = value
        node = AliasBackward0()
        node._shape, node._dtype = given._array.shape, given._array.dtype
        followed = self.recorded and requires(given)
        node._next = (gradient_edge(given) if followed else None,)
        node._nrs = (given._nr,) if followed and given._nr else None
        node._sequence = next_sequence()
        alias = given.clone() if given.is_inference() else given
        alias = without_history(alias)
        change_requires(alias, True, "only Tensors of floating point dtype")
        alias._accumulator = Held(node)
        alias._hooks = node._hooks = Hooks()  # a leaf's hooks live on the tensor
        self.given.append(given)
        self.inputs.append(alias)
        self.nodes.append(node)
        return alias

    def close(self) -> None:
        """The function has returned: what it computed is seen from outside from here on."""
        for node in self.nodes:
            node.open = False

    def leads_outside(self, value: Any) -> bool:
        """Whether somebody outside may want gradients of this tensor."""
        if not self.recorded or not isinstance(value, TensorBase):
            return False
        if requires(value) and leads_outside([gradient_edge(value)]):
            return True
        return any(map(self.leads_outside, tangents_of(value).values()))

    def seen_from_outside(self, tree: Any) -> Any:
        """Results, with the history that they have outside."""
        return mapped(self._seen, tree)

    def _seen(self, value: Any) -> Any:
        if not isinstance(value, TensorBase) or not requires(value):
            return value
        for alias, given in zip(self.inputs, self.given, strict=True):
            if value is alias:
                return given
        if self.leads_outside(value) or (not self.recorded and history(value) is None):
            return value
        seen: Any = value
        seen = without_history(seen, self._seen)
        seen._cut = None if self.recorded else "no_grad"  # nobody called detach() (Note [Cut])
        return seen


def leads_outside(nodes: Sequence[Node | None]) -> bool:
    """Whether these nodes lead to a leaf, or to an input of a transformation that still runs."""
    waiting = list(nodes)
    seen: set[Node] = set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if isinstance(node, AccumulateGrad) or (isinstance(node, AliasBackward0) and node.open):
            return True
        seen.add(node)
        waiting += node._next
    return False


@contextmanager
def transforming(name: Any, scope: Scope | None = None) -> Iterator[None]:
    """Inside, `backward()` and the like are refused; with a scope recording is on in any case."""
    state = thread.state
    before = state.transforms
    state.transforms = (*before, name)
    try:
        if scope is None:
            yield
        elif state.inference:
            with inference_mode(False), enable_grad():
                yield
        else:
            with enable_grad():
                yield
    finally:
        state.transforms = before
        if scope is not None:
            scope.close()
