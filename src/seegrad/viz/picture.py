"""`graph`, `save` and `show`: pictures of the graph that leads to a tensor."""

import os
import pathlib
import re
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from html import escape
from typing import Any

from seegrad.viz.fold import fold
from seegrad.viz.formats import dot, json_text, mermaid
from seegrad.viz.graphviz import drawn_by_dot
from seegrad.viz.model import Graph
from seegrad.viz.names import variables
from seegrad.viz.needed import needed
from seegrad.viz.paging import html
from seegrad.viz.reading import read
from seegrad.viz.svg import svg
from seegrad.viz.text import tree

__all__ = ["Picture", "graph", "save", "show"]

_SIZE = re.compile(r'(?:width|height)="(\d+)(?:pt)?"')


class Picture:
    """A graph that can be drawn. In a notebook it shows itself.

    `model`: what is drawn: vertices, edges, groups (`viz.model.Graph`).
    """

    def __init__(self, model: Graph, view: str = "forward", layout: str | None = None) -> None:
        if layout not in (None, "dot"):
            raise ValueError(f'layout is None or "dot", not {layout!r}')
        self.model = model
        self.view = view
        self.layout = layout

    def svg(self) -> str:
        """The text of an SVG picture."""
        if self.layout == "dot":
            return drawn_by_dot(self.model)
        return svg(self.model, self.view)

    def html(self) -> str:
        """The text of a page: search, folding, paths to the loss, the pass played."""
        return html(self.model)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture as the ending of `path` says."""
        ending = pathlib.Path(path).suffix.lower()
        if ending not in WRITERS:
            known = ", ".join(WRITERS)
            what = f"as {ending!r}" if ending else f"to {os.fspath(path)!r}, which has no ending"
            raise ValueError(f"a picture cannot be written {what}: choose one of {known}")
        content = WRITERS[ending](self)
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        try:
            pathlib.Path(path).write_bytes(data)
        except OSError as error:
            raise type(error)(
                error.errno, f"the picture cannot be written: {error.strerror}", os.fspath(path)
            ) from None

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        page = escape(self.html())
        return f'<iframe srcdoc="{page}" width="100%" height="600" style="border:0"></iframe>'

    def __str__(self) -> str:
        return tree(self.model)

    def __repr__(self) -> str:
        return f"<picture of {len(self.model.vertices)} boxes, {len(self.model.edges)} lines>"


def _png(picture: Picture) -> bytes:
    """The SVG drawn with two points for one; large pictures with fewer."""
    library = needed("resvg_py", "a picture as PNG")
    text = picture.svg()
    longest = max(map(float, _SIZE.findall(text, 0, 1000)))
    zoom = min(2.0, 16_000 / longest)
    return bytes(library.svg_to_bytes(svg_string=text, zoom=zoom))


# What writes a picture, by the ending of its file.
WRITERS: dict[str, Callable[[Picture], str | bytes]] = {
    ".html": Picture.html,
    ".svg": Picture.svg,
    ".png": _png,
    ".dot": lambda picture: dot(picture.model),
    ".mmd": lambda picture: mermaid(picture.model),
    ".json": lambda picture: json_text(picture.model),
}


def graph(
    var: Any,
    params: Any = None,
    *,
    view: str = "forward",
    show_saved: bool = False,
    folded: bool = True,
    layout: str | None = None,
) -> Picture:
    """The picture of the graph that leads to `var`; of tensors of PyTorch as well.

    Args:
        var: a tensor, or what a module returned (tuples, dictionaries ... of tensors).
        params: names for tensors: a dictionary, or a module; without, the caller's variables
            name them.
        view: "forward" names operators, "backward" names nodes and turns the lines round.
        show_saved: draws what each node saved for the way back.
        folded: draws repeated structure once, with how often it is there.
        layout: "dot" has Graphviz' program lay out and draw the SVG (and the PNG); it must be
            installed.

    Lines that were cut are dashed: where a node saved a value that `detach`, `no_grad` or an
    operator without derivative cut off, and everywhere under `explain.watch()`; a plain run
    keeps no trace of cut values that nobody saved. Under a watch the lines of the program are
    known too, and who wrote in place; after `viz.gradients` what gradients were like.

    Raises: TypeError where `var` holds no tensor, ValueError where none has a history.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> x = torch.ones(3, requires_grad=True)
    >>> picture = viz.graph(x.exp().sum(), {"x": x})
    >>> picture
    <picture of 3 boxes, 2 lines>
    >>> print(picture)
    sum ()
    exp (3)
    x (3) leaf
    """
    found = read(var, variables() if params is None else params, show_saved)
    return Picture(fold(found) if folded else found, view, layout)


def save(path: str | os.PathLike[str], var: Any, params: Any = None, **options: Any) -> None:
    """Writes the picture of a graph: `.html` (a page to look around in), `.svg`,
    `.png`, `.dot`, `.mmd` (Mermaid) or `.json`.

    Args: see `graph`.

    Raises: ValueError for another ending, OSError where the file cannot be written,
    ModuleNotFoundError that says what to install.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> x = torch.ones(3, requires_grad=True)
    >>> viz.save("graph.svg", x.exp().sum(), {"x": x})  # doctest: +SKIP
    """
    graph(var, params, **options).save(path)


def show(var: Any, params: Any = None, **options: Any) -> Picture:
    """Opens the picture of a graph in the browser; in a notebook the value shows itself.

    Args: see `graph`.

    >>> import seegrad as torch
    >>> from seegrad import viz
    >>> viz.show(torch.ones(3, requires_grad=True).exp())  # doctest: +SKIP
    """
    picture = graph(var, params, **options)
    if "ipykernel" not in sys.modules:
        handle, path = tempfile.mkstemp(prefix="seegrad-", suffix=".html")
        os.close(handle)
        picture.save(path)
        webbrowser.open(pathlib.Path(path).as_uri())
    return picture
