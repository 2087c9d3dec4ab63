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
from seegrad.autograd.applying import written_out
from seegrad.errors import BACKWARD_TWICE, LEAF_IN_PLACE
from seegrad.graph.anomaly import note
from seegrad.graph.hooks import lend
from seegrad.graph.node import Node, next_sequence
from seegrad.graph.packed import PackedValue, flat, pack, replace
from seegrad.graph.saved import SavedTensor, retie, stale, stale_result
from seegrad.graph.state import is_recording, recording, thread
from seegrad.graph.tensor import PLAIN, TensorBase, requires, set_requires, wrap
from seegrad.graph.versions import NEVER, bump
from seegrad.graph.views import Kind, attach, gradient_edge, history, own_history, rebase
from seegrad.operators.inplace import check_write
from seegrad.rules.spec import REGISTRY

__all__ = ["Function", "FunctionCtx", "once_differentiable"]

new = object.__new__

NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)
LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


class FunctionCtx:
    """What `forward` and `backward` of a custom Function use as `ctx`."""

    to_save: tuple[Any, ...] | None = None
    dirty_tensors: tuple[Any, ...] | None = None
    non_differentiable: tuple[Any, ...] | None = None
    saved_for_forward: tuple[Any, ...] | None = None
    materialize_grads = True
    _marked = False  # whether `mark_dirty` or `mark_non_differentiable` was called

    def save_for_backward(self, *tensors: Any) -> None:
        """Saves inputs or outputs (tensors or None) for `ctx.saved_tensors` in `backward`."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Saves tensors for forward mode."""
        self.saved_for_forward = tensors

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
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Accepted for old programs; not needed."""


class BackwardCFunction(_FunctionBase, FunctionCtx, Node):
    """The node of a custom Function."""

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
        saved = self._saved
        if saved.__class__ is not tuple or self._outputs_saved:
            if saved is None:
                raise RuntimeError(BACKWARD_TWICE)
            return tuple([self._saved_at(i) for i in range(len(flat(self)))])
        versions = self._versions
        if len(saved) == 2 and saved[0] is not None and saved[1] is not None:
            first, second = saved  # a loop over them takes 0.2 us
            if first._counter.value == versions[0] and second._counter.value == versions[1]:
                return saved
        for value, version in zip(saved, versions):  # noqa: B905  (strict costs 0.1 us)
            if value is not None and value._counter.value != version:
                stale(value, version)
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
            raise RuntimeError(BACKWARD_TWICE)
        return tuple(SavedTensor(self, place) for place in range(len(flat(self))))

    def _saved_at(self, index: int) -> Any:
        if self._saved is None:
            raise RuntimeError(BACKWARD_TWICE)
        value, version = flat(self)[index], self._versions[index]
        nr = self._outputs_saved.get(index)
        if value is None:
            return None
        if value.__class__ is PackedValue:
            return value.unpack(self, version)
        if nr is None:
            if value._counter.value != version:
                stale(value, version)
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
        if self.materialize_grads and None in given:
            given = [zeros(r) if g is None else g for g, r in zip(given, self._expected())]  # noqa: B905
        cls = self._forward_cls
        returned = (cls.vjp if cls.vjp is not Function.vjp else cls.backward)(self, *given)
        return returned if returned.__class__ is tuple else (returned,)

    def _expected(self) -> tuple[Any, ...]:
        """Shape and dtype of the gradient of each output, None where it is no tensor."""
        return self._results or ((self._shape, self._dtype),)

    def _checked(self, returned: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the tensor arguments, after PyTorch's checks of number and kind."""
        expected = self._inputs or (True,) * len(self.needs_input_grad)
        if len(returned) != len(expected):
            extra = returned[len(expected) :]
            if len(returned) < len(expected) or any(g is not None for g in extra):
                raise RuntimeError(
                    f"function {self.name()} returned an incorrect number of gradients (expected "
                    f"{len(expected)}, got {len(returned)})"
                )
        kept = []
        for position, is_tensor in enumerate(expected):
            gradient = returned[position]
            if gradient is not None and not isinstance(gradient, TensorBase):
                kind = type(gradient).__name__
                raise RuntimeError(f"expected Variable or None (got {kind})")
            if is_tensor:
                kept.append(gradient)
            elif gradient is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{position + 1}, but the corresponding forward input was not a Variable"
                )
        return tuple(kept)

    def _run(self, grads: Any) -> tuple[Any, ...]:
        several = self._outputs != 1
        with recording(False):
            returned = self._gradients([lend(g) for g in grads] if several else lend(grads))
        return arrays_of(self, returned)

    def _run_recording(self, grads: Any) -> tuple[Any, ...]:
        gradients = self._checked(self._gradients(grads))
        return tuple([g if e is not None else None for g, e in zip(gradients, self._next)])  # noqa: B905

    def __dir__(self) -> list[str]:
        # Public names, and what the user set: names of the engine stand in the class too.
        own = {n for n in vars(self) if n[0] != "_" or not hasattr(BackwardCFunction, n)}
        mixed = [n for part in (_FunctionBase, FunctionCtx) for n in vars(part) if n != "_marked"]
        return sorted({*super().__dir__(), *mixed, *OF_CONTEXTS, *own})

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"


