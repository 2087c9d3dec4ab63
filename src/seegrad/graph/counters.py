"""What counts the writes to one piece of memory, and says whether it does.

Note [Inference]: a tensor made in inference mode is told by its counter, which is UNTRACKED:
nobody counts its writes, so nobody could notice that it was changed after it was saved. Reading
`value` raises therefore, and `value` is read by whoever saves a tensor, fast line or slow; no line
of the hot path knows of inference mode. Which counter a new tensor begins with says
`thread.state.fresh`: NEVER, and UNTRACKED in inference mode.
"""

from typing import Final

from seegrad.errors import INFERENCE_SAVED

__all__ = ["NEVER", "UNTRACKED", "Counter", "Untracked"]


class Counter:
    """The number of writes to one piece of memory."""

    __slots__ = ("value",)

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


NEVER: Final = Counter()
UNTRACKED: Final = Untracked()
