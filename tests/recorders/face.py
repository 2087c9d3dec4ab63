"""What PyTorch's tensors answer: copies, attributes, constructors of old, subclasses."""

from tests.face import (
    asking,
    attributes,
    compiling,
    copying,
    old_names,
    subclasses,
    subclasses_in_use,
)
from tests.observe import Snippet, snippets

NAME = "face"


def cases() -> dict[str, Snippet]:
    """Every case by its name."""
    modules = (asking, attributes, compiling, copying, old_names, subclasses, subclasses_in_use)
    return {name: case for module in modules for name, case in snippets(module)}
