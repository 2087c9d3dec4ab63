"""The names of `torch.fx`: programs as graphs, which can be read, changed and run.

>>> import seegrad as torch
>>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
>>> print(torch.fx.symbolic_trace(net).graph)
graph():
    %input_1 : [num_users=1] = placeholder[target=input]
    %_0 : [num_users=1] = call_module[target=0](args = (%input_1,), kwargs = {})
    %_1 : [num_users=1] = call_module[target=1](args = (%_0,), kwargs = {})
    return _1
"""

from seegrad.fx._symbolic_trace import Tracer, symbolic_trace, wrap
from seegrad.fx.graph import Graph
from seegrad.fx.graph_module import GraphModule
from seegrad.fx.interpreter import Interpreter, Transformer
from seegrad.fx.node import Node, map_arg
from seegrad.fx.proxy import Proxy
from seegrad.missing import missing as _missing

__all__ = [
    "Graph",
    "GraphModule",
    "Interpreter",
    "Node",
    "Proxy",
    "Tracer",
    "Transformer",
    "map_arg",
    "symbolic_trace",
    "wrap",
]

__getattr__ = _missing(__name__, __all__)
