"""Tracing: a program is run once with proxies, and what it did is its graph."""

import inspect
import math
import operator
from collections.abc import Callable
from types import FunctionType, MethodType, ModuleType
from typing import Any

from seegrad.functions import _assert
from seegrad.fx._patching import by_position, has_stars, patched, wrap
from seegrad.fx.graph import Graph
from seegrad.fx.graph_module import GraphModule
from seegrad.fx.proxy import TracerBase
from seegrad.graph.asked import arm
from seegrad.graph.tensor import TensorBase
from seegrad.missing import missing as _missing
from seegrad.nn.modules.container import Sequential
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter

__all__ = ["Tracer", "symbolic_trace", "wrap"]

SPECIALIZED = "{} has been specialized to have value {} but got another value"


def symbolic_trace(
    root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
) -> GraphModule:
    """The module of a graph that does what a module or function did with proxies.

    `concrete_args`: values that arguments have for good. Raises TraceError where a branch or a
    loop depends on a value.

    >>> import seegrad as torch
    >>> traced = torch.fx.symbolic_trace(lambda x, y: torch.sin(x) + y.cos())
    >>> print(traced.code.strip())
    def forward(self, x, y):
        sin = torch.sin(x);  x = None
        cos = y.cos();  y = None
        add = sin + cos;  sin = cos = None
        return add
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)


def _assert_is_none(value: Any, message: str) -> None:
    if value is not None:
        raise AssertionError(message)


def annotated(function: Any, name: str) -> Any:
    """What a program says of the type of an argument; ours, which say Any, say nothing."""
    return (
        None if function.__module__.startswith("seegrad") else function.__annotations__.get(name)
    )


class Tracer(TracerBase):
    """Traces; derived classes say which modules stay whole (`is_leaf_module`).

    >>> import seegrad as torch
    >>> class Whole(torch.fx.Tracer):
    ...     def is_leaf_module(self, m, module_qualified_name):
    ...         return True
    >>> net = torch.nn.Sequential(torch.nn.Sequential(torch.nn.ReLU()))
    >>> [node.target for node in Whole().trace(net).nodes]
    ['input', '0', 'output']
    """

    def __init__(
        self,
        autowrap_modules: tuple[ModuleType, ...] = (math,),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        self._autowrap_modules, self._autowrap_functions = autowrap_modules, autowrap_functions

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Whether a module is one node, and what it does inside is not looked at."""
        place = type(m).__module__
        return place.startswith(("seegrad.nn", "torch.nn")) and not isinstance(m, Sequential)

    def path_of_module(self, mod: Module) -> str:
        """The path of a module. Raises NameError where it is none of this program."""
        for path, each in self.root.named_modules():
            if each is mod:
                return str(path)
        raise NameError("module is not installed as a submodule")

    def call_module(self, m: Module, forward: Any, args: Any, kwargs: Any) -> Any:
        """What the call of a module gives: a node, or what it does inside."""
        path = self.path_of_module(m)
        if self.is_leaf_module(m, path):
            return self.create_proxy("call_module", path, args, kwargs)
        return forward(*args, **kwargs)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """What an attribute of a module gives: for a parameter a node."""
        if isinstance(attr_val, Parameter):
            for name, parameter in self.root.named_parameters():
                if parameter is attr_val:
                    if name not in parameter_proxy_cache:
                        made = self.create_proxy("get_attr", name, (), {})
                        parameter_proxy_cache[name] = made
                    return parameter_proxy_cache[name]
        return attr_val

    def _arg(self, a: Any) -> Any:
        if isinstance(a, TensorBase):
            return self.create_node("get_attr", self._path_of_tensor(a), (), {})
        if isinstance(a, Module):
            return self.create_node("get_attr", self.path_of_module(a), (), {})
        return super()._arg(a)

    def _path_of_tensor(self, tensor: Any) -> str:
        """Where the program has a tensor; one that it made gets a place."""
        for found in (self.root.named_parameters(), self.root.named_buffers()):
            for path, each in found:
                if each is tensor:
                    return str(path)
        if isinstance(tensor, Parameter):
            raise NameError("parameter is not a member of this module")
        for path, module in self.root.named_modules():
            for name, each in vars(module).items():
                if each is tensor:
                    return f"{path}.{name}".lstrip(".")
        count = 0
        while hasattr(self.root, f"_tensor_constant{count}"):
            count += 1
        setattr(self.root, f"_tensor_constant{count}", tensor)
        return f"_tensor_constant{count}"

    def trace(self, root: Module | Callable[..., Any], concrete_args: Any = None) -> Graph:
        """The graph of a module or function."""
        arm()
        program: Any = root
        is_module = isinstance(root, Module)
        if not is_module and not isinstance(root, (FunctionType, MethodType)):
            raise AssertionError(f"Expected FunctionType, got {type(root)}")
        self.root: Any = root if is_module else Module()
        self.graph = Graph(tracer_cls=type(self), owning_module=self.root)
        function = inspect.unwrap(type(program).forward if is_module else program)
        returned = function.__code__.co_kwonlyargcount == 0 and not has_stars(function)
        function, args = self.create_args_for_root(function, is_module, concrete_args)
        with patched(self, function):
            result = self.create_arg(function(*args))
        kind = annotated(function, "return") if returned else None
        self.create_node("output", "output", (result,), {}, type_expr=kind)
        return self.graph

    def create_args_for_root(
        self, root_fn: Any, is_module: bool, concrete_args: Any = None
    ) -> tuple[Any, list[Any]]:
        """The function with all its arguments by position, and proxies for them."""
        first = [self.root] if isinstance(root_fn, MethodType) or is_module else []
        if isinstance(root_fn, MethodType):
            first, root_fn = [root_fn.__self__], root_fn.__func__
        parameters = inspect.signature(root_fn).parameters
        function = by_position(root_fn)
        names = function.__code__.co_varnames[len(first) : function.__code__.co_argcount]
        concrete = dict(concrete_args or {})
        args = [self._input(parameters[name], root_fn, concrete) for name in names]
        return function, first + args

    def _input(self, parameter: inspect.Parameter, function: Any, concrete: Any) -> Any:
        """A proxy for an argument; for one of a fixed value that value, and a check of it."""
        name = parameter.name
        stars = {parameter.VAR_POSITIONAL.name: "*", parameter.VAR_KEYWORD.name: "**"}
        default = () if parameter.default is parameter.empty else (parameter.default,)
        if name not in concrete:
            target = stars.get(parameter.kind.name, "") + name
            kind = annotated(function, name)
            return self.create_proxy("placeholder", target, default, {}, type_expr=kind)
        value = concrete[name]
        if not isinstance(value, (bool, int, float, str, type(None))):
            raise NotImplementedError(
                f"concrete_args: {name} is a {type(value).__name__}, and may be a number, a "
                "string or None. Use functools.partial in the program instead."
            )
        proxy = self.create_proxy("placeholder", f"{name}_1", default, {})
        text = SPECIALIZED.format(name, value)
        if value is None:
            self.create_proxy("call_function", _assert_is_none, (proxy, text), {})
        else:
            self.create_proxy("call_function", _assert, (operator.eq(proxy, value), text), {})
        return value


__getattr__ = _missing(__name__, __all__)
