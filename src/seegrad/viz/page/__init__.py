"""The page: one self-contained HTML file that shows a graph and asks no network."""

import json
from importlib.resources import files
from typing import Any

__all__ = ["page"]


def page(graph: dict[str, Any]) -> str:
    """The HTML of a graph in the form that `viz` writes as JSON.

    Everything of the graph stands in one JSON element, in which `<` cannot end it; the page's
    script only ever shows it as text.

    >>> html = page({"title": "</script>", "nodes": [], "edges": []})
    >>> "</script>" in html.split('id="graph">')[1].split("</script>")[0]
    False
    """
    parts = files("seegrad.viz.page")
    data = json.dumps(graph, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&":
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    html = parts.joinpath("page.html").read_text(encoding="utf-8")
    for mark, name in (
        ("/*STYLE*/", "page.css"),
        ("/*TEXTS*/", "texts.js"),
        ("/*SCRIPT*/", "page.js"),
    ):
        html = html.replace(mark, parts.joinpath(name).read_text(encoding="utf-8"), 1)
    return html.replace("/*GRAPH*/", data, 1)
