"""PyTorch's autograd in Python that people can read, on NumPy arrays.

>>> import seegrad as torch
>>> x = torch.tensor([1.0, 2.0], requires_grad=True)
>>> (x * x).sum().backward()
>>> x.grad
tensor([2., 4.])
"""

import math as _math
from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from seegrad import _C, autograd, compiler, fft, linalg, overrides, random, special, version
from seegrad.arrays import dtypes as _dtypes
from seegrad.arrays.dtypes import dtype, get_default_dtype, set_default_dtype
from seegrad.arrays.limits import finfo, iinfo
from seegrad.arrays.printing import set_printoptions
from seegrad.arrays.promotion import can_cast, promote_types
from seegrad.arrays.size import Size
from seegrad.autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from seegrad.autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from seegrad.compiler import compile
from seegrad.device import device, get_default_device, set_default_device
from seegrad.functions import *
from seegrad.functions import __all__ as _functions
from seegrad.graph.asked import register as _register
from seegrad.missing import missing as _missing
from seegrad.ops import return_types
from seegrad.ops.once import is_warn_always_enabled, set_warn_always
from seegrad.tensor.conversion import layout, sparse_coo, strided
from seegrad.tensor.formats import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    memory_format,
    preserve_format,
)
from seegrad.tensor.inquiry import (
    are_deterministic_algorithms_enabled,
    get_num_interop_threads,
    get_num_threads,
    is_complex,
    is_floating_point,
    is_inference,
    is_nonzero,
    is_same_size,
    is_signed,
    is_storage,
    is_tensor,
    numel,
    result_type,
    set_float32_matmul_precision,
    set_num_interop_threads,
    set_num_threads,
    typename,
    use_deterministic_algorithms,
)
from seegrad.tensor.legacy import (
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
    set_default_tensor_type,
)
from seegrad.tensor.removed import eig, lstsq, matrix_rank, solve, symeig
from seegrad.tensor.sampling import Generator, default_generator
from seegrad.tensor.storages import (
    BFloat16Storage,
    BoolStorage,
    ByteStorage,
    CharStorage,
    ComplexDoubleStorage,
    ComplexFloatStorage,
    DoubleStorage,
    FloatStorage,
    HalfStorage,
    IntStorage,
    LongStorage,
    ShortStorage,
    TypedStorage,
    UntypedStorage,
)
from seegrad.tensor.tensor import Tensor
from seegrad.torch_version import TorchVersion as _TorchVersion

__version__ = _TorchVersion(version.__version__)

bfloat16 = _dtypes.bfloat16
complex64 = cfloat = _dtypes.complex64
complex128 = cdouble = _dtypes.complex128
float16 = half = _dtypes.float16
float32 = _dtypes.float32
float64 = double = _dtypes.float64
int8 = _dtypes.int8
int16 = short = _dtypes.int16
int32 = _dtypes.int32
int64 = long = _dtypes.int64
uint8 = _dtypes.uint8

inf = _math.inf
nan = _math.nan
pi = 3.141592653589793
e = 2.718281828459045
newaxis = None

# The names of Python's own types come last: from here on they mean dtypes in this module.
bool: _dtypes.dtype = _dtypes.NAMES["bool"]
float: _dtypes.dtype = _dtypes.NAMES["float"]
int: _dtypes.dtype = _dtypes.NAMES["int"]

