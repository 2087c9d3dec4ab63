"""Pictures laid out by Graphviz' program `dot`, where it is installed and asked for."""

import shutil
import subprocess

from seegrad.viz.formats import dot
from seegrad.viz.model import Graph

__all__ = ["drawn_by_dot"]


def drawn_by_dot(graph: Graph) -> str:
    """The text of an SVG picture that `dot` made of our DOT.

    Raises: FileNotFoundError where there is no such program, RuntimeError with what it said.
    """
    program = shutil.which("dot")
    if program is None:
        raise FileNotFoundError(
            'layout="dot" needs the program `dot` of Graphviz (https://graphviz.org), which is '
            "not installed; without `layout` pictures need no program"
        )
    done = subprocess.run(
        [program, "-Tsvg"], input=dot(graph), capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RuntimeError(f"dot drew nothing: {done.stderr.strip()}")
    return done.stdout
