"""Files that hold more than weights: whole modules, and whatever else pickle writes.

Python's own unpickler reads them, and runs what they name. Classes of PyTorch's are those of
seegrad.
"""

import io
from collections.abc import Callable
from typing import Any

from seegrad.errors import noted
from seegrad.ops.once import warn
from seegrad.serialization._allowed import unsafe_globals
from seegrad.serialization._names import found

__all__ = ["UntrustedFileWarning", "read_all"]


class UntrustedFileWarning(UserWarning):
    """`load(weights_only=False)` runs what the file names."""


UntrustedFileWarning.__module__ = "seegrad.serialization"


def read_all(
    content: bytes, storage_of: Callable[[Any], Any], module: Any, options: dict[str, Any]
) -> Any:
    """The object in a pickle, by the unpickler of `module`.

    Warns of classes and functions that the file names and that are not known as safe.
    """
    warn_of(content)

    class Unpickler(module.Unpickler):  # type: ignore[misc]
        """Finds seegrad's classes under PyTorch's names, and storages."""

        def find_class(self, module: str, name: str) -> Any:
            """A class or function by its name."""
            if module.partition(".")[0] == "torch":
                return found(module, name)
            return super().find_class(module, name)

        def persistent_load(self, reference: Any) -> Any:
            """A storage."""
            return storage_of(reference)

    try:
        return Unpickler(io.BytesIO(content), **{"encoding": "utf-8", **options}).load()
    except AttributeError as error:
        if "__main__" in str(error):
            raise noted(error, IN_MAIN) from None
        raise


IN_MAIN = (
    "The file was saved by a program that defined this class itself. The program that loads it "
    "has to define, or import, the class under the same name."
)


def warn_of(content: bytes) -> None:
    """Names what the file runs that is not known as safe."""
    try:
        names = unsafe_globals(content)
    except Exception:
        names = ["what could not be read beforehand"]
    if names:
        warn(
            "load(weights_only=False) runs what the file names, here "
            f"{', '.join(names[:5])}{' ...' if len(names) > 5 else ''}. Do it only with files "
            "from people you trust; state_dict() is saved and loaded without.",
            UntrustedFileWarning,
        )
