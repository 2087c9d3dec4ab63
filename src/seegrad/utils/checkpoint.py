"""`torch.utils.checkpoint`: memory for time.

A checkpointed function keeps its inputs only; what backward needs is computed again.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import Enum
from functools import partial
from typing import Any

from seegrad.arrays.generators import default_generator
from seegrad.autograd.function import Function
from seegrad.autograd.grad_mode import enable_grad
from seegrad.graph.state import is_recording, thread
from seegrad.graph.tensor import TensorBase, requires
from seegrad.missing import later, missing
from seegrad.ops.once import warn
from seegrad.random import fork_rng
from seegrad.tensor.differentiate import backward
from seegrad.utils._checkpoint_errors import CheckpointError, Log
from seegrad.utils._recompute import Frame, GraphExecGroup

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "DefaultDeviceType",
    "GraphExecGroup",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

Contexts = tuple[AbstractContextManager[Any], AbstractContextManager[Any]]

NOT_PASSED = (
    "torch.utils.checkpoint{}: the use_reentrant parameter should be passed explicitly. {} "
    "use_reentrant=False is recommended, but if you need to preserve the current default "
    "behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences "
    "between the two variants."
)
ONE = "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
SEQUENCE = "In version 2.9 we will raise an exception if use_reentrant is not passed."
NOT_FOR_GRAD = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
    "`inputs` parameter to .backward(). To resolve this error, you can either set "
    "use_reentrant=False, or call .backward() without passing the `inputs` argument."
)
CHECKS = ["default", "none"]

create_selective_checkpoint_contexts = later(
    "torch.utils.checkpoint.create_selective_checkpoint_contexts",
    "torch.utils.checkpoint.checkpoint, around the parts that are to be recomputed",
)


class CheckpointPolicy(Enum):
    """What a selective checkpoint would do with the result of an operator."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


def noop_context_fn() -> Contexts:
    """Two contexts that do nothing: the default of `context_fn`.

    >>> from seegrad.utils.checkpoint import noop_context_fn
    >>> forward, recompute = noop_context_fn()
    """
    return nullcontext(), nullcontext()


class _Settings:
    """What the context managers of this module have set; None for what each call says itself."""

    early_stop: bool | None = None
    debug: bool | None = None


@contextmanager
def _set(name: str, value: bool | None) -> Iterator[None]:
    before = getattr(_Settings, name)
    setattr(_Settings, name, value)
    try:
        yield
    finally:
        setattr(_Settings, name, before)


def set_checkpoint_early_stop(enable: bool) -> AbstractContextManager[None]:
    """Inside, calls of `checkpoint` stop their recomputation early, or never do.

    What is said here overrules the argument of the call.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import checkpoint, set_checkpoint_early_stop
    >>> def function(t):
    ...     result = t.exp()
    ...     print("to the end")
    ...     return result
    >>> x = torch.ones(1, requires_grad=True)
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(function, x, use_reentrant=False)
    to the end
    >>> y.backward()
    to the end
    """
    return _set("early_stop", enable)


