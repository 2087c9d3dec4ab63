"""Sequences of different lengths in one batch: padded, or packed without the padding."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from seegrad.arrays.dtypes import int64
from seegrad.functions import arange, as_tensor, empty_like, full
from seegrad.ops.packing import packed_rows
from seegrad.tensor.tensor import Tensor

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class PackedSequence_(NamedTuple):
    """The four parts of a PackedSequence."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedSequence_):
    """Sequences step after step: first the first rows of all, then the second ones ...

    `data`: (rows, ...). `batch_sizes`: how many sequences have a row at each step. The longest
    come first; `sorted_indices` says which these were, `unsorted_indices` where each stands.

    >>> import seegrad as torch
    >>> sequences = [torch.tensor([1, 2]), torch.tensor([3])]
    >>> torch.nn.utils.rnn.pack_sequence(sequences).data
    tensor([1, 3, 2])
    """

    def __new__(
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> "PackedSequence":
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not isinstance(data, list | tuple) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. Instances of PackedSequence should never be "
                "created manually. They should be instantiated by functions like pack_sequence "
                "and pack_padded_sequences in nn.utils.rnn."
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> "PackedSequence":
        """The same with `data` converted; itself where nothing changes."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        return type(self)(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def pin_memory(self) -> "PackedSequence":
        """Itself converted by `Tensor.pin_memory`."""
        pin = (None if part is None else part.pin_memory() for part in self[2:])
        return type(self)(self.data.pin_memory(), self.batch_sizes, *pin)

    def cuda(self, *args: Any, **kwargs: Any) -> "PackedSequence":
        """On a GPU, which is not there."""
        return self.to("cuda", *args, **kwargs)

    def cpu(self, *args: Any, **kwargs: Any) -> "PackedSequence":
        """Itself."""
        return self.to("cpu", *args, **kwargs)

    def double(self) -> "PackedSequence":
        """With `data` in float64."""
        return self._converted("double")

    def float(self) -> "PackedSequence":
        """With `data` in float32."""
        return self._converted("float")

    def half(self) -> "PackedSequence":
        """With `data` in float16."""
        return self._converted("half")

    def long(self) -> "PackedSequence":
        """With `data` in int64."""
        return self._converted("long")

    def int(self) -> "PackedSequence":
        """With `data` in int32."""
        return self._converted("int")

    def short(self) -> "PackedSequence":
        """With `data` in int16."""
        return self._converted("short")

    def char(self) -> "PackedSequence":
        """With `data` in int8."""
        return self._converted("char")

    def byte(self) -> "PackedSequence":
        """With `data` in uint8."""
        return self._converted("byte")

    def _converted(self, name: str) -> "PackedSequence":
        return self.to(getattr(self.data, name)().dtype)

    @property
    def is_cuda(self) -> bool:
        """Whether `data` is on a GPU."""
        return bool(self.data.is_cuda)

    def is_pinned(self) -> bool:
        """Whether `data` is in pinned memory."""
        return bool(self.data.is_pinned())


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes `permutation`, (n,) whole numbers; None of None.

    >>> import seegrad as torch
    >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    places = arange(0, permutation.numel(), device=permutation.device)
    inverse: Tensor = empty_like(permutation).scatter_(0, permutation, places)
    return inverse


def pack_padded_sequence(
    input: Tensor,
    lengths: Any,
    batch_first: bool = False,
    enforce_sorted: bool = True,
) -> PackedSequence:
    """Pack a padded batch.

    `input`: (t, b, ...), with `batch_first` (b, t, ...). `lengths`: b whole numbers, with
    `enforce_sorted` the largest first. Raises RuntimeError for lengths that do not fit.

    >>> import seegrad as torch
    >>> batch = torch.tensor([[1, 2, 3], [4, 0, 0]])
    >>> torch.nn.utils.rnn.pack_padded_sequence(batch, [3, 1], batch_first=True).data
    tensor([1, 4, 2, 3])
    """
    lengths = as_tensor(lengths, dtype=int64)
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = lengths.sort(descending=True)
        input = input.index_select(0 if batch_first else 1, sorted_indices.to(input.device))
    data, batch_sizes = packed_rows(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, None)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Pad a PackedSequence: the inverse of `pack_padded_sequence`.

    Returns the batch (t, b, ...), with `batch_first` (b, t, ...), where t is the largest length or
    `total_length`, and the lengths (b,). Raises ValueError for a `total_length` that is too small.

    >>> import seegrad as torch
    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2],
            [3, 0]]), tensor([2, 1]))
    """
    sizes = sequence.batch_sizes.tolist()
    longest = len(sizes) if total_length is None else total_length
    if longest < len(sizes):
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, "
            f"but got total_length={total_length} and max sequence length being {len(sizes)}"
        )
    padded = _padded(sequence.data, sizes, longest, padding_value)
    if batch_first:
        padded = padded.transpose(0, 1)
    lengths = as_tensor([sum(size > one for size in sizes) for one in range(sizes[0])])
    unsorted = sequence.unsorted_indices
    if unsorted is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, unsorted), lengths[unsorted]


