"""Files: `save` and `load` in PyTorch's own format, the names of `torch.serialization`.

A file is a zip archive of `data.pkl`, a pickle of the object in which storages are references,
and of `data/0`, `data/1` ...: the bytes of each storage, stored as they are. Where to read:

    _archive     the zip and its bounds          _storages    records become memory
    _machine     pickles of weights, without code   _allowed     what files may name
    _rebuilding  tensors from storages           _names       what files call our classes
    _whole       whole modules (weights_only=False)   _saving      the way back
"""

from seegrad.serialization._allowed import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from seegrad.serialization._loading import get_unsafe_globals_in_checkpoint, load
from seegrad.serialization._options import (
    LoadEndianness,
    get_crc32_options,
    get_default_load_endianness,
    get_default_mmap_options,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
    skip_data,
)
from seegrad.serialization._saving import save
from seegrad.serialization._storages import (
    default_restore_location,
    location_tag,
    register_package,
)
from seegrad.serialization._whole import UntrustedFileWarning

__all__ = [
    "LoadEndianness",
    "UntrustedFileWarning",
    "add_safe_globals",
    "clear_safe_globals",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "location_tag",
    "register_package",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
    "skip_data",
]
