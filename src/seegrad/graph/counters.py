"""What counts the writes to one piece of memory, and says whether it does.

Note [Inference]: a tensor made in inference mode is told by its counter, which is UNTRACKED:
nobody counts its writes, so nobody could notice that it was changed after it was saved. Reading
`value` raises therefore, and `value` is read by whoever saves a tensor, fast line or slow; no line
of the hot path knows of inference mode. Which counter a new tensor begins with says
`thread.state.fresh`: NEVER, and UNTRACKED in inference mode.
"""

from typing import Any, Final

from seegrad.errors import INFERENCE_SAVED

__all__ = ["CUT", "NEVER", "UNTRACKED", "Counter", "Cut", "Untracked"]


class Counter:
    """The number of writes to one piece of memory.

    `noted`: what a watch knows of them; not set without one.
    """

    __slots__ = ("noted", "value")

    noted: Any
    value: int

    def __init__(self, value: int = 0) -> None:
        self.value = value


class Untracked(Counter):
    """The counter of inference tensors.

    `writes` is None, but for what was detached outside of inference mode: PyTorch counts and
    allows writes there.
    """

    __slots__ = ("writes",)

    def __init__(self, writes: int | None = None) -> None:
        self.writes = writes

    @property
    def value(self) -> int:  # type: ignore[override]
        """Raises: whoever asks is about to save the tensor."""
        raise RuntimeError(INFERENCE_SAVED)


CUT: Final = 2**40  # more writes than anybody makes


class Cut(Counter):
    """The counter of a tensor that was cut from its history in place, by `detach_`.

    A node that saved the tensor before keeps the tensor itself, whose history is gone: it finds a
    version of another age, and refuses. The writes are counted by the counter that views and
    aliases share.
    """

    __slots__ = ("shared",)

    def __init__(self, shared: Counter) -> None:
        self.shared = shared

    @property
    def value(self) -> int:
        """The writes, and one age more than before."""
        return self.shared.value + CUT

    @value.setter
    def value(self, value: int) -> None:
        self.shared.value = value - CUT


NEVER: Final = Counter()
UNTRACKED: Final = Untracked()
