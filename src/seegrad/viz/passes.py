"""Draws the graph of one `backward()` of a program that knows nothing of it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from seegrad.explain.watching import watch
from seegrad.graph.observed import Observer, ignore, observe
from seegrad.nn.modules.module import register_module_forward_hook
from seegrad.viz.fold import fold
from seegrad.viz.gradients import noting
from seegrad.viz.model import Graph
from seegrad.viz.modules import note_call
from seegrad.viz.names import variables
from seegrad.viz.picture import Picture
from seegrad.viz.reading import gradient_of, read_nodes

if TYPE_CHECKING:
    from seegrad.graph.backward import Pass

__all__ = ["Drawing", "drawing"]


class Drawing(Observer):
    """Reads the graph of the pass that was asked for, before it runs and frees what it saved."""

    def __init__(self, which: str) -> None:
        self.which = which  # "first", "last", "3"
        self.count = 0
        self.model: Graph | None = None
        self.nodes: dict[int, Any] = {}  # those of the vertices, while the pass runs
        self.current: Pass | None = None
        self.noted = ExitStack()

    def began(self, current: "Pass") -> bool:
        """A pass is about to run; `autograd.grad` is none of those counted."""
        if current.captures is None:
            self.count += 1
            if self.which == "last" or self.count == (int(self.which) if self.number else 1):
                self.model, self.nodes = read_nodes(current.roots, variables())
                self.current = current
                self.noted.enter_context(noting(self.nodes.values()))
        return False

    def ended(self, current: "Pass") -> None:
        """The pass is over: what its gradients were like."""
        if self.model is not None and current is self.current:
            self.noted.close()
            for number, node in self.nodes.items():
                self.model.vertices[number].gradient = gradient_of(node)
            self.current, self.nodes = None, {}

    @property
    def number(self) -> bool:
        """Whether a pass was asked for by its number."""
        return self.which.isdecimal()

    def written_to(self, path: str) -> str:
        """Writes the picture, and says so in a line, or why there is none."""
        if self.model is None:
            ran = {0: "never ran", 1: "ran once"}.get(self.count, f"ran {self.count} times")
            return f"nothing to draw: backward() {ran}"
        try:
            Picture(fold(self.model)).save(path)
        except (OSError, ValueError, ModuleNotFoundError) as error:
            return f"no picture: {error}"
        drawn, all_ = self.which if not self.number else f"number {self.which}", self.count
        return f"the graph of backward() ({drawn} of {all_}) is in {path}"


@contextmanager
def drawing(which: str) -> Iterator[Drawing]:
    """While it is open, passes are counted, lines noted, and modules noted on nodes."""
    drawn = Drawing(which)
    handle = register_module_forward_hook(note_call, with_kwargs=True)
    with watch():
        observe(drawn)
        try:
            yield drawn
        finally:
            ignore(drawn)
            handle.remove()
