"""`autocast`: some functions in low precision, some in float32, chosen by what they are."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

from seegrad.amp._casting import CASTS, begin, end
from seegrad.arrays.dtypes import bfloat16, dtype, float16
from seegrad.device import device
from seegrad.graph.tensor import TensorBase
from seegrad.ops.once import users_level

__all__ = [
    "autocast",
    "autocast_decrement_nesting",
    "autocast_increment_nesting",
    "clear_autocast_cache",
    "custom_bwd",
    "custom_fwd",
    "get_autocast_cpu_dtype",
    "get_autocast_dtype",
    "get_autocast_gpu_dtype",
    "is_autocast_available",
    "is_autocast_cache_enabled",
    "is_autocast_cpu_enabled",
    "is_autocast_enabled",
    "set_autocast_cache_enabled",
    "set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled",
    "set_autocast_dtype",
    "set_autocast_enabled",
    "set_autocast_gpu_dtype",
]

_NEVER = frozenset(
    {"mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "lazy", "vulkan", "meta"}
)


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows this type of device; RuntimeError for what is none."""
    return device(device_type).type not in _NEVER


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on in this thread; asked of the GPU where no device is named."""
    return CASTS.enabled.get(device(device_type).type, False)


def set_autocast_enabled(device_type: Any, enabled: bool | None = None) -> None:
    """Switches autocast on or off; of the GPU where only a bool is given."""
    if enabled is None:
        device_type, enabled = "cuda", device_type
    kind = device(device_type).type
    if kind == "cpu" and bool(enabled) is not CASTS.enabled.get("cpu", False):
        (begin if enabled else end)()
    CASTS.enabled[kind] = bool(enabled)


def get_autocast_dtype(device_type: str) -> dtype:
    """The type of low precision on this type of device: bfloat16 on the CPU, unless set."""
    return CASTS.fast(_with_types(device_type))


def set_autocast_dtype(device_type: str, dtype: dtype) -> None:
    """Sets the type of low precision."""
    CASTS.dtypes[_with_types(device_type)] = dtype


def _with_types(device_type: str) -> str:
    kind = device(device_type).type
    if kind in _NEVER:
        raise RuntimeError("unsupported scalarType")
    return kind


def is_autocast_cache_enabled() -> bool:
    """Whether casts of parameters are kept to the end of the outermost block."""
    return CASTS.caching


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Says whether casts of parameters are kept."""
    CASTS.caching = bool(enabled)


def clear_autocast_cache() -> None:
    """Forgets the casts of parameters."""
    CASTS.cached.clear()


def autocast_increment_nesting() -> int:
    """One block more; returns how many there are now."""
    CASTS.nesting += 1
    return CASTS.nesting


def autocast_decrement_nesting() -> int:
    """One block less; returns how many there are now."""
    CASTS.nesting -= 1
    return CASTS.nesting


def _deprecated(name: str, instead: str) -> None:
    warnings.warn(
        f"torch.{name} is deprecated. Please use torch.{instead} instead.",
        DeprecationWarning,
        stacklevel=users_level(),
    )


def is_autocast_cpu_enabled() -> bool:
    """`is_autocast_enabled("cpu")`, deprecated."""
    _deprecated("is_autocast_cpu_enabled()", "is_autocast_enabled('cpu')")
    return is_autocast_enabled("cpu")


def get_autocast_cpu_dtype() -> dtype:
    """`get_autocast_dtype("cpu")`, deprecated."""
    _deprecated("get_autocast_cpu_dtype()", "get_autocast_dtype('cpu')")
    return get_autocast_dtype("cpu")


def get_autocast_gpu_dtype() -> dtype:
    """`get_autocast_dtype("cuda")`, deprecated."""
    _deprecated("get_autocast_gpu_dtype()", "get_autocast_dtype('cuda')")
    return get_autocast_dtype("cuda")


