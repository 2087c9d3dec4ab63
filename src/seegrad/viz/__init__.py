"""Pictures: graphs as torchviz draws them, curves of losses, functions and gradient flow."""

from seegrad.viz.curves import plot_flow, plot_function, plot_losses
from seegrad.viz.dot import make_dot

__all__ = ["make_dot", "plot_flow", "plot_function", "plot_losses"]
