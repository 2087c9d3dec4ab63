"""`Generator`: the stream of random bits, word for word PyTorch's on the CPU.

PyTorch's stream is the Mersenne Twister started from the low 32 bits of the seed; NumPy has the
same twister, so a seed gives the same words here and there. What is made of the words is in
`random` and `normal`.
"""

from __future__ import annotations

import os
import struct
import threading
from functools import cached_property
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]

DEFAULT_SEED: Final = 67280421310721
WORDS: Final = 624
# PyTorch's layout: seed, words left, seeded, next word, the twister's words, then the cached
# normal number between two unused doubles, whether it is valid, and an unused float with its flag.
_HEAD: Final = struct.Struct("<QiiQ")
_TAIL: Final = struct.Struct("<dddi4xf?3x")
STATE_SIZE: Final = _HEAD.size + 8 * WORDS + _TAIL.size


class Generator:
    """A stream of random numbers, the same as PyTorch's for the same seed.

    Raises `RuntimeError` for devices other than the CPU.

    >>> import seegrad as torch
    >>> generator = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=generator)
    tensor([0.4963, 0.7682])
    """

    device: Any = "cpu"

    def __init__(self, device: Any = "cpu") -> None:
        if str(device).partition(":")[0] != "cpu":
            raise RuntimeError(f"seegrad computes on the CPU only; no generator for {device}")
        # The second number of a Box-Muller pair, kept for the next call; see `normal`.
        self.next_normal: float | None = None
        self._restart(DEFAULT_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream of `seed`, from -2**63 to 2**64 - 1, and return the generator.

        Raises `RuntimeError` if `seed` is no `int`, `ValueError` if it needs more than 64 bits.
        """
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._restart(seed % 2**64)
        return self

    def _restart(self, seed: int) -> None:
        self._seed = seed
        self.__dict__.pop("_bits", None)
        self.next_normal = None

    @cached_property
    def _bits(self) -> Any:
        """The twister, made when the first number is drawn: `np.random` takes long to import."""
        bits: Any = np.random.MT19937(0)
        # RandomState, other than MT19937(seed), seeds the twister in the original way.
        bits.state = np.random.RandomState(self._seed % 2**32).get_state(legacy=False)
        return bits

    def seed(self) -> int:
        """Start an unpredictable stream and return its seed."""
        self._restart(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """Return the seed the stream was started with, from 0 to 2**64 - 1."""
        return self._seed

    def words(self, count: int) -> Array:
        """Return the next `count` words of 32 bits as a uint64 array, shape (count,)."""
        drawn: Array = self._bits.random_raw(count)
        return drawn

    def twister(self) -> tuple[Array, int]:
        """Return the words of the twister, uint32, and how many of them were used."""
        state: Any = self._bits.state["state"]
        return state["key"], int(state["pos"])

    def set_twister(self, key: Array, position: int) -> None:
        """Go to a state that `twister` returned."""
        state: Any = {"bit_generator": "MT19937", "state": {"key": key, "pos": position}}
        self._bits.state = state

    def get_state(self) -> Array:
        """Return the state as a uint8 array, shape (5056,), byte for byte PyTorch's."""
        key, position = self.twister()
        fresh = position == WORDS and int(key[0]) == self._seed % 2**32
        head = _HEAD.pack(self._seed, WORDS + 1 - position, 1, 0 if fresh else position)
        cached = self.next_normal
        tail = _TAIL.pack(0.0, cached or 0.0, 0.0, cached is not None, 0.0, False)
        state = head + key.astype("<u8").tobytes() + tail
        return np.frombuffer(state, np.uint8).copy()

    def set_state(self, new_state: Array) -> Generator:
        """Go to a state that `get_state` returned, shape (5056,), uint8; return the generator.

        Raises `TypeError` for another type, `RuntimeError` for another size or content.
        """
        if not isinstance(new_state, np.ndarray):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if new_state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if new_state.size != STATE_SIZE:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE_SIZE} but found the input RNG "
                f"state size to be {new_state.size}"
            )
        self._read_state(new_state.tobytes())
        return self

    def _read_state(self, state: bytes) -> None:
        seed, left, seeded, position = _HEAD.unpack_from(state)
        if not seeded or not 1 <= left <= WORDS or position > WORDS:
            raise RuntimeError("Invalid mt19937 state")
        key = np.frombuffer(state, "<u8", WORDS, _HEAD.size).astype(np.uint32)
        _, cached, _, valid, _, _ = _TAIL.unpack_from(state, STATE_SIZE - _TAIL.size)
        self._seed = seed
        self.set_twister(key, WORDS if left == 1 else position)
        self.next_normal = cached if valid else None

    def clone_state(self) -> Generator:
        """Return a new generator that will give the same numbers as this one."""
        clone = type(self)()
        Generator.set_state(clone, Generator.get_state(self))
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), Generator.get_state(self))


def _restored(kind: type[Generator], state: Array) -> Generator:
    """Make a generator from its state; pickles and copies call it."""
    made = kind()
    Generator.set_state(made, state)
    return made


# The stream of everything that is given no generator. PyTorch's also starts unpredictably.
default_generator: Final = Generator()
default_generator.seed()


class Refusal(threading.local):
    """What is said in this thread to who would draw numbers; None where nothing is refused."""

    text: str | None = None


REFUSAL: Final = Refusal()


def chosen(generator: Generator | None) -> Generator:
    """Return `generator`, or the default one for None; raises `TypeError` for anything else."""
    if REFUSAL.text is not None:
        raise RuntimeError(REFUSAL.text)
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        kind = type(generator).__name__
        raise TypeError(f"argument 'generator' must be torch.Generator, not {kind}")
    return generator