__all__ = [
    *_functions,
    "BFloat16Storage",
    "BoolStorage",
    "ByteStorage",
    "CharStorage",
    "ComplexDoubleStorage",
    "ComplexFloatStorage",
    "DoubleStorage",
    "FloatStorage",
    "HalfStorage",
    "IntStorage",
    "LongStorage",
    "ShortStorage",
    "TypedStorage",
    "UntypedStorage",
    "eig",
    "load",
    "lstsq",
    "matrix_rank",
    "save",
    "serialization",
    "solve",
    "storage",
    "BFloat16Tensor",
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "Generator",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "Size",
    "Tensor",
    "__version__",
    "amp",
    "are_deterministic_algorithms_enabled",
    "autocast",
    "autocast_decrement_nesting",
    "autocast_increment_nesting",
    "clear_autocast_cache",
    "get_autocast_cpu_dtype",
    "get_autocast_dtype",
    "get_autocast_gpu_dtype",
    "is_autocast_cache_enabled",
    "is_autocast_cpu_enabled",
    "is_autocast_enabled",
    "set_autocast_cache_enabled",
    "set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled",
    "set_autocast_dtype",
    "set_autocast_enabled",
    "set_autocast_gpu_dtype",
    "accelerator",
    "autograd",
    "backends",
    "bfloat16",
    "bool",
    "can_cast",
    "cdouble",
    "cfloat",
    "channels_last",
    "channels_last_3d",
    "compile",
    "compiler",
    "complex128",
    "complex64",
    "contiguous_format",
    "cuda",
    "default_generator",
    "device",
    "distributed",
    "distributions",
    "double",
    "dtype",
    "e",
    "enable_grad",
    "finfo",
    "float",
    "float16",
    "float32",
    "float64",
    "func",
    "functional",
    "fx",
    "get_default_device",
    "get_default_dtype",
    "get_num_interop_threads",
    "get_num_threads",
    "half",
    "iinfo",
    "inf",
    "inference_mode",
    "install_as_torch",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_complex",
    "is_floating_point",
    "is_inference",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_nonzero",
    "is_same_size",
    "is_signed",
    "is_storage",
    "is_tensor",
    "is_warn_always_enabled",
    "jit",
    "layout",
    "fft",
    "linalg",
    "long",
    "masked",
    "memory_format",
    "mps",
    "multiprocessing",
    "nan",
    "newaxis",
    "nn",
    "no_grad",
    "numel",
    "optim",
    "overrides",
    "pi",
    "preserve_format",
    "promote_types",
    "random",
    "result_type",
    "return_types",
    "set_anomaly_enabled",
    "set_default_device",
    "set_default_dtype",
    "set_default_tensor_type",
    "set_float32_matmul_precision",
    "set_grad_enabled",
    "set_num_interop_threads",
    "set_num_threads",
    "set_printoptions",
    "set_warn_always",
    "short",
    "signal",
    "sparse",
    "sparse_coo",
    "sparse_coo_tensor",
    "special",
    "spmm",
    "strided",
    "symeig",
    "testing",
    "typename",
    "types",
    "uint8",
    "use_deterministic_algorithms",
    "utils",
    "version",
    "vmap",
    "xpu",
]

if TYPE_CHECKING:
    from seegrad import (
        accelerator,
        amp,
        backends,
        cuda,
        distributed,
        distributions,
        func,
        functional,
        fx,
        jit,
        masked,
        mps,
        multiprocessing,
        nn,
        optim,
        serialization,
        signal,
        sparse,
        storage,
        testing,
        types,
        utils,
        xpu,
    )
    from seegrad.alias import install_as_torch
    from seegrad.amp.autocast_mode import (
        autocast,
        autocast_decrement_nesting,
        autocast_increment_nesting,
        clear_autocast_cache,
        get_autocast_cpu_dtype,
        get_autocast_dtype,
        get_autocast_gpu_dtype,
        is_autocast_cache_enabled,
        is_autocast_cpu_enabled,
        is_autocast_enabled,
        set_autocast_cache_enabled,
        set_autocast_cpu_dtype,
        set_autocast_cpu_enabled,
        set_autocast_dtype,
        set_autocast_enabled,
        set_autocast_gpu_dtype,
    )
    from seegrad.func import vmap
    from seegrad.serialization import load, save
    from seegrad.sparse import mm as spmm
    from seegrad.tensor.coo_making import sparse_coo_tensor

# Modules that are imported when their name is first used: half the time of importing the package.
_LATER = frozenset(
    {
        "accelerator",
        "amp",
        "backends",
        "cuda",
        "distributed",
        "distributions",
        "func",
        "functional",
        "fx",
        "jit",
        "masked",
        "mps",
        "multiprocessing",
        "nn",
        "optim",
        "serialization",
        "signal",
        "sparse",
        "storage",
        "testing",
        "torch_version",
        "types",
        "utils",
        "xpu",
    }
)
_unknown = _missing(__name__, __all__)
_register("torch", globals(), [name for name in __all__ if name not in _functions])


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return _import_module(f"{__name__}.{name}")
    if "autocast" in name and name in __all__:
        return getattr(_import_module(f"{__name__}.amp.autocast_mode"), name)
    if name == "install_as_torch":
        return _import_module(f"{__name__}.alias").install_as_torch
    if name in ("load", "save"):
        return getattr(_import_module(f"{__name__}.serialization"), name)
    if name == "sparse_coo_tensor":
        return _import_module(f"{__name__}.tensor.coo_making").sparse_coo_tensor
    if name == "spmm":
        return _import_module(f"{__name__}.sparse").mm
    if name == "vmap":
        return _import_module(f"{__name__}.func").vmap
    if name.startswith("_foreach_"):
        found = _import_module(f"{__name__}.ops.foreach").foreach(name.removeprefix("_foreach_"))
        if found is not None:
            found.__name__ = found.__qualname__ = name
            return globals().setdefault(name, found)
    return _unknown(name)