def _padded(data: Tensor, sizes: list[int], longest: int, padding_value: float) -> Tensor:
    """Rows written where they belong, the steps with equally many sequences together."""
    rest = data.shape[1:]
    padded = full((longest, sizes[0], *rest), padding_value, dtype=data.dtype)
    step, row = 0, 0
    for size, steps in ((size, len(list(same))) for size, same in groupby(sizes)):
        rows = data[row : row + size * steps]
        padded[step : step + steps, :size] = rows.view(steps, size, *rest)
        step, row = step + steps, row + size * steps
    return padded


def pad_sequence(
    sequences: Iterable[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences of different lengths in one tensor, with `padding_value` where they have ended.

    `sequences`: (t, ...) each. Returns (largest t, b, ...), with `batch_first` (b, largest t,
    ...). With `padding_side` "left" they stand at the end. Raises RuntimeError for no sequences.

    >>> import seegrad as torch
    >>> sequences = [torch.tensor([1, 2]), torch.tensor([3])]
    >>> torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
    tensor([[1, 2],
            [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    found = sequences.unbind(0) if isinstance(sequences, Tensor) else tuple(sequences)
    for place, one in enumerate(found):
        if not isinstance(one, Tensor):
            raise TypeError(
                f"expected Tensor as element {place} in argument 0, but got {type(one).__name__}"
            )
    if not found:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    longest, rest = max(one.size(0) for one in found), found[0].shape[1:]
    shape = (len(found), longest) if batch_first else (longest, len(found))
    padded = full((*shape, *rest), padding_value, dtype=found[0].dtype)
    for place, one in enumerate(found):
        row = padded.select(0 if batch_first else 1, place)
        start = 0 if padding_side == "right" else longest - one.size(0)
        row.narrow(0, start, one.size(0)).copy_(one)
    return padded


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """The sequences of a padded batch, a list: the inverse of `pad_sequence`.

    As in PyTorch, without `batch_first` the batch itself is left transposed.

    >>> import seegrad as torch
    >>> batch = torch.tensor([[1, 2], [3, 0]])
    >>> torch.nn.utils.rnn.unpad_sequence(batch, torch.tensor([2, 1]), batch_first=True)
    [tensor([1, 2]), tensor([3])]
    """
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    places = arange(padded_sequences.shape[1], device=lengths.device)
    return [one[places < length] for one, length in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences of different lengths.

    `sequences`: (t, ...) each, with `enforce_sorted` the longest first.

    >>> import seegrad as torch
    >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]).batch_sizes
    tensor([2, 1])
    """
    lengths = as_tensor([one.size(0) for one in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a PackedSequence, a list: the inverse of `pack_sequence`.

    >>> import seegrad as torch
    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> torch.nn.utils.rnn.unpack_sequence(packed)
    [tensor([1, 2]), tensor([3])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
