"""An error of a worker on its way to the process that it works for."""

import pickle
import traceback
from typing import NoReturn

__all__ = ["Caught"]


class _Lines(str):
    """Text that a KeyError shows as it is, with its lines."""

    def __repr__(self) -> str:
        return str(self)


class Caught:
    """The class of an error and its traceback as text: what can be sent of it."""

    def __init__(self, error: BaseException, where: str) -> None:
        # A class inside of a function cannot be sent: then the nearest that it derives from.
        self.kind = next(cls for cls in type(error).__mro__ if _travels(cls))
        trace = "".join(traceback.format_exception(error))
        self.text = f"Caught {type(error).__name__} {where}.\nOriginal {trace}"

    def reraise(self) -> NoReturn:
        """Raises an error of that class with the text; RuntimeError where it takes no text."""
        text = _Lines(self.text) if issubclass(self.kind, KeyError) else self.text
        try:
            error = self.kind(text)
        except Exception:
            error = RuntimeError(self.text)
        raise error


def _travels(cls: type) -> bool:
    """Whether a class can be pickled: by its name, where it is found."""
    try:
        pickle.dumps(cls)
    except Exception:
        return False
    return True
