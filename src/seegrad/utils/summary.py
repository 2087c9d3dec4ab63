"""What a model is made of, and what one forward pass costs."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from seegrad.autograd.grad_mode import enable_grad
from seegrad.random import fork_rng
from seegrad.tensor.tensor import Tensor
from seegrad.utils.flop_counter import FlopCounterMode

__all__ = ["Info", "Row", "info"]


@dataclass
class Row:
    """One module: its path in the model, its class, and what it gave, holds and took."""

    path: str
    kind: str
    output: str
    parameters: int
    flops: int


@dataclass
class Info:
    """What `info` found; `str` shows it as a table, `to_dict` gives plain values.

    Bytes are counted as NumPy asks for them. `held` is what a forward pass leaves for backward,
    `peak` the most that it holds at once, both beyond the parameters and the inputs.
    """

    rows: list[Row] = field(default_factory=list)
    parameters: int = 0
    trainable: int = 0
    parameter_bytes: int = 0
    buffer_bytes: int = 0
    flops: int | None = None
    held: int | None = None
    peak: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as numbers, text and lists."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join([*_table(self.rows, self.flops is not None), "", *self._totals()])

    def _totals(self) -> Iterator[str]:
        frozen = self.parameters - self.trainable
        note = f", {frozen:,} of them frozen" if frozen else ""
        yield f"parameters  {self.parameters:,} ({_size(self.parameter_bytes)}){note}"
        if self.buffer_bytes:
            yield f"buffers     {_size(self.buffer_bytes)}"
        if self.flops is not None and self.held is not None and self.peak is not None:
            yield f"forward     {self.flops:,} floating-point operations in products"
            yield f"memory      {_size(self.held)} for backward, {_size(self.peak)} at most"


def info(model: Any, *inputs: Any) -> Info:
    """Parameters of a model, and with `inputs` the shapes, operations and memory of a forward.

    `model`: a Module. `inputs`: what it is called with. The model runs twice, in evaluation mode
    and recording, the second time to measure memory; its modes and the random numbers are
    afterwards what they were. Operations are those that `torch.utils.flop_counter` counts.

    >>> import seegrad as torch
    >>> print(torch.utils.info(torch.nn.Sequential(torch.nn.Linear(2, 3)), torch.ones(4, 2)))
    Module    Type        Output  Parameters  FLOPs
    --------  ----------  ------  ----------  -----
    (model)   Sequential  (4, 3)           9     48
    0         Linear      (4, 3)           9     48
    <BLANKLINE>
    parameters  9 (36 B)
    forward     48 floating-point operations in products
    memory      ...
    """
    found = Info()
    parameters = list(model.parameters())
    found.parameters = sum(_count(p) for p in parameters)
    found.trainable = sum(_count(p) for p in parameters if p.requires_grad)
    outputs, flops = _run(model, inputs, found) if inputs else ({}, {})
    if inputs:  # lazy parameters have their shapes now
        found.parameters = sum(_count(p) for p in model.parameters())
        found.trainable = sum(_count(p) for p in model.parameters() if p.requires_grad)
    found.parameter_bytes = sum(_bytes(p) for p in model.parameters())
    found.buffer_bytes = sum(_bytes(b) for b in model.buffers())
    for path, module in model.named_modules():
        root = type(model).__name__
        counts = flops.get(f"{root}.{path}" if path else root, {})
        count = sum(_count(p) for p in module.parameters())
        row = Row(path, type(module).__name__, outputs.get(id(module), ""), count,
                  sum(counts.values()))  # fmt: skip
        found.rows.append(row)
    return found


def _run(model: Any, inputs: Any, found: Info) -> tuple[dict[int, str], dict[str, dict[str, int]]]:
    """Calls the model; the shapes that its modules gave, and the operations by module."""
    outputs: dict[int, str] = {}

    def note(module: Any, args: Any, output: Any) -> None:
        outputs[id(module)] = _shapes(output)

    hooks = [module.register_forward_hook(note) for module in model.modules()]
    try:
        with _evaluating(model), fork_rng(), enable_grad():
            with FlopCounterMode(display=False) as flops:
                model(*inputs)
            # Now every operator is compiled, which takes memory too.
            found.held, found.peak = _measured(model, inputs)
    finally:
        for hook in hooks:
            hook.remove()
    found.flops = flops.get_total_flops()
    return outputs, flops.get_flop_counts()


def _measured(model: Any, inputs: Any) -> tuple[int, int]:
    """The bytes that a call leaves while its result is there, and the most that it had."""
    running = tracemalloc.is_tracing()
    if not running:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        result = model(*inputs)
        after, peak = tracemalloc.get_traced_memory()
        del result
    finally:
        if not running:
            tracemalloc.stop()
    return max(0, after - before), max(0, peak - before)


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """In evaluation mode, so that no running statistics move."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        yield
    finally:
        for module, training in modes.items():
            module.training = training


def _shapes(output: Any) -> str:
    if isinstance(output, Tensor):
        return str(tuple(output.shape))
    if isinstance(output, dict):
        output = tuple(output.values())
    if isinstance(output, (tuple, list)):
        return ", ".join(_shapes(each) for each in output)
    return type(output).__name__


def _count(tensor: Any) -> int:
    """The elements; none of what has no shape yet."""
    return int(tensor._array.size) if getattr(tensor, "_array", None) is not None else 0


def _bytes(tensor: Any) -> int:
    return int(tensor._array.nbytes) if getattr(tensor, "_array", None) is not None else 0


def _size(count: float) -> str:
    """Bytes as people say them."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"


def _table(rows: list[Row], ran: bool) -> Iterator[str]:
    """The rows under their titles; numbers to the right."""
    titles = ("Module", "Type", "Output", "Parameters", "FLOPs")
    cells = [
        (row.path or "(model)", row.kind, row.output, f"{row.parameters:,}", f"{row.flops:,}")
        for row in rows
    ]
    kept = [0, 1, 2, 3, 4] if ran else [0, 1, 3]
    widths = [max(len(titles[i]), *(len(cell[i]) for cell in cells)) for i in range(5)]
    widths[0] = max(widths[0], 8)
    for cell in (titles, tuple("-" * width for width in widths), *cells):
        texts = [cell[i].rjust(widths[i]) if i > 2 else cell[i].ljust(widths[i]) for i in kept]
        yield "  ".join(texts).rstrip()
