"""Where a tensor's memory is: always the CPU. Other devices can be named, not used."""

import re
from typing import Any, NoReturn

from seegrad.errors import noted

__all__ = ["device", "get_default_device", "require_cpu", "set_default_device"]

_TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)
_KNOWN = frozenset(_TYPES.split(", "))
_FORM = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9]\d*))?")
_WAY_OUT = (
    "seegrad computes with NumPy, on the CPU. Programs that choose their device with "
    "torch.device('cuda' if torch.cuda.is_available() else 'cpu') run as they are."
)


class device:
    """A device by type and index, as `device("cuda:1")`, `device("cuda", 1)` or of another one.

    Every type that PyTorch knows can be named; tensors live on "cpu" only.

    Raises: RuntimeError for a string that names no device, an index below 0, or a bare number
    (which means an accelerator); TypeError for anything else.

    >>> import seegrad as torch
    >>> torch.device("cuda:1")
    device(type='cuda', index=1)
    >>> torch.ones(2).device
    device(type='cpu')
    """

    __slots__ = ("_index", "_type")

    _type: str
    _index: "int | None"

    def __init__(self, type: Any = None, index: int | None = None, **device: Any) -> None:
        given = device.pop("device", type)
        if device:
            raise TypeError(f"device() got an unexpected keyword argument '{next(iter(device))}'")
        if isinstance(given, _device):
            self._type, self._index = given._type, given._index
        elif isinstance(given, str):
            self._type, self._index = _parsed(given, index)
        elif isinstance(given, int) and not isinstance(given, bool):
            _refuse_number(given)
        else:
            _refuse_argument(given)

    @property
    def type(self) -> str:
        """The kind of device: "cpu", "cuda" ..."""
        return self._type

    @property
    def index(self) -> int | None:
        """Which device of its kind, None for the current one."""
        return self._index

    def require_cpu(self) -> "device":
        """The device itself, where it is the CPU.

        Raises: the error of a PyTorch without that accelerator, with a note on the way out.
        """
        if self._type != "cpu":
            raise noted(_absent(self._type), _WAY_OUT)
        return self

    def __repr__(self) -> str:
        index = "" if self._index is None else f", index={self._index}"
        return f"device(type='{self._type}'{index})"

    def __str__(self) -> str:
        return self._type if self._index is None else f"{self._type}:{self._index}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _device):
            return NotImplemented
        return (self._type, self._index) == (other._type, other._index)

    def __hash__(self) -> int:
        return hash((self._type, self._index))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._type, self._index)

    def __enter__(self) -> "device":
        return self.require_cpu()

    def __exit__(self, *_: object) -> None:
        return None


# Parameters of the constructor hide the class's own name. Programs read its name in reprs.
_device = device
device.__module__ = "torch"


def _restored(type: str, index: int | None) -> device:
    """The device that was pickled."""
    return device(type, index)


def require_cpu(wanted: Any) -> device:
    """The device that `wanted` names, where it is the CPU; None means the CPU.

    Raises: as `device.require_cpu` does, and as `device` does for what names no device.
    """
    return device("cpu" if wanted is None else wanted).require_cpu()


def _absent(type: str) -> Exception:
    if type in ("cuda", "xpu"):
        return AssertionError(f"Torch not compiled with {type.upper()} enabled")
    return RuntimeError(f"PyTorch is not linked with support for {type} devices")


def get_default_device() -> device:
    """The device of new tensors: the CPU.

    >>> import seegrad as torch
    >>> torch.get_default_device()
    device(type='cpu')
    """
    return device("cpu")


def set_default_device(device: Any) -> None:
    """Accept the CPU, or None, for new tensors.

    Raises RuntimeError for another device.

    >>> import seegrad as torch
    >>> torch.set_default_device("cpu")
    """
    require_cpu(device)


def _parsed(text: str, index: int | None) -> tuple[str, int | None]:
    """The type and index that a string names, or a string and a number."""
    if not text:
        raise RuntimeError("Device string must not be empty")
    match = _FORM.fullmatch(text)
    if match is None:
        raise RuntimeError(f"Invalid device string: '{text}'")
    if match[1] not in _KNOWN:
        raise RuntimeError(
            f"Expected one of {_TYPES} device type at start of device string: {match[1]}"
        )
    if index is None:
        return match[1], None if match[2] is None else int(match[2])
    if match[2] is not None:
        raise RuntimeError(
            f"type (string) must not include an index because index was passed explicitly: {text}"
        )
    return match[1], _checked(index)


def _checked(index: Any) -> int:
    if not isinstance(index, int):
        raise TypeError(f"device(): argument 'index' must be int, not {type(index).__name__}")
    if index < 0:
        raise RuntimeError("Device index must not be negative")
    return int(index)


def _refuse_number(index: int) -> NoReturn:
    _checked(index)
    text = "Cannot access accelerator device when none is available."
    raise noted(RuntimeError(text), _WAY_OUT)


def _refuse_argument(given: Any) -> NoReturn:
    name = type(given).__name__
    raise TypeError(
        f"device() received an invalid combination of arguments - got ({name}), but expected one "
        "of:\n * (torch.device device)\n      didn't match because some of the arguments have "
        f"invalid types: (!{name}!)\n * (str type, int index = -1)\n"
    )