def set_autocast_cpu_enabled(enabled: bool) -> None:
    """`set_autocast_enabled("cpu", enabled)`, deprecated."""
    _deprecated("set_autocast_cpu_enabled(enabled)", "set_autocast_enabled('cpu', enabled)")
    set_autocast_enabled("cpu", enabled)


def set_autocast_cpu_dtype(dtype: dtype) -> None:
    """`set_autocast_dtype("cpu", dtype)`, deprecated."""
    _deprecated("set_autocast_cpu_dtype(dtype)", "set_autocast_dtype('cpu', dtype)")
    set_autocast_dtype("cpu", dtype)


def set_autocast_gpu_dtype(dtype: dtype) -> None:
    """`set_autocast_dtype("cuda", dtype)`, deprecated."""
    _deprecated("set_autocast_gpu_dtype(dtype)", "set_autocast_dtype('cuda', dtype)")
    set_autocast_dtype("cuda", dtype)


class autocast:
    """A `with` block, or decorator, in which products are computed in low precision.

    Products of matrices, layers, convolutions and attention take their operands in `dtype`
    (bfloat16 on the CPU; float16 is taken too), losses, Fourier transforms and decompositions in
    float32; other functions leave types alone. float64 stays what it is. Casts of parameters are
    kept to the end of the outermost block (`cache_enabled`).

    Raises ValueError where `device_type` is no text, RuntimeError where it names no device. Warns
    where the device is not there, or the type is not possible: then nothing is cast.

    >>> import seegrad as torch
    >>> with torch.autocast("cpu"):
    ...     (torch.ones(2, 2) @ torch.ones(2, 2)).dtype
    torch.bfloat16
    """

    def __init__(
        self,
        device_type: str,
        dtype: dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        self.custom_backend_name = "privateuseone"
        self._cache_enabled = CASTS.caching if cache_enabled is None else cache_enabled
        self._enabled = enabled and self._is_possible()

    def _is_possible(self) -> bool:
        """Whether there is something to cast; warns where the user may think so."""
        text = None
        if self.device == "cuda":
            text = "CUDA is not available or torch_xla is imported. Disabling autocast."
        elif self.device == "cpu" and self.fast_dtype not in (bfloat16, float16):
            text = (
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently."
            )
        if text is not None:
            warnings.warn(text, stacklevel=users_level())
        return text is None

    def __enter__(self) -> "autocast":
        self._before = (
            CASTS.caching,
            is_autocast_enabled(self.device),
            get_autocast_dtype(self.device),
        )
        set_autocast_enabled(self.device, self._enabled)
        set_autocast_dtype(self.device, self.fast_dtype)
        autocast_increment_nesting()
        set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, *_: object) -> None:
        caching, enabled, fast = self._before
        if autocast_decrement_nesting() == 0:
            clear_autocast_cache()
        set_autocast_enabled(self.device, enabled)
        set_autocast_dtype(self.device, fast)
        set_autocast_cache_enabled(caching)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return decorated


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: dtype | None = None) -> Any:
    """For the `forward` of a custom Function: floating inputs are cast to `cast_inputs` first.

    With `cast_inputs`, autocast is off inside; without, forward runs under the autocast that there
    is, and `custom_bwd` gives backward the same. Nothing is cast outside of autocast.
    """
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        context, enabled = args[0], is_autocast_enabled(device_type)
        context._autocast = get_autocast_dtype(device_type), enabled and cast_inputs is None
        if cast_inputs is None or not enabled:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return decorated


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """For the `backward` of a custom Function: it runs under the autocast of its forward."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        fast, used = args[0]._autocast
        with autocast(device_type, fast, enabled=used):
            return bwd(*args, **kwargs)

    return decorated


def _cast(value: Any, wanted: dtype) -> Any:
    """Floating tensors in another type, inside of containers too; float64 stays."""
    if isinstance(value, TensorBase):
        kind: Any = value.dtype
        plain = kind.is_floating_point and kind.itemsize < 8
        return value.to(wanted) if plain else value  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return {_cast(k, wanted): _cast(v, wanted) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(each, wanted) for each in value])
    return value
