"""Pictures: graphs as torchviz draws them and as we do; curves of losses, functions, gradients."""

from seegrad.viz.curves import plot_flow, plot_function, plot_losses
from seegrad.viz.dot import make_dot
from seegrad.viz.gradients import gradients
from seegrad.viz.modules import modules
from seegrad.viz.picture import Picture, graph, save, show
from seegrad.viz.text import text

__all__ = [
    "Picture", "gradients", "graph", "make_dot", "modules", "plot_flow", "plot_function",
    "plot_losses", "save", "show", "text",
]  # fmt: skip
