"""`torch.utils.flop_counter`: how many floating-point operations a program takes."""

from collections import defaultdict
from typing import Any
from weakref import WeakKeyDictionary

from seegrad.graph.node import next_sequence
from seegrad.graph.running import running_node
from seegrad.nn.modules.global_hooks import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from seegrad.utils import _flops

__all__ = ["FlopCounterMode"]


class FlopCounterMode:
    """Counts the operations of products in a `with` block: matrices, convolutions, attention.

    Forward and backward, for the whole and for each module by its name, as deep as `depth` in the
    table that is printed at the end (`display`). A multiplication and an addition are two
    operations. Other functions count nothing, as in PyTorch. `mods` is accepted and not needed.

    Raises NotImplementedError for a `custom_mapping`.

    >>> import seegrad as torch
    >>> from seegrad.utils.flop_counter import FlopCounterMode
    >>> with FlopCounterMode() as counter:
    ...     _ = torch.nn.Linear(2, 3)(torch.ones(4, 2))
    Module          FLOP    % Total
    ------------  ------  ---------
    Linear            48    100.00%
    - aten.addmm      48    100.00%
    >>> counter.get_total_flops()
    48
    """

    def __init__(
        self,
        mods: Any = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, Any] | None = None,
    ) -> None:
        if custom_mapping:
            raise NotImplementedError(
                "FlopCounterMode(custom_mapping=...) is not there: only products are counted"
            )
        self.depth = depth
        self.display = display
        self.flop_counts: dict[str, dict[str, int]] = {"Global": {}}
        self._order: dict[str, None] = {}  # modules as they began

    def get_total_flops(self) -> int:
        """All operations of the block."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[str, int]]:
        """The operations by the module's name ("Global" for all), then by the operator's."""
        order = {"Global": -1} | {name: place for place, name in enumerate(self._order)}
        names = sorted(self.flop_counts, key=order.__getitem__)
        return {name: dict(self.flop_counts[name]) for name in names}

    def get_table(self, depth: int | None = None) -> str:
        """The operations as a table, of modules that are not deeper than `depth`."""
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        sums = {name: sum(counts.values()) for name, counts in self.get_flop_counts().items()}
        del sums["Global"]
        names = [name for name, flops in sums.items() if flops and name.count(".") < depth]
        if not total or sum(flops for name, flops in sums.items() if "." not in name) != total:
            names.insert(0, "Global")
        elif depth < 1:
            names = ["Global"]
        rows = [("Module", "FLOP", "% Total")]
        unit = max(0, min(len(_UNITS) - 1, (len(str(total)) - 2) // 3))
        for name in names:
            counts = self.flop_counts[name]
            rows.append(_row(name, sum(counts.values()), total, unit))
            rows += [_row(f"- {each}", count, total, unit) for each, count in counts.items()]
        return _aligned(rows)

    def __enter__(self) -> "FlopCounterMode":
        self.flop_counts = {"Global": {}}
        self._order = {}
        self._names: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self._inside: list[tuple[str, int]] = []  # modules that run, and since which node
        self._done: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._hooks = [
            register_module_forward_pre_hook(self._begin),
            register_module_forward_hook(self._end, always_call=True),
        ]
        _flops.begin(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        _flops.end(self._count)
        for hook in self._hooks:
            hook.remove()
        if self.display:
            print(self.get_table())

    def _begin(self, module: Any, args: Any) -> None:
        if module not in self._names:
            root = type(module).__name__
            for path, each in module.named_modules():
                self._names[each] = f"{root}.{path}" if path else root
        self._order[self._names[module]] = None
        self._inside.append((self._names[module], next_sequence()))

    def _end(self, module: Any, args: Any, output: Any) -> None:
        name, first = self._inside.pop()
        self._done[name].append((first, next_sequence()))

    def _count(self, operator: str, flops: int) -> None:
        """Notes operations, for the modules that run or, in backward, that made the node."""
        node = running_node()
        if node is None:
            names = {name for name, _ in self._inside}
        else:
            made = node._sequence
            names = {
                name
                for name, spans in self._done.items()
                if any(first < made < last for first, last in spans)
            }
        for name in ("Global", *names):
            counts = self.flop_counts.setdefault(name, {})
            counts[operator] = counts.get(operator, 0) + flops


_UNITS = ("", "K", "M", "B", "T")


def _row(name: str, count: int, total: int, unit: int) -> tuple[str, str, str]:
    if not total:
        return name, "0", "0%"
    shown = f"{count / 1000**unit:.3f}{_UNITS[unit]}" if unit else str(count)
    return name, shown, f"{count / total:.2%}"


def _aligned(rows: list[tuple[str, str, str]]) -> str:
    """A table as `tabulate` makes it: the first column to the left, the others to the right."""
    head, *body = rows
    widths = [max(len(head[i]) + 2, *(len(row[i]) for row in body)) for i in range(3)]
    lines = [head, tuple("-" * width for width in widths), *body]
    return "\n".join(
        "  ".join([f"{a:<{widths[0]}}", f"{b:>{widths[1]}}", f"{c:>{widths[2]}}"]).rstrip()
        for a, b, c in lines
    )