BackwardCFunction.__module__ = "torch.autograd.function"
FunctionCtx.__module__ = "torch.autograd.function"


OF_CONTEXTS = (
    "_forward_cls",
    "_raw_saved_tensors",
    "needs_input_grad",
    "saved_tensors",
    "saved_variables",
)


def arrays_of(node: BackwardCFunction, returned: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients that a custom backward returned, as arrays (Note [Fresh]).

    Somebody else may hold them, so they become views, which no leaf takes as its own.
    """
    gradients = zip(node._checked(returned), node._next, strict=True)
    return tuple(None if e is None or g is None else g._array.view() for g, e in gradients)


def zeros(result: Any) -> Any:
    """A zero gradient of this shape and dtype, None for an output that is no tensor."""
    return None if result is None else wrap(np.zeros(*result))


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
    """Prepares the context after `forward(*inputs)`, where `forward` takes no `ctx`."""
    raise NotImplementedError("setup_context is not implemented.")


class Function:
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

    def __init_subclass__(cls, **options: Any) -> None:
        """Makes the node class, and prepares what `apply` asks."""
        super().__init_subclass__(**options)
        node: Any = type(f"{cls.__name__}Backward", (BackwardCFunction,), {"_forward_cls": cls})
        node.__module__ = "torch.autograd.function"
        node._plain_call = cls.vjp is Function.vjp
        if not node._plain_call and cls.backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You "
                "should only implement one of them."
            )
        cls._backward_cls = node
        cls._separate = cls.setup_context is not _setup_context
        write_out(cls)

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
        """The forward-mode derivative, stored for the transforms to come."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """The batched form, stored for the transforms to come."""
        raise NotImplementedError("You must implement the vmap function to use it with vmap.")

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
    tensors = [isinstance(arg, TensorBase) for arg in args]
    needs = [t and requires(arg) for arg, t in zip(args, tensors, strict=True)]
    ctx.needs_input_grad = tuple(needs)
    if mode and True in needs:
        pairs = zip(args, needs, tensors, strict=True)
        ctx._next = tuple(gradient_edge(arg) if need else None for arg, need, t in pairs if t)
    state.mode = 0
    try:
        if cls._separate:
            returned = cls.forward(*args)
            cls.setup_context(ctx, args, returned)
        else:
            returned = cls.forward(ctx, *args)
    finally:
        state.mode = state.on if mode else 0
    if not mode or True not in needs:
        return unrecorded(ctx, args, returned)
    ctx._sequence = next_sequence()
    note(ctx)
    return record(ctx, args, tuple(needs), returned)


Function.__module__ = "torch.autograd.function"


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
        ours.add(apply)
        cls.apply = classmethod(apply)
        helpers = {"run_generally": BackwardCFunction._run, "arrays_of": arrays_of}
        cls._backward_cls._run = written_out("run", count, helpers | {"getrefcount": getrefcount})


# The `apply` functions that are not a user's.
ours: set[Any] = {vars(Function)["apply"].__func__}


def bound(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments of `forward` by position, defaults filled in."""
    signature = inspect.signature(cls.forward)
    if cls._separate:
        call = signature.bind(*args, **kwargs)
        call.apply_defaults()
        return call.args
    call = signature.bind(None, *args, **kwargs)
    return call.args[1:]


def check_marks(ctx: BackwardCFunction, outs: tuple[Any, ...]) -> None:
    """What was marked must be tensors, and what is dirty must be returned."""
    for tensor in ctx.dirty_tensors or ():
        if not isinstance(tensor, TensorBase):
            kind = type(tensor).__name__
            raise noted_kind("mark_dirty can only accept variables, but argument ", kind)
        bump(tensor)
        if not any(tensor is out for out in outs):
            raise RuntimeError(NOT_RETURNED)
    for tensor in ctx.non_differentiable or ():
        if not isinstance(tensor, TensorBase):
            kind = type(tensor).__name__
            raise noted_kind(
                "mark_non_differentiable only accepts variable arguments, but got ", kind
            )


def noted_kind(sentence: str, kind: str) -> RuntimeError:
    """PyTorch's sentence, which ends before it says what was given; the note says it."""
    error = RuntimeError(sentence)
    error.add_note(f"It was given a {kind}.")
    return error


def is_in(tensor: Any, tensors: tuple[Any, ...] | None) -> bool:
    """Whether this very tensor is among them."""
    return tensors is not None and any(tensor is t for t in tensors)


def unrecorded(ctx: BackwardCFunction, args: tuple[Any, ...], returned: Any) -> Any:
    """The outputs where nothing is recorded: inputs returned as they are become new objects."""
    outs = returned if isinstance(returned, tuple) else (returned,)
    check_marks(ctx, outs)
    check_saved(ctx.to_save or ())
    result = []
    for out in outs:
        is_tensor = isinstance(out, TensorBase) and not is_in(out, ctx.dirty_tensors)
        if is_tensor and is_in(out, args):
            out = wrap(out._array)
        result.append(out)
    return tuple(result) if isinstance(returned, tuple) else result[0]


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
    expect(ctx, outs)
    if isinstance(returned, tuple) or ctx._dtype not in PLAIN:
        ctx._plain_call = False
    result = tuple([give_history(ctx, args, out, nr, outs) for nr, out in enumerate(outs)])
    if ctx.to_save is not None:
        save(ctx, result)
    return result if isinstance(returned, tuple) else result[0]


def expect(ctx: BackwardCFunction, outs: tuple[Any, ...]) -> None:
    """Tells the node what gradients will arrive."""
    first = outs[0] if outs else None
    if len(outs) == 1 and isinstance(first, TensorBase):
        ctx._shape, ctx._dtype = first._array.shape, first._array.dtype
        return
    ctx._outputs = len(outs)
    ctx._shape = None
    results = [
        (o._array.shape, o._array.dtype) if isinstance(o, TensorBase) else None for o in outs
    ]
    ctx._results = tuple(results)
    ctx._shapes = tuple((r or ((), np.dtype(np.float32)))[0] for r in results)
    ctx._dtypes = tuple((r or ((), np.dtype(np.float32)))[1] for r in results)


def give_history(
    ctx: BackwardCFunction, args: tuple[Any, ...], out: Any, nr: int, outs: tuple[Any, ...]
) -> Any:
    """One output with the context as its node."""
    if not isinstance(out, TensorBase):
        return out
    constant = is_in(out, ctx.non_differentiable) or not (
        out.dtype.is_floating_point or out.dtype.is_complex
    )
    if is_in(out, ctx.dirty_tensors):
        return written(ctx, out, nr, constant)
    is_input = is_in(out, args)
    if constant:
        if is_input:
            return wrap(out._array)
        if out._view is not None:
            out._view.node = None
        out._grad_fn, out._nr, out._asked = None, 0, False
        set_requires(out, False)
        return out
    if is_input or out._view is not None:
        return as_view(ctx, out, nr, is_input, sum(isinstance(o, TensorBase) for o in outs) > 1)
    set_requires(out, True)
    out._grad_fn, out._nr = ctx, nr
    return out


def written(ctx: BackwardCFunction, out: Any, nr: int, constant: bool) -> Any:
    """An input that `forward` changed in place: the same object, with a new history."""
    if requires(out) and out._view is None and history(out) is None:
        raise RuntimeError(LEAF_IN_PLACE.replace("is being used", "has been used"))
    check_write(out)
    if constant:
        out.detach_()
    else:
        rebase(out, ctx)
        if out._view is None:
            out._nr = nr
    return out


def as_view(ctx: BackwardCFunction, out: Any, nr: int, is_input: bool, several: bool) -> Any:
    """An input returned as it is, or a view: in-place on it would bypass the custom backward."""
    kind = Kind.MULTI if several else Kind.FUNCTION
    made = wrap(out._array) if is_input else out
    if is_input:
        view = attach(made, out, (REGISTRY["alias"], (), out._array.shape), kind)
        view.kind = kind
    else:
        view = out._view
        view.kind = kind
        view.version = out._counter.value
    own_history(made, view, ctx, nr)
    return made


def check_saved(values: tuple[Any, ...]) -> None:
    """Only tensors and None can be saved for backward."""
    for position, value in enumerate(values):
        if value is not None and not isinstance(value, TensorBase):
            raise TypeError(
                "save_for_backward can only save variables, but argument "
                f"{position} is of type {type(value).__name__}"
            )


def save(ctx: BackwardCFunction, outs: tuple[Any, ...]) -> None:
    """Saves what `save_for_backward` was given (Note [Saved values])."""
    values = ctx.to_save or ()
    check_saved(values)
    kept: list[Any] = []
    versions: list[Any] = []
    outputs: dict[int, int] = {}
    for value in values:
        nr = next((i for i, out in enumerate(outs) if out is value), None)
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
        found = True
    if found:
        save(ctx, (out,))
    else:
        ctx._saved, ctx._versions, ctx.to_save = values, versions, None


class DelayedError(Node):
    """Stands for the derivative of a backward that is differentiable only once."""

    def _run(self, grad: Any) -> tuple[Any, ...]:
        raise RuntimeError(TWICE)

    _run_recording = _run


DelayedError.__name__ = DelayedError.__qualname__ = "ErrorBackward"
DelayedError.__module__ = "builtins"


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a `backward` that is not recorded: differentiating its result raises RuntimeError.

    >>> import seegrad as torch
    >>> from seegrad.autograd.function import once_differentiable
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @once_differentiable
    ...     def backward(ctx, grad_output):
    ...         return grad_output * 2
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch.autograd.grad(Double.apply(x), x)
    (tensor([2.]),)
    """

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with recording(False):
            outputs = fn(ctx, *args)
        if not is_recording():
            return outputs
        if not any(isinstance(a, TensorBase) and requires(a) for a in args):
            return outputs
        results = outputs if isinstance(outputs, tuple) else (outputs,)
        made = tuple(None if r is None else delayed(r) for r in results)
        return made if isinstance(outputs, tuple) else made[0]

    return wrapper


def delayed(result: Any) -> Any:
    """The result with a node that raises and leads nowhere."""
    node = DelayedError()
    node._shape, node._dtype = result._array.shape, result._array.dtype
    node._sequence = next_sequence()
    note(node)
    out = wrap(result._array)
    set_requires(out, True)
    out._grad_fn = node
    return out
