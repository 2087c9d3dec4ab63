"""`torch.__version__`: a text that compares as a version does."""

import re
from typing import Any

__all__ = ["TorchVersion"]

_FORM = re.compile(
    r"v?(\d+(?:\.\d+)*)(?:[._-]?(dev|post|a|alpha|b|beta|c|rc)[._-]?(\d*))?(?:\+([a-z0-9._-]+))?",
    re.IGNORECASE,
)
_STAGES = {"dev": -4, "a": -3, "alpha": -3, "b": -2, "beta": -2, "c": -1, "rc": -1, "post": 1}


class TorchVersion(str):
    """A version number; texts and tuples are compared with it as versions, if they are any.

    >>> TorchVersion("2.13.0+cpu") > "2.9", TorchVersion("1.10.0a") >= (1, 10)
    (True, False)
    """

    __hash__ = str.__hash__

    def __lt__(self, other: Any) -> bool:
        return _compared(self, other, str.__lt__, lambda one, two: one < two)

    def __le__(self, other: Any) -> bool:
        return _compared(self, other, str.__le__, lambda one, two: one <= two)

    def __gt__(self, other: Any) -> bool:
        return _compared(self, other, str.__gt__, lambda one, two: one > two)

    def __ge__(self, other: Any) -> bool:
        return _compared(self, other, str.__ge__, lambda one, two: one >= two)

    def __eq__(self, other: object) -> bool:
        return _compared(self, other, str.__eq__, lambda one, two: one == two)

    def __ne__(self, other: object) -> bool:
        return not self == other


def _compared(version: str, other: Any, as_text: Any, as_version: Any) -> bool:
    if isinstance(other, tuple | list):
        other = ".".join(map(str, other))
    mine, its = _key(version), _key(other) if isinstance(other, str) else None
    if mine is None or its is None:
        return bool(as_text(version, other))
    return bool(as_version(mine, its))


def _key(text: str) -> Any:
    """What orders versions: the numbers, how ripe it is, and what was added; None for others."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    numbers, stage, serial, local = found.groups()
    release = [int(one) for one in numbers.split(".")]
    while release and release[-1] == 0:
        release.pop()
    ripe = _STAGES[stage.lower()] if stage else 0, int(serial or 0)
    parts = re.split(r"[._-]", local.lower()) if local else []
    return (
        release,
        ripe,
        [(part.isdigit(), int(part) if part.isdigit() else part) for part in parts],
    )
