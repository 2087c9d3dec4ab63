"""Custom Functions: `forward` and `backward` written by the user, one node a call.

The node is the context: what `forward` is handed as `ctx` is the `grad_fn` of its outputs.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping
from sys import getrefcount
from types import MappingProxyType
from typing import Any

import numpy as np

from seegrad.autograd._context_face import _FunctionBase
from seegrad.autograd._function_blame import blamed
from seegrad.autograd._function_forward import Forward
from seegrad.autograd._function_outputs import (
    check_marks,
    expect,
    forget,
    give_history,
    is_constant,
    is_in,
    undifferentiated,
)
from seegrad.autograd._function_rules import VmapInfo, by_rule, has_rule
from seegrad.autograd._function_texts import (
    BOTH,
    LEGACY,
    NOT_AN_INPUT,
    NOT_FOR_FORWARD,
    READ_ONCE,
    RETURNED_AND_SAVED,
    SHARED_STORAGE,
    WITHOUT_SETUP,
)
from seegrad.autograd._once_differentiable import DelayedError as DelayedError
from seegrad.autograd._once_differentiable import once_differentiable
from seegrad.autograd.applying import written_out
from seegrad.graph.anomaly import note
from seegrad.graph.asked import tap
from seegrad.graph.levels import LEVELS
from seegrad.graph.loans import lend
from seegrad.graph.node import AccumulateGrad, Node, next_sequence
from seegrad.graph.packed import PackedValue, flat, pack, replace
from seegrad.graph.saved import SavedTensor, freed, retie, stale_result, written
from seegrad.graph.state import recording, thread
from seegrad.graph.tensor import PLAIN, TensorBase, requires, wrap
from seegrad.graph.versions import NEVER
from seegrad.graph.views import gradient_edge
from seegrad.ops.once import users_level
from seegrad.tensor.tensor import Tensor

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]

new = object.__new__


class FunctionCtx:
    """What `forward` and `backward` of a custom Function use as `ctx`."""

    to_save: tuple[Any, ...] | None = None
    dirty_tensors: tuple[Any, ...] | None = None
    non_differentiable: tuple[Any, ...] | None = None
    saved_for_forward: tuple[Any, ...] | None = None
    materialize_grads = True
    _marked = False  # whether something was said that the usual call does not look for

    def save_for_backward(self, *tensors: Any) -> None:
        """Saves inputs or outputs (tensors or None) for `ctx.saved_tensors` in `backward`."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Saves tensors for `jvp`; AssertionError for anything else. Gone after `forward`."""
        for tensor in tensors:
            assert isinstance(tensor, TensorBase) or tensor is None, NOT_FOR_FORWARD
        self.saved_for_forward = tensors
        self._marked = True

    def mark_dirty(self, *args: Any) -> None:
        """Says which inputs `forward` changed in place; they must be returned."""
        self.dirty_tensors = args
        self._marked = True

    def mark_non_differentiable(self, *args: Any) -> None:
        """Says which outputs have no gradient."""
        self.non_differentiable = args
        self._marked = True

    def set_materialize_grads(self, value: bool) -> None:
        """Whether undefined gradients arrive in `backward` as zeros (the default) or as None."""
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got (), but "
                "expected (bool)"
            )
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Does nothing but warn: who shares memory is known without it."""
        warnings.warn(SHARED_STORAGE, FutureWarning, stacklevel=2)


class BackwardCFunction(_FunctionBase, FunctionCtx, Node):
    """The node of a custom Function: the `ctx` of its `forward` and `backward`."""

    _builtin = False
    _holomorphic = False
    _forward_cls: "type[Function]"
    _inputs: tuple[bool, ...] | None = None  # which arguments were tensors, None for all
    _plain_call = True  # one tensor output, and `backward` rather than `vjp`
    _results: tuple[Any, ...] = ()  # of several outputs: shape and dtype, None for no tensor
    needs_input_grad: tuple[bool, ...] = ()
    _versions: tuple[Any, ...] = ()  # of the saved values
    _outputs_saved: Mapping[int, int] = MappingProxyType({})  # place in `_saved` -> which output

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` was given.

        Raises RuntimeError after the graph was freed, or when a saved tensor was written to.
        """
        saved, versions = self._saved, self._versions
        if saved.__class__ is tuple and len(saved) == 2:
            first, second = saved  # a loop over them takes 0.2 us
            if first.__class__ is second.__class__ is Tensor:
                if first._counter.value == versions[0] and second._counter.value == versions[1]:
                    return saved
        if saved.__class__ is not tuple or self._outputs_saved:
            if saved is None:
                raise freed(self)
            return tuple([self._saved_at(i) for i in range(len(flat(self)))])
        for value, version in zip(saved, versions):  # noqa: B905  (strict costs 0.1 us)
            if value is not None and value._counter.value != version:
                written(value, version, self)
        return saved

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The old name of `saved_tensors`."""
        message = "'saved_variables' is deprecated; use 'saved_tensors'"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        """The saved tensors as objects that take hooks."""
        if self._saved is None:
            raise freed(self)
        return tuple(SavedTensor(self, place) for place in range(len(flat(self))))

    def _saved_at(self, index: int) -> Any:
        if self._saved is None:
            raise freed(self)
        value, version = flat(self)[index], self._versions[index]
        nr = self._outputs_saved.get(index)
        if value is None:
            return None
        if value.__class__ is PackedValue:
            return value.unpack(self, version)
        if nr is None:
            if value._counter.value != version:
                written(value, version, self)
            return value
        if version is not None and version[0].value != version[1]:
            stale_result(self, value, version, nr)
        return retie(value, self, version, nr)

    def _adopt_counter(self, nr: int, counter: Any) -> None:
        for index, output in self._outputs_saved.items():
            if output == nr and self._saved is not None:
                before = self._versions
                self._versions = (*before[:index], (counter, 0), *before[index + 1 :])

    def _gradients(self, grads: Any) -> tuple[Any, ...]:
        """Calls the user's `backward`; what it returned, as a tuple."""
        given = (grads,) if self._outputs == 1 else grads
        if self.materialize_grads and any(g is None for g in given):
            given = [zeros(r) if g is None else g for g, r in zip(given, self._expected())]  # noqa: B905
        returned = _FunctionBase.apply(self, *given)
        return returned if returned.__class__ is tuple else (returned,)

    def _get_user_fn(self) -> Callable[..., Any]:
        cls = self._forward_cls
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is not Function.backward:
            raise RuntimeError(BOTH)
        return cls.vjp

    def __call__(self, *gradients: Any) -> Any:
        """Raises: what runs the node is `apply`."""
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def _expected(self) -> tuple[Any, ...]:
        """Shape and dtype of the gradient of each output, None where it is no tensor."""
        return self._results or ((self._shape, self._dtype),)

    def _checked(self, returned: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the tensor arguments, after PyTorch's checks of number and kind."""
        expected = self._inputs or (True,) * len(self.needs_input_grad)
        if len(returned) != len(expected):
            extra = returned[len(expected) :]
            if len(returned) < len(expected) or any(g is not None for g in extra):
                error = RuntimeError(
                    f"function {self.name()} returned an incorrect number of gradients (expected "
                    f"{len(expected)}, got {len(returned)})"
                )
                raise blamed(self, error)
        kept = []
        for position, is_tensor in enumerate(expected):
            gradient = returned[position]
            if is_tensor:
                kept.append(gradient)
            elif gradient is not None:
                error = RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{position + 1}, but the corresponding forward input was not a Variable"
                )
                raise blamed(self, error, position)
            if gradient is not None and not isinstance(gradient, TensorBase):
                kind = type(gradient).__name__
                error = RuntimeError(f"expected Variable or None (got {kind})")
                raise blamed(self, error, position)
        return tuple(kept)

    def _blame(self, error: RuntimeError, index: int) -> RuntimeError:
        tensors = [n for n, is_tensor in enumerate(self._inputs or ()) if is_tensor]
        return blamed(self, error, tensors[index] if tensors else index)

    def _run(self, grads: Any) -> tuple[Any, ...]:
        several = self._outputs != 1
        with recording(False):
            returned = self._gradients([lend(g) for g in grads] if several else lend(grads))
        return arrays_of(self, returned)

    def _run_recording(self, grads: Any) -> tuple[Any, ...]:
        lent = tuple(map(lend, grads)) if self._outputs != 1 else lend(grads)
        # Without a level nodes are run so only to be recorded, or by hand (Note [Levels]).
        on = not LEVELS.open or thread.state.mode != 0
        with recording(on):  # what the user's code sets holds for this node only
            return self._checked(self._gradients(lent))

    def __dir__(self) -> list[str]:
        # Public names, and what the user set: names of the engine stand in the class too.
        own = {n for n in vars(self) if n[0] != "_" or not hasattr(BackwardCFunction, n)}
        mixed = [n for part in (_FunctionBase, FunctionCtx) for n in vars(part) if n != "_marked"]
        return sorted({*super().__dir__(), *mixed, *OF_CONTEXTS, *own})