def set_checkpoint_debug_enabled(enabled: bool | None) -> AbstractContextManager[None]:
    """Inside, calls of `checkpoint` note which line saves each tensor, or never do.

    None leaves it to the argument `debug` of each call.

    >>> from seegrad.utils.checkpoint import set_checkpoint_debug_enabled
    >>> with set_checkpoint_debug_enabled(True):
    ...     pass
    """
    return _set("debug", enabled)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Calls a function and keeps only its arguments; backward calls it again.

    Args:
        function: takes `args` and `kwargs`, and does the same thing each time it is called.
        use_reentrant: False is recommended. True runs a backward pass inside of the outer one,
            and neither `autograd.grad` nor keyword arguments are possible then.
        context_fn: returns two context managers, for the first call and for the others.
        determinism_check: "default" compares shapes, dtypes and devices of what is saved.
        debug: an error says which tensors were saved by which lines.
        early_stop: leave the function as soon as all that is needed was computed again.
        preserve_rng_state: draw the same random numbers again; True unless given.

    Returns what the function returns.
    Raises ValueError for arguments that do not go together, CheckpointError in backward where the
    function did something else.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import checkpoint
    >>> def function(t):
    ...     print("called")
    ...     return t.sin().exp()
    >>> x = torch.zeros(1, requires_grad=True)
    >>> y = checkpoint(function, x, use_reentrant=False)
    called
    >>> y.backward()
    called
    >>> x.grad
    tensor([1.])
    """
    if use_reentrant is None:
        warn(NOT_PASSED.format("", ONE))
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        chosen = early_stop if _Settings.early_stop is None else _Settings.early_stop
        logs = debug if _Settings.debug is None else _Settings.debug
        options = (preserve, context_fn, determinism_check, logs, chosen)
        return _without_reentrance(function, args, kwargs, *options)
    if kwargs:
        raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve, *args)


def _without_reentrance(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    preserve: bool,
    context_fn: Callable[[], Contexts],
    determinism_check: str,
    debug: bool,
    early_stop: bool,
) -> Any:
    """The form that is made of hooks on saved tensors (Note [Recomputation])."""
    if determinism_check not in CHECKS:
        raise ValueError(
            f"determinism_check should be one of {CHECKS}, but got {determinism_check}"
        )
    forward, again = context_fn()
    state = default_generator.get_state() if preserve else None

    def run(*given: Any) -> None:
        with _same_numbers(state), again:
            function(*given, **kwargs)

    if not is_recording():
        return function(*args, **kwargs)
    log = Log() if debug else None
    frame = Frame(run, args, early_stop, determinism_check == "default", log)
    with frame.hooks(), forward:
        result = function(*args, **kwargs)
    frame.completed = True
    return result


@contextmanager
def _same_numbers(state: Any) -> Iterator[None]:
    """Inside, the default stream starts from a state and is put back at the end; not for None."""
    with fork_rng(enabled=state is not None):
        if state is not None:
            default_generator.set_state(state)
        yield


class CheckpointFunction(Function):
    """The node of a checkpoint with `use_reentrant=True`: its backward runs a pass of its own.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import checkpoint
    >>> x = torch.ones(1, requires_grad=True)
    >>> checkpoint(torch.exp, x, use_reentrant=True)
    tensor([2.7183], grad_fn=<CheckpointFunctionBackward>)
    """

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        """Calls the function, which is not recorded."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.state = default_generator.get_state() if preserve_rng_state else None
        is_tensor = [isinstance(arg, TensorBase) for arg in args]
        pairs = list(zip(args, is_tensor, strict=True))
        ctx.others = [None if tensor else arg for arg, tensor in pairs]
        ctx.places = [place for place, tensor in enumerate(is_tensor) if tensor]
        ctx.save_for_backward(*(arg for arg, tensor in pairs if tensor))
        return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Calls the function again, recorded, and runs a pass through what it made."""
        if thread.state.current.needed is not None:
            raise RuntimeError(NOT_FOR_GRAD)
        args = list(ctx.others)
        for place, tensor in zip(ctx.places, ctx.saved_tensors, strict=True):
            args[place] = tensor
        detached = detach_variable(tuple(args))
        with _same_numbers(ctx.state), enable_grad():
            outputs = ctx.run_function(*detached)
        outs = (outputs,) if isinstance(outputs, TensorBase) else outputs
        pairs = [
            (out, grad)
            for out, grad in zip(outs, grads, strict=True)
            if isinstance(out, TensorBase) and requires(out)
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return None, None, *(getattr(arg, "grad", None) for arg in detached)


def detach_variable(inputs: Any) -> tuple[Any, ...]:
    """New leaves with the values of the tensors of a tuple, and what else it holds.

    Raises RuntimeError for what is not a tuple.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import detach_variable
    >>> detach_variable((torch.ones(1, requires_grad=True), "more"))
    (tensor([1.], requires_grad=True), 'more')
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    return tuple(_as_leaf(given) if isinstance(given, TensorBase) else given for given in inputs)


def _as_leaf(tensor: Any) -> Any:
    """A new leaf with the values of a tensor."""
    return tensor.detach().requires_grad_(requires(tensor))


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warns where no input requires a gradient.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import check_backward_validity
    >>> check_backward_validity([torch.ones(1, requires_grad=True)])
    """
    if not any(requires(given) for given in inputs if isinstance(given, TensorBase)):
        warn("None of the inputs have requires_grad=True. Gradients will be None")


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Runs functions one after the other; each segment of them but the last is a checkpoint.

    Args:
        functions: a Sequential, or an iterable of functions of one argument.
        segments: how many parts they are divided into.
        input: what the first function gets.
        use_reentrant, preserve_rng_state: as for `checkpoint`.

    Returns what the last function returns.

    >>> import seegrad as torch
    >>> from seegrad.utils.checkpoint import checkpoint_sequential
    >>> x = torch.zeros(1, requires_grad=True)
    >>> functions = [torch.sin, torch.exp, torch.cos]
    >>> checkpoint_sequential(functions, 2, x, use_reentrant=False)
    tensor([0.5403], grad_fn=<CosBackward0>)
    """
    if use_reentrant is None:
        warn(NOT_PASSED.format(".checkpoint_sequential", SEQUENCE))
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
    parts = list(functions)
    size = len(parts) // segments
    last = size * (segments - 1)
    options = {"use_reentrant": use_reentrant, "preserve_rng_state": preserve}
    for start in range(0, last, size):
        input = checkpoint(partial(_chain, parts[start : start + size]), input, **options)
    return _chain(parts[last:], input)


def _chain(functions: list[Any], value: Any) -> Any:
    """One function after the other."""
    for function in functions:
        value = function(value)
    return value


def get_device_states(*args: Any) -> tuple[list[int], list[Any]]:
    """The accelerators that tensors live on and the states of their streams: none.

    >>> from seegrad.utils.checkpoint import get_device_states
    >>> get_device_states()
    ([], [])
    """
    return [], []


def set_device_states(devices: Any, states: Any, *, device_type: str | None = None) -> None:
    """Sets the streams of accelerators, of which there are none.

    >>> from seegrad.utils.checkpoint import set_device_states
    >>> set_device_states([], [])
    """


class DefaultDeviceType:
    """The device type of checkpoints without a tensor argument; kept so that programs run.

    >>> from seegrad.utils.checkpoint import DefaultDeviceType
    >>> DefaultDeviceType.get_device_type()
    'cpu'
    """

    _default_device_type = "cpu"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Chooses another type."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """The type that was chosen."""
        return DefaultDeviceType._default_device_type


__getattr__ = missing(__name__, __all__)
