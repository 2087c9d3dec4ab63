"""Pictures of graphs: `make_dot`, as torchviz draws them."""

from seegrad.viz.dot import make_dot

__all__ = ["make_dot"]
