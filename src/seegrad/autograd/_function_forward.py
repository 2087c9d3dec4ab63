"""Forward mode of custom Functions: the tangents of the outputs, by the user's `jvp`."""

from typing import Any

from seegrad.autograd._function_outputs import is_constant, is_in
from seegrad.autograd._function_texts import (
    JVP_CONSTANT,
    JVP_COUNT,
    JVP_DTYPE,
    JVP_KIND,
    JVP_NOT_A_VIEW,
    JVP_NOT_IN_PLACE,
)
from seegrad.graph.levels import LEVELS, carries
from seegrad.graph.recorded import recorded
from seegrad.graph.state import thread
from seegrad.graph.tangents import below, give, laid_out, tangents_of
from seegrad.graph.tensor import TensorBase
from seegrad.tensor.duals import refuse_given

__all__ = ["Forward"]


class Forward:
    """One call of a Function whose arguments carry tangents."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = args
        found = [set(tangents_of(a)) for a in args if isinstance(a, TensorBase)]
        self.levels = sorted(set().union(*found)) if carries() else []
        self.dirty: tuple[Any, ...] = ()
        self.constant: list[bool] = []
        self.saved: tuple[Any, ...] = ()

    def note(self, ctx: Any, outs: tuple[Any, ...]) -> None:
        """Keeps what `forward` said of its tensors, which is forgotten when outputs are ready."""
        self.dirty = ctx.dirty_tensors or ()
        self.saved = ctx.saved_for_forward or ()
        self.constant = [is_constant(ctx, out) for out in outs]

    def finish(self, ctx: Any, outs: tuple[Any, ...]) -> None:
        """Gives the outputs their tangents."""
        for number in self.levels:
            for nr, tangent in enumerate(self.called(ctx, number, len(outs))):
                self.settle(outs[nr], nr, tangent, number)
        ctx._tangents = [getattr(out, "_tangents", None) for out in outs]

    def called(self, ctx: Any, number: int, count: int) -> tuple[Any, ...]:
        """What the user's `jvp` returns for one level, after PyTorch's checks of number."""
        returned = call(ctx, [self.given(ctx, a, number) for a in self.args], self.saved, number)
        found = returned if isinstance(returned, tuple) else (returned,)
        if len(found) != count:
            raise RuntimeError(JVP_COUNT.format(count, len(found)))
        for nr, tangent in enumerate(found):
            if tangent is not None and not isinstance(tangent, TensorBase):
                raise RuntimeError(JVP_KIND.format(type(tangent).__name__, nr))
        return found

    def given(self, ctx: Any, arg: Any, number: int) -> Any:
        """The tangent of an argument: zeros where it has none, None where it is no tensor."""
        if not isinstance(arg, TensorBase):
            return None
        found = tangents_of(arg).get(number)
        if found is None and ctx.materialize_grads:
            return recorded.zeros_like(arg)
        return found

    def settle(self, out: Any, nr: int, tangent: Any, number: int) -> None:
        """Gives one output its tangent, after PyTorch's checks."""
        if self.constant[nr]:
            if tangent is not None:
                raise RuntimeError(JVP_CONSTANT.format(nr))
            return
        if tangent is None or not (tangent.is_floating_point() or tangent.is_complex()):
            raise RuntimeError(JVP_DTYPE)
        refuse_given(out, tangent, number)
        own = tangents_of(out).get(number) if is_in(out, self.dirty) else None
        if own is not None and tangent is not own:
            raise RuntimeError(JVP_NOT_IN_PLACE)
        if out._view is not None and tangent._view is None and not is_in(out, self.dirty):
            raise RuntimeError(JVP_NOT_A_VIEW)
        give(out, number, laid_out(tangent, out._array))


def call(ctx: Any, tangents: list[Any], saved: tuple[Any, ...], number: int) -> Any:
    """Calls `jvp`, which finds in `ctx.saved_tensors` what was saved for it."""
    state = thread.state
    seen = tuple([None if one is None else below(one, number) for one in saved])
    versions = tuple([None if one is None else one._counter.value for one in seen])
    kept = ctx._saved, ctx._versions, ctx._outputs_saved
    ctx._saved, ctx._versions, ctx._outputs_saved = seen, versions, {}
    before, state.without_tangents = state.without_tangents, number == next(iter(LEVELS.open))
    try:
        return ctx.apply_jvp(*tangents)
    finally:
        state.without_tangents = before
        ctx._saved, ctx._versions, ctx._outputs_saved = kept
