"""Checkpoints on saved-tensor hooks: what one call saved is computed again when it is needed.

Note [Recomputation]: while a checkpointed function runs, every tensor that an operator saves is
replaced by an empty Holder. The first Holder that a backward pass unpacks runs the function again,
under hooks that keep what is saved this time, in the same order; every Holder is then filled once.
Four rules follow.

* A tensor belongs to the innermost checkpoint, and the *inputs* of a checkpoint are saved under
  the hooks outside of it (`Inputs`). So an inner checkpoint finds its inputs by running the outer
  one again, and no pass holds more than one chain of regions.
* The function is left as soon as its last saved tensor is there (early stop).
* What is recomputed lives as long as the pass that asked for it (`Pass.notes`), so a second pass
  over a retained graph, and a pass inside of a hook, run the function anew.
* A function that itself calls `grad` unpacks its own Holders before it has ended. Then it has
  saved fewer tensors than it will, and a surplus is no error.
"""

import threading
import weakref
from collections.abc import Callable
from typing import Any

from seegrad.autograd.function import Function
from seegrad.autograd.grad_mode import enable_grad
from seegrad.autograd.saved_tensors import saved_tensors_hooks
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires
from seegrad.tensor.creation import empty
from seegrad.utils._checkpoint_errors import (
    CheckpointError,
    Log,
    check_count,
    check_metadata,
    metadata,
    surplus,
    unpacked_twice,
)

__all__ = ["Frame", "GraphExecGroup"]


class Holder:
    """Stands in a node for one tensor that will be computed again."""

    __slots__ = ("__weakref__",)


class Stop(Exception):
    """The last saved tensor is there; the rest of the function need not run."""


class Inputs(Function):
    """Saves the tensors among the arguments of a checkpoint, under the hooks outside of it."""

    @staticmethod
    def forward(ctx: Any, start: Any, *tensors: Any) -> Any:
        """An empty tensor whose node holds the tensors."""
        ctx.save_for_backward(*tensors)
        return start.view_as(start)

    @staticmethod
    def jvp(ctx: Any, start: Any, *tensors: Any) -> Any:
        """The tensors carry their tangents themselves."""
        return start.view_as(start)


class Arguments:
    """The arguments of a checkpointed function, tensors apart."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.places = [place for place, arg in enumerate(args) if isinstance(arg, TensorBase)]
        self.others = [None if isinstance(arg, TensorBase) else arg for arg in args]
        start = empty((0,), requires_grad=True)
        self.node = Inputs.apply(start, *(args[place] for place in self.places)).grad_fn

    def unpacked(self) -> list[Any]:
        """All arguments; RuntimeError where a tensor was written to since."""
        args = list(self.others)
        for place, tensor in zip(self.places, self.node.saved_tensors, strict=True):
            args[place] = tensor
        return args


class Recomputed:
    """What one pass computed again for one frame."""

    def __init__(self) -> None:
        self.count = 0
        self.tensors: weakref.WeakKeyDictionary[Holder, Any] = weakref.WeakKeyDictionary()
        self.metadata: dict[int, dict[str, Any]] = {}
        self.done = False


class Frame:
    """One call of a checkpointed function (Note [Recomputation]).

    Args:
        run: calls the function again, given its arguments.
        args: the arguments whose tensors are saved.
        early_stop, checks: leave the function early; compare shapes, dtypes and devices.
        log: collects where tensors are saved, under `debug=True`.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        args: tuple[Any, ...],
        early_stop: bool,
        checks: bool,
        log: Log | None,
    ) -> None:
        self.run = run
        self.arguments = Arguments(args)
        self.early_stop = early_stop
        self.checks = checks
        self.log = log
        self.holders: list[weakref.ref[Holder]] = []
        self.metadata: dict[int, dict[str, Any]] = {}
        self.completed = False  # whether the function has returned

    def hooks(self) -> saved_tensors_hooks:
        """The hooks for the forward pass."""
        return saved_tensors_hooks(self.pack, self.unpack)

    def pack(self, tensor: Any) -> Holder:
        """An empty holder."""
        holder = Holder()
        if self.checks:
            self.metadata[len(self.holders)] = metadata(tensor)
        if self.log is not None:
            self.log.note("original", tensor)
        self.holders.append(weakref.ref(holder))
        return holder

    def unpack(self, holder: Holder) -> Any:
        """The tensor, computed again by whoever comes first in this pass."""
        found = self.recomputed()
        try:
            if not found.done:
                self.recompute(found)
            if holder not in found.tensors:
                raise unpacked_twice(groups.innermost is not None)
        except CheckpointError as error:
            if self.log is None:
                raise
            raise CheckpointError(self.log.text()) from error
        return found.tensors.pop(holder)

    def recomputed(self) -> Recomputed:
        """What this pass, or the group of passes around it, has computed again so far."""
        owner = groups.innermost or thread.state.current
        if owner is None:
            return Recomputed()
        found: Recomputed = owner.notes.setdefault(self, Recomputed())
        return found

    def recompute(self, found: Recomputed) -> None:
        """Runs the function again, as far as it is needed."""
        args = self.arguments.unpacked()
        found.count = 0  # also after a run that failed, in a group of passes
        if self.log is not None:
            self.log.restart()

        def keep(tensor: Any) -> Any:
            return self.keep(found, tensor)

        try:
            with saved_tensors_hooks(keep, lambda kept: kept), enable_grad():
                self.run(*args)
        except Stop as stop:
            if stop.args != (found,):
                raise
        found.done = True
        if self.completed:
            check_count(len(self.holders), found.count)
        if self.checks:
            alive = [place for place, holder in enumerate(self.holders) if holder() is not None]
            check_metadata(alive, self.metadata, found.metadata)

    def keep(self, found: Recomputed, tensor: Any) -> Any:
        """One tensor that is saved again, without history; itself where it has none."""
        place, kept = found.count, tensor.detach() if requires(tensor) else tensor
        found.count += 1
        if self.log is not None:
            self.log.note("recompute", tensor)
        if place >= len(self.holders):
            if self.completed:
                raise surplus()
            return kept
        holder = self.holders[place]()
        if holder is not None:
            found.tensors[holder] = kept
            if self.checks:
                found.metadata[place] = metadata(tensor)
        if self.early_stop and found.count == len(self.holders):
            raise Stop(found)
        return kept


class Groups(threading.local):
    """The innermost `GraphExecGroup` of this thread."""

    innermost: "GraphExecGroup | None" = None


groups = Groups()


class GraphExecGroup:
    """Several backward passes inside run every checkpointed region again once, not once each.

    The passes must not need the same saved tensor. For checkpoints with `use_reentrant=False`.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import GraphExecGroup, checkpoint
    >>> def both(t):
    ...     print("called")
    ...     return t.sin(), t.cos()
    >>> x = torch.ones(1, requires_grad=True)
    >>> sin, cos = checkpoint(both, x, use_reentrant=False)
    called
    >>> with GraphExecGroup():
    ...     sin.backward()
    ...     cos.backward()
    called
    """

    def __init__(self) -> None:
        self.notes: dict[Any, Any] = {}

    def __enter__(self) -> "GraphExecGroup":
        if groups.innermost is not None:
            raise RuntimeError(
                "GraphExecGroup contexts cannot be nested. Already inside group "
                f"{groups.innermost}"
            )
        groups.innermost = self
        return self

    def __exit__(self, *error: object) -> None:
        groups.innermost = None
        self.notes.clear()


GraphExecGroup.__module__ = "torch.utils.checkpoint"