OF_CONTEXTS = (
    "_forward_cls",
    "_raw_saved_tensors",
    "needs_input_grad",
    "saved_tensors",
    "saved_variables",
)


def arrays_of(node: BackwardCFunction, returned: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients that a custom backward returned, as arrays (Note [Fresh]).

    Somebody else may hold them, so they become views, which a leaf takes as its own only where
    nobody does. One that is returned for several leaves is copied for all but the last.
    """
    gradients = node._checked(returned)
    arrays = []
    for place, (gradient, edge) in enumerate(zip(gradients, node._next, strict=True), start=1):
        array = None if gradient is None else gradient._array.view()
        if edge.__class__ is AccumulateGrad and array is not None:
            again = is_in(gradient, gradients[place:])
            array = array.copy() if again else array
        arrays.append(array)
    return tuple(arrays)


def zeros(result: Any) -> Any:
    """A zero gradient of this shape and dtype, None for an output that is no tensor."""
    return None if result is None else wrap(np.zeros(*result))


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
    """Prepares the context after `forward(*inputs)`, where `forward` takes no `ctx`."""
    raise NotImplementedError("setup_context is not implemented.")


class FunctionMeta(type):
    """The class of Function and of the classes that derive from it."""


class Function(_FunctionBase, FunctionCtx, Node, metaclass=FunctionMeta):
    """Base of operators whose derivative the user writes.

    Subclasses define static methods `forward(ctx, *args)` and `backward(ctx, *grad_outputs)`, or
    `forward(*args)` with `setup_context(ctx, inputs, output)`, and are called by `apply`.

    >>> import seegrad as torch
    >>> class Cube(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x ** 3
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         x, = ctx.saved_tensors
    ...         return grad_output * 3 * x ** 2
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> Cube.apply(x).backward()
    >>> x.grad
    tensor(12.)
    """

    _backward_cls: type[BackwardCFunction]
    _separate = False  # whether `setup_context` is separate from `forward`
    generate_vmap_rule = False
    clear_saved_tensors_on_access = False  # whether reading `saved_tensors` frees them
    boxed_grads_call = False  # whether `backward` takes its gradients in one list

    def __init_subclass__(cls, **options: Any) -> None:
        """Makes the node class, and prepares what `apply` asks."""
        super().__init_subclass__(**options)
        prepare(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        message = (
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch."
        )
        warnings.warn(message, DeprecationWarning, stacklevel=2)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raises: a Function is called by `apply`."""
        raise RuntimeError(LEGACY)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the outputs; overridden by every subclass."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    setup_context = staticmethod(_setup_context)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Computes the gradients of the inputs from those of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name under which a subclass may define `backward`."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Computes the tangents of the outputs from those of the inputs."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """The batched form, for `torch.vmap`: returns outputs, and where the batch is in each."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod "
            "or set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Runs `forward` without recording and gives its outputs one node."""
        return apply_generally(cls, args, kwargs)


def apply_generally(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`apply` for any arguments."""
    if kwargs or cls._separate:
        args = bound(cls, args, kwargs)
    ctx = new(cls._backward_cls)
    state = thread.state
    mode = state.mode
    compute = cls.forward
    if state.transforms:
        if not cls._separate:
            raise RuntimeError(WITHOUT_SETUP)
        if has_rule(cls, Function.vmap):
            if isinstance(state.transforms[-1], VmapInfo):
                return by_rule(cls, *args)  # whose own steps are recorded
            compute = functools.partial(by_rule, cls)
    tensors = [isinstance(arg, TensorBase) for arg in args]
    needs = [t and requires(arg) for arg, t in zip(args, tensors, strict=True)]
    ctx.needs_input_grad = tuple(needs)
    if mode and True in needs:
        pairs = zip(args, needs, tensors, strict=True)
        ctx._next = tuple(gradient_edge(arg) if need else None for arg, need, t in pairs if t)
    moving = Forward(args) if LEVELS.open else None
    hidden, state.without_tangents = state.without_tangents, True
    state.mode = 0
    try:
        if cls._separate:
            returned = compute(*args)
            cls.setup_context(ctx, args, returned)
        else:
            returned = compute(ctx, *args)
    finally:
        state.mode = state.on if mode else 0
        state.without_tangents = hidden
    if moving is not None and moving.levels:
        moving.note(ctx, returned if isinstance(returned, tuple) else (returned,))
    if not mode or True not in needs:
        result = unrecorded(ctx, args, returned)
    else:
        ctx._sequence = next_sequence()
        note(ctx)
        result = record(ctx, args, tuple(needs), returned)
    if moving is not None and moving.levels:
        moving.finish(ctx, result if isinstance(result, tuple) else (result,))
    return result


def prepare(cls: Any) -> None:
    """Makes the node class of a Function, and prepares what `apply` asks."""
    node: Any = type(f"{cls.__name__}Backward", (BackwardCFunction,), {"_forward_cls": cls})
    node.__module__ = "torch.autograd.function"
    node._plain_call = cls.vjp is Function.vjp and not cls.boxed_grads_call
    if cls.clear_saved_tensors_on_access:
        node.saved_tensors = property(saved_once)
    cls._backward_cls = node
    cls._separate = cls.setup_context is not _setup_context
    write_out(cls)


def saved_once(ctx: Any) -> tuple[Any, ...]:
    """`saved_tensors` that are freed as soon as they are read."""
    if ctx._saved is None:
        raise RuntimeError(READ_ONCE)
    found: tuple[Any, ...] = BackwardCFunction.saved_tensors.fget(ctx)  # type: ignore[attr-defined]
    ctx._saved = None
    return found


def write_out(cls: Any) -> None:
    """Gives a Function of a few tensors its own `apply` and `_run`, unless the user wrote one."""
    code = getattr(cls.forward, "__code__", None)
    own = "apply" in vars(cls) or getattr(cls.apply, "__func__", None) not in ours
    if code is None or code.co_flags & 0x0C or own or cls._separate:
        return
    count = code.co_argcount - 1
    if 1 <= count <= 4:
        helpers = {"general": apply_generally, "record": record, "save": save_beside}
        apply = written_out("apply", count, helpers)
        if apply not in ours:
            ours.add(apply)
            tap(apply, "torch.autograd.Function", "apply")
        cls.apply = classmethod(apply)
        helpers = {"run_generally": BackwardCFunction._run, "arrays_of": arrays_of}
        cls._backward_cls._run = written_out("run", count, helpers | {"getrefcount": getrefcount})


# The `apply` functions that are not a user's.
ours: set[Any] = {vars(Function)["apply"].__func__}
tap(next(iter(ours)), "torch.autograd.Function", "apply")
prepare(Function)


class InplaceFunction(Function):
    """A Function with an attribute `inplace`, for programs that still make instances."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A Function with names for nested inputs, which PyTorch keeps and calls no more."""

    def forward_extended(self, *input: Any) -> None:
        """To be overridden."""
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        """To be overridden."""
        raise NotImplementedError


def bound(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments of `forward` by position, defaults filled in."""
    signature = inspect.signature(cls.forward)
    if cls._separate:
        call = signature.bind(*args, **kwargs)
        call.apply_defaults()
        return call.args
    names = [n for n, p in signature.parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD][1:]
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    found = list(args)
    for place, name in enumerate(names[len(args) :], start=len(args)):
        default = signature.parameters[name].default
        if name not in kwargs and default is inspect.Parameter.empty:
            raise TypeError(f"forward() missing required argument: '{name}' (position {place})")
        found.append(kwargs.get(name, default))
    return tuple(found)


def unrecorded(ctx: BackwardCFunction, args: tuple[Any, ...], returned: Any) -> Any:
    """The outputs where nothing is recorded: inputs returned as they are become new objects."""
    outs = returned if isinstance(returned, tuple) else (returned,)
    check_marks(ctx, outs)
    if ctx._forward_cls._separate:  # an input that requires a gradient comes back as another
        plain = tuple(a for a in args if isinstance(a, TensorBase) and not requires(a))
        check_returned(ctx, plain, outs)
    result = tuple([undifferentiated(ctx, args, out) for out in outs])
    forget(ctx)
    return result if isinstance(returned, tuple) else result[0]


def record(
    ctx: BackwardCFunction, args: tuple[Any, ...], needs: tuple[bool, ...], returned: Any
) -> Any:
    """Makes the context the node of its outputs: the complete way."""
    outs = returned if isinstance(returned, tuple) else (returned,)
    inputs = tuple(isinstance(a, TensorBase) for a in args)
    ctx._inputs = inputs
    nrs = [a._nr if n else 0 for a, n, t in zip(args, needs, inputs, strict=True) if t]
    if any(nrs):
        ctx._nrs = tuple(nrs)
    check_marks(ctx, outs)
    if not all(is_in(tensor, args) for tensor in ctx.dirty_tensors or ()):
        warnings.warn(NOT_AN_INPUT, stacklevel=users_level())
    expect(ctx, outs)
    if not ctx._materialize_non_diff_grads:
        pairs = zip(outs, ctx._expected(), strict=True)
        ctx._results = tuple([None if is_constant(ctx, out) else r for out, r in pairs])
    if isinstance(returned, tuple) or ctx._dtype not in PLAIN:
        ctx._plain_call = False
    result = tuple([give_history(ctx, args, out, nr, outs) for nr, out in enumerate(outs)])
    if ctx.to_save is not None:
        check_saved(ctx, args, outs)
        save(ctx, result)
    forget(ctx)
    return result if isinstance(returned, tuple) else result[0]


def check_saved(ctx: BackwardCFunction, args: tuple[Any, ...], outs: tuple[Any, ...]) -> None:
    """Only tensors and None can be saved for backward, which is asked where that may come."""
    for position, value in enumerate(ctx.to_save or ()):
        if value is not None and not isinstance(value, TensorBase):
            raise TypeError(
                "save_for_backward can only save variables, but argument "
                f"{position} is of type {type(value).__name__}"
            )
    check_returned(ctx, args, outs)


def check_returned(ctx: BackwardCFunction, args: tuple[Any, ...], outs: tuple[Any, ...]) -> None:
    """With a `setup_context` of its own, an input that is returned as it is cannot be saved."""
    if not ctx._forward_cls._separate:
        return
    for value in ctx.to_save or ():
        as_is = value is not None and not is_in(value, ctx.dirty_tensors)
        if as_is and is_in(value, args) and is_in(value, outs):
            raise RuntimeError(RETURNED_AND_SAVED)


def save(ctx: BackwardCFunction, outs: tuple[Any, ...]) -> None:
    """Saves what `save_for_backward` was given (Note [Saved values])."""
    values = ctx.to_save or ()
    kept: list[Any] = []
    versions: list[Any] = []
    outputs: dict[int, int] = {}
    for value in values:
        nr = next((i for i in reversed(range(len(outs))) if outs[i] is value), None)
        if value is None:
            versions.append(0)
        elif nr is None:
            versions.append(value._counter.value)
        else:
            outputs[len(kept)] = nr
            counter = value._counter
            versions.append(None if counter is NEVER else (counter, counter.value))
            value = value._array
        kept.append(value)
    ctx._saved = tuple(kept)
    ctx._versions = tuple(versions)
    ctx._outputs_saved = outputs
    ctx.to_save = None
    hooks = thread.state.hooks
    if hooks:
        for place, value in enumerate(kept):
            if value is not None:
                is_result = place in outputs
                replace(ctx, place, pack(ctx._saved_at(place), hooks[-1], is_result))


def save_beside(ctx: BackwardCFunction, out: Any) -> None:
    """Saves for a node of the one output `out`; the usual case, only inputs, is written out."""
    values = ctx.to_save or ()
    try:
        if len(values) == 2:
            first, second = values
            versions = first._counter.value, second._counter.value
            found = first is out or second is out
        else:
            versions = tuple([value._counter.value for value in values])
            found = is_in(out, values)
    except AttributeError:  # None among them, or no tensor
        check_saved(ctx, (), ())
        found = True
    if found:
        save(ctx, (out,))
    else:
        ctx._saved, ctx._versions, ctx.to_save = values, versions, None


for _cls in (FunctionCtx, BackwardCFunction, FunctionMeta, Function, InplaceFunction):
    _cls.__module__ = "torch.autograd.function"
NestedIOFunction.__module__ = "torch.autograd.function"
