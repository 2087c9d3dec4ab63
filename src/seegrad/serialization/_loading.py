"""`load`: from a file to the object that was saved."""

import mmap as mapping
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pickle import UnpicklingError
from typing import Any

from seegrad.errors import noted
from seegrad.ops.once import warn
from seegrad.serialization import _options
from seegrad.serialization._allowed import unsafe_globals
from seegrad.serialization._archive import Archive, is_zip
from seegrad.serialization._machine import read_weights
from seegrad.serialization._safetensors import ENDING, load_safetensors
from seegrad.serialization._storages import Storages
from seegrad.serialization._texts import UNSAFE
from seegrad.serialization._whole import read_all

__all__ = ["get_unsafe_globals_in_checkpoint", "load"]

FORCE, FORCE_NO = "TORCH_FORCE_WEIGHTS_ONLY_LOAD", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
LEGACY = b"\x80\x02\x8a\nl\xfc\x9c\xf9 F\xa8jP\x19."  # the first thing in files before 1.6
ONLY_ZIP = (
    "seegrad reads the zip files that torch.save writes since PyTorch 1.6. Load this one with "
    "PyTorch and save it again."
)
EXPLICIT_MODULE = "Can not safely load weights when explicit pickle_module is specified"


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Return the object in a file that `save` wrote, PyTorch's `save` too.

    Args:
        f: a path, or a file that is open for reading, with `read`, `seek` and `tell`. A path that
            ends in `.safetensors` is read by the package safetensors.
        map_location: where storages go that were elsewhere: a device, a dictionary of locations,
            or a function of a storage and its location. Only the CPU is here.
        pickle_module: whose Unpickler reads the file when `weights_only` is False.
        weights_only: True (default) loads tensors, numbers, texts, containers, and what
            `add_safe_globals` lists; nothing in the file is run. False runs what the file names,
            with a warning: whole modules are loaded so, from people you trust.
        mmap: True maps the file: data are read when they are used.

    Raises: UnpicklingError for what is not on the list, and for damaged pickles; RuntimeError for
    damaged archives, other formats, and tensors that do not lie in their storage.

    >>> import seegrad as torch
    >>> import io
    >>> file = io.BytesIO()
    >>> torch.save([torch.arange(3), "text"], file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    [tensor([0, 1, 2]), 'text']
    """
    weights_only = decided(weights_only, pickle_module)
    if weights_only and pickle_load_args:
        warn("pickle_load_args only works if `weights_only=False`.")
    if is_path(f) and os.fspath(f).endswith(ENDING):
        return load_safetensors(os.fspath(f), map_location)
    with opened(f) as file:
        if mmap and not is_path(f):
            raise ValueError("f must be a file path in order to use the mmap argument")
        if not is_zip(file):
            raise of_other_format(file, weights_only)
        archive = Archive(file, mapped(f) if mmap else None)
        if "constants.pkl" in archive:
            raise refused("TorchScript archives passed to ``torch.load``", weights_only)
        archive.read("version")
        content, storages = archive.read("data.pkl"), Storages(archive, map_location)
        if weights_only:
            return read_weights(content, storages)
        return read_all(content, storages, pickle_module or pickle, pickle_load_args)


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """Return the paths of what a file names that is not on the list of `weights_only=True`.

    Args: `f` a path or an open file, as for `load`. Nothing in the file is run.

    >>> import seegrad as torch
    >>> import io
    >>> file = io.BytesIO()
    >>> torch.save(torch.nn.ReLU(), file)
    >>> _ = file.seek(0)
    >>> torch.serialization.get_unsafe_globals_in_checkpoint(file)
    ['torch.nn.modules.activation.ReLU']
    """
    with opened(f) as file:
        if not is_zip(file):
            raise of_other_format(file, True)
        archive = Archive(file)
        try:
            return unsafe_globals(archive.read("data.pkl"))
        except ValueError as error:
            raise UnpicklingError(f"the pickle is damaged: {error}") from error


def decided(weights_only: bool | None, pickle_module: Any) -> bool:
    """Whether weights only are loaded, after the environment was asked."""
    force, force_no = is_set(FORCE), is_set(FORCE_NO)
    if force and force_no:
        raise RuntimeError(
            f"Only one of `{FORCE}` or `{FORCE_NO}` should be set, but both were set."
        )
    if force:
        weights_only = True
    elif weights_only is None and force_no:
        warn(
            f"Environment variable {FORCE_NO} detected, since the`weights_only` argument was not "
            "explicitly passed to `torch.load`, forcing weights_only=False."
        )
        return False
    if weights_only and pickle_module is not None:
        raise RuntimeError(EXPLICIT_MODULE)
    return pickle_module is None if weights_only is None else weights_only


def is_set(name: str) -> bool:
    """Whether a variable of the environment says yes."""
    return os.getenv(name, "0") in ("1", "y", "yes", "true")


@contextmanager
def opened(f: Any) -> Iterator[Any]:
    """The file that `f` is, or that it is the path of."""
    if is_path(f):
        with open(f, "rb") as file:
            yield file
        return
    for name in ("seek", "read", "tell"):
        if not hasattr(f, name):
            raise AttributeError(
                f"{type(f).__name__!r} object has no attribute {name!r}. You can only torch.load "
                "from a file that is seekable. Please pre-load the data into a buffer like "
                "io.BytesIO and try to load from it instead."
            )
    f.seek(f.tell())
    yield f


def is_path(f: Any) -> bool:
    """Whether `f` is the path of a file."""
    return isinstance(f, (str, os.PathLike))


def mapped(path: Any) -> mapping.mmap:
    """All of a file as memory, which is read when it is looked at."""
    is_shared = _options.get_default_mmap_options() == getattr(mapping, "MAP_SHARED", 1)
    access = mapping.ACCESS_WRITE if is_shared else mapping.ACCESS_COPY
    with open(path, "r+b" if is_shared else "rb") as file:
        return mapping.mmap(file.fileno(), 0, access=access)


def of_other_format(file: Any, weights_only: bool) -> Exception:
    """The error for a file that is no zip."""
    begin = file.read(512)
    if not begin:
        return EOFError("Ran out of input: the file is empty, or it was read to its end before")
    if not isinstance(begin, bytes):
        return TypeError(f"the file has to be open in binary mode, it gives {type(begin)}")
    if begin[257:262] == b"ustar":
        return refused("files saved in the legacy .tar format", weights_only)
    if begin.startswith(LEGACY):
        return noted(UnpicklingError("This is a legacy file, which is no zip"), ONLY_ZIP)
    return noted(UnpicklingError("This is no file that torch.save wrote"), ONLY_ZIP)


def refused(what: str, weights_only: bool) -> RuntimeError:
    """The error for a format of PyTorch's that is not read here."""
    if weights_only:
        text = f"Cannot use ``weights_only=True`` with {what}. {UNSAFE}"
        return noted(RuntimeError(text), ONLY_ZIP)
    return RuntimeError(f"seegrad does not read {what}")
