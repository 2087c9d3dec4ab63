"""Files of the package safetensors, which `load` takes by their ending.

`safetensors.torch` itself works where seegrad is installed as torch; here the package is asked for
plain bytes, so that files can be loaded without that.
"""

import importlib
import json
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.device import device as Device
from seegrad.device import require_cpu
from seegrad.graph.tensor import wrap

__all__ = ["ENDING", "load_safetensors"]

ENDING = ".safetensors"
DTYPES = {
    "F16": dtypes.float16,
    "BF16": dtypes.bfloat16,
    "F32": dtypes.float32,
    "F64": dtypes.float64,
    "C64": dtypes.complex64,
    "I8": dtypes.int8,
    "I16": dtypes.int16,
    "I32": dtypes.int32,
    "I64": dtypes.int64,
    "U8": dtypes.uint8,
    "BOOL": dtypes.bool_,
}


def load_safetensors(path: str, map_location: Any) -> dict[str, Any]:
    """The tensors in a file of safetensors, by name.

    Raises: RuntimeError where the package is not installed, and for a map_location that is
    neither a string nor a device.
    """
    if map_location is not None and not isinstance(map_location, (str, Device)):
        kind = "dict" if isinstance(map_location, dict) else "callable"
        raise RuntimeError(
            f"Loading safetensors file with {kind} map_location is not supported. Use a device "
            "string or torch.device instead."
        )
    require_cpu(map_location)
    try:
        package: Any = importlib.import_module("safetensors")
    except ImportError as error:
        raise RuntimeError(
            "Attempting to load a safetensors file but safetensors is not installed. Please "
            "install safetensors with: pip install safetensors"
        ) from error
    with open(path, "rb") as file:
        content = file.read()
    found = dict(package.deserialize(content))
    return {name: tensor_of(found[name]) for name in in_order(content)}


def in_order(content: bytes) -> list[str]:
    """The names in a file that the package has read, in the order of their data."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)
    return sorted(header, key=lambda name: (header[name]["data_offsets"], name))


def tensor_of(told: dict[str, Any]) -> Any:
    """The tensor that the package tells of: dtype, shape, bytes."""
    dtype = DTYPES.get(told["dtype"])
    if dtype is None:
        raise RuntimeError(f"seegrad has no dtype for {told['dtype']} of safetensors")
    memory: Any = np.frombuffer(bytearray(told["data"]), np.uint8)
    return wrap(memory.view(dtype.numpy).reshape(told["shape"]))
