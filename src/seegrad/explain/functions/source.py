"""The text of a custom Function's `forward` and `backward`: which line does what."""

import ast
import inspect
import linecache
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from seegrad.autograd.function import Function
from seegrad.explain.places import Place
from seegrad.explain.source.sources import called_name

__all__ = ["FunctionSource", "Source", "chain", "written_names"]

# What takes values out of the graph: attributes and methods, functions, modules of functions.
LEAVING = frozenset(["numpy", "item", "data", "detach", "detach_", "tolist", "__array__"])
LEAVING_CALLS = frozenset(["float", "int", "bool", "from_numpy", "no_grad", "as_tensor"])
LEAVING_MODULES = frozenset(["np", "numpy", "math", "scipy", "cmath", "sp", "special"])
RANDOM = re.compile(r"rand|dropout|bernoulli|normal|multinomial|uniform|shuffle|choice|permut")
META = frozenset(["shape", "size", "dtype", "device", "ndim", "numel", "dim", "stride"])
NARROW = frozenset(
    ["half", "float16", "bfloat16", "int", "long", "short", "byte", "int8", "int16", "int32"]
    + ["int64", "uint8"]
)
CHANGES = frozenset(
    ["append", "add", "extend", "insert", "setdefault", "update", "appendleft", "push"]
)
_NUMPY_WRITES = frozenset(["sort", "fill", "put", "partition", "byteswap"])
_NEVER_WRITES = frozenset(["requires_grad_", "retain_grad_"])


class Source:
    """One function's text, as a tree; empty where the text is not known."""

    def __init__(self, function: Any) -> None:
        found = inspect.unwrap(function) if callable(function) else None
        self.owner = getattr(found, "__self__", None)  # the class, of a class method
        found = getattr(found, "__func__", found)
        self.function: FunctionType | None = found if isinstance(found, FunctionType) else None

    @property
    def code(self) -> CodeType | None:
        """The code, None for what is not written in Python."""
        return None if self.function is None else self.function.__code__

    @cached_property
    def tree(self) -> ast.FunctionDef | ast.Lambda | None:
        """The tree of the definition, its lines counted as the file counts them."""
        if self.code is None:
            return None
        linecache.checkcache(self.code.co_filename)
        try:
            lines, first = inspect.getsourcelines(self.code)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, SyntaxError, TypeError, IndexError):
            return None
        ast.increment_lineno(tree, first - 1)
        kinds = (ast.FunctionDef, ast.Lambda)
        found = [node for node in ast.walk(tree) if isinstance(node, kinds)]
        return found[0] if found else None

    def place(self, where: Any = None) -> Place | None:
        """The place of a node of the tree, of a line; of the definition without either."""
        if self.code is None:
            return None
        if where is None:
            where = self.tree or self.code.co_firstlineno
        return Place(self.code, where if isinstance(where, int) else where.lineno)

    def walk(self) -> Iterator[Any]:
        """Every node of the body, in the order of the text."""
        if self.tree is None:
            return
        body = self.tree.body if isinstance(self.tree.body, list) else [self.tree.body]
        nodes: list[Any] = [node for statement in body for node in ast.walk(statement)]
        yield from sorted(
            (node for node in nodes if hasattr(node, "lineno")),
            key=lambda node: (node.lineno, node.col_offset),
        )

    def statements(self) -> Iterator[Any]:
        """Every statement of the body, in the order of the text."""
        return (node for node in self.walk() if isinstance(node, ast.stmt))

    def comments(self) -> list[str]:
        """The comments in the text."""
        try:
            lines = inspect.getsourcelines(self.code)[0] if self.code else []
        except (OSError, TypeError):
            return []
        return [line.partition("#")[2] for line in lines]

    def narrows(self) -> Any:
        """The first cast to a type of lower precision."""
        for node in self.walk():
            if isinstance(node, ast.Attribute) and node.attr in NARROW:
                return node
        return None

    @property
    def parameters(self) -> list[str]:
        """The names of the positional parameters that a caller gives."""
        if self.code is None:
            return []
        return list(self.code.co_varnames[len(self.own) : self.code.co_argcount])

    @property
    def own(self) -> dict[str, Any]:
        """What a class method calls its class."""
        if self.code is None or self.owner is None:
            return {}
        return dict(zip(self.code.co_varnames[:1], [self.owner], strict=False))

    @property
    def local(self) -> set[str]:
        """The names of what a call has for itself."""
        return set() if self.code is None else {*self.code.co_varnames} - {*self.own}

    def returns(self) -> list[ast.Return]:
        """The return statements that return something, but not those of functions inside."""
        inner = [n for n in self.walk() if isinstance(n, (ast.FunctionDef, ast.Lambda))]
        hidden = {id(node) for one in inner for node in ast.walk(one)}
        found = [n for n in self.statements() if isinstance(n, ast.Return) and id(n) not in hidden]
        return [one for one in found if one.value is not None]

    def returned(self, position: int | None = None) -> Any:
        """The expression that is returned at a position, in the last return; or that return."""
        found = self.returns()
        if not found:
            return None
        value = self._followed(found[-1].value)
        if position is None or not isinstance(value, ast.Tuple):
            return found[-1]
        if position < len(value.elts) and not isinstance(value.elts[position], ast.Starred):
            return value.elts[position]
        return found[-1]

    def _followed(self, value: Any) -> Any:
        """A tuple that has a name, where the name was given."""
        if isinstance(value, ast.Name):
            writes = self.writes(value.id)
            if writes and isinstance(getattr(writes[-1], "value", None), ast.Tuple):
                return writes[-1].value
        return value

    def writes(self, name: str) -> list[Any]:
        """The statements that give a name its value, or write into it."""
        return [one for one in self.statements() if name in written_names(one)]

    def aliasing(self) -> Any:
        """The return that hands on a parameter itself or a view of it, else the first maker."""
        names = set(self.parameters[1:])
        for one in self.returns():
            if root(one.value) in names:
                return one
        return self.maker(0)

    def maker(self, position: int) -> Any:
        """The statement that makes the gradient returned at a position.

        Where that is a name, the last statement that makes or changes it: but only where this
        speaks of a gradient, else what is wrong is what is returned.
        """
        value = self.returned(position)
        if isinstance(value, ast.Return):
            value = value.value if isinstance(value.value, ast.Name) else value
        if isinstance(value, ast.Name):
            writes = [one for one in self.writes(value.id) if not is_empty(one)]
            if writes and (self._speaks_of_gradients(writes[-1]) or "grad" in value.id.lower()):
                return writes[-1]
        return self.returned(position) or self.tree

    def _speaks_of_gradients(self, statement: Any) -> bool:
        """Whether a statement uses one, for more than its shape: not `ones_like(grad)`."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and (last_name(node.func) or "").endswith("_like"):
                return False
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        return bool(names & self.gradient_names())

    def gradient_names(self) -> set[str]:
        """The parameters of a backward, and the names made from them in one step."""
        names = set(self.parameters[1:])
        if self.code is not None and self.code.co_flags & inspect.CO_VARARGS:
            names.add(self.code.co_varnames[self.code.co_argcount + self.code.co_kwonlyargcount])
        for statement in self.statements():
            if isinstance(statement, ast.Assign):
                used = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
                if used & names:
                    names |= set(written_names(statement))
        return names

    def leaving(self) -> Any:
        """The expression that takes a value out of the graph: NumPy, `item()`, `.data` ...

        A function of numbers alone takes nothing out; of one that is given what has left already,
        the expression inside of it is the culprit. It is the first one, but where a statement
        only renames (`a = x.detach().numpy()`), the last: there the numbers made of it come back.
        """
        numbers = self._numbers()
        found = [node for node in self.walk() if is_leaving(node, numbers)]
        if not found:
            return None
        values = [one.value for one in self.statements() if isinstance(one, ast.Assign)]
        renames = [list(ast.walk(one)) for one in values if all(map(is_accessed, ast.walk(one)))]
        chosen = found[0]
        if any(chosen in nodes for nodes in renames):
            chosen = next(one for one in found if one.lineno == found[-1].lineno)
        inner = [one for one in ast.walk(chosen) if is_leaving(one, numbers)]
        inner = [one for one in inner if isinstance(one, ast.Attribute)] or inner[:1]
        called = [one for one in self.walk() if getattr(one, "func", None) is inner[0]]
        return (called or inner)[0]

    def _numbers(self) -> set[str]:
        """The local names that only hold shapes, and what is calculated of them and constants."""
        found: set[str] = set()
        local = self.local
        for one in self.statements():
            if isinstance(one, ast.Assign):
                names = set(written_names(one))
                is_number = not used_names(one.value) & (local - found)
                found = found | names if is_number else found - names
        return found

    def call_of(self, pattern: re.Pattern[str]) -> Any:
        """The first call of a function whose name is like `pattern`."""
        for node in self.walk():
            if isinstance(node, ast.Call):
                if pattern.search(called_name(node)):
                    return node
        return None

    def calls_on_context(self, name: str) -> Any:
        """The first call `ctx.NAME(...)`."""
        for node in self.walk():
            if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == name:
                return node
        return None

    def sets_attribute(self, name: str) -> Any:
        """The first statement that sets an attribute of this name."""
        for statement in self.statements():
            for target in targets(statement):
                if isinstance(target, ast.Attribute) and target.attr == name:
                    return statement
        return None

    def reads_values(self, name: str) -> bool:
        """Whether an attribute of this name is read for more than its shape or dtype."""
        found = [n for n in self.walk() if isinstance(n, ast.Attribute) and n.attr == name]
        outer = [n.value for n in self.walk() if isinstance(n, ast.Attribute) and n.attr in META]
        return not found or any(one not in outer for one in found)

    def writes_into(self, names: set[str]) -> Any:
        """The first statement that writes in place into one of the names, or into a view of it."""
        names = set(names)
        for statement in self.statements():
            for target in targets(statement):
                inside = isinstance(target, ast.Subscript) or isinstance(statement, ast.AugAssign)
                if inside and root(target) in names:
                    return statement
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    name = node.func.attr
                    writes = name.endswith("_") and not name.endswith("__")
                    writes = writes or name in _NUMPY_WRITES
                    if writes and name not in _NEVER_WRITES and root(node.func.value) in names:
                        return statement
            if isinstance(statement, ast.Assign) and root(statement.value) in names:
                names |= set(written_names(statement))
        return None

    def keeps_in(self, name: str) -> Any:
        """The first statement that puts something into what is called `name`."""
        for statement in self.statements():
            for target in targets(statement):
                if last_name(target) == name:
                    return statement
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    if node.func.attr in CHANGES and last_name(node.func.value) == name:
                        return statement
        return None

    def item_sets(self) -> dict[str, Any]:
        """As `sets`, of containers into which something is put by a key that is calculated."""
        found: dict[str, Any] = {}
        for target, statement in self._puts():
            text = chain(target.value)
            if text is not None:
                found.setdefault(text, statement)
        return found

    def item_names(self) -> set[str]:
        """The names of the keys by which something is put into a container outside."""
        return {name for target, _ in self._puts() for name in used_names(target.slice)}

    def _puts(self) -> Iterator[tuple[Any, Any]]:
        local = self.local
        for statement in self.statements():
            for target in targets(statement):
                if isinstance(target, ast.Subscript) and root(target) not in local:
                    yield target, statement

    def only_indexed(self, text: str) -> bool:
        """Whether of a container outside only items are read, by a key that is calculated."""
        nodes = [n for n in self.walk() if isinstance(n, (ast.Attribute, ast.Name, ast.Subscript))]
        reads = [n for n in nodes if isinstance(n.ctx, ast.Load) and chain(n) == text]
        bases = [n.value for n in nodes if isinstance(n, ast.Subscript) and used_names(n.slice)]
        return bool(reads) and all(any(one is base for base in bases) for one in reads)

    def chains(self) -> dict[str, Any]:
        """Names, attributes and items that are read and are no local variables: text -> node."""
        found: dict[str, Any] = {}
        for node, text in self.outer_nodes():
            found.setdefault(text, node)
        return found

    def outer_nodes(self) -> Iterator[tuple[Any, str]]:
        """As `chains`, every one of them, in the order of the text."""
        if self.code is None or self.tree is None:
            return
        local = self.local | {*self.code.co_cellvars}
        inner: set[int] = set()
        for node in self.walk():
            if id(node) in inner or not isinstance(getattr(node, "ctx", None), ast.Load):
                continue
            text = chain(node)
            if text is not None and root(node) not in local:
                inner |= {id(one) for one in ast.walk(node)}
                yield node, text

    def outer_reads(self) -> list[tuple[Any, str]]:
        """As `outer_nodes`, without those into which something is only put: `d` of `d[1] = 2`."""
        nodes = [n for n in self.walk() if isinstance(n, (ast.Attribute, ast.Subscript))]
        put = {id(n.value) for n in nodes if isinstance(n.ctx, ast.Store)}
        return [(node, text) for node, text in self.outer_nodes() if id(node) not in put]

    def sets(self) -> dict[str, Any]:
        """As `chains`, of what is written."""
        return self._set_on(lambda name: name not in self.local)

    def argument_sets(self) -> dict[str, Any]:
        """As `sets`, of attributes of what is handed in besides the ctx."""
        names = self.parameters[1:]
        found = self._set_on(lambda name: name in names)
        return {text: statement for text, statement in found.items() if "." in text}

    def _set_on(self, is_wanted: Callable[[str | None], bool]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for statement in self.statements() if self.code is not None else ():
            for target in targets(statement):
                text = chain(target)
                if text is not None and is_wanted(root(target)):
                    found.setdefault(text, statement)
        return found


class FunctionSource:
    """The texts of a custom Function."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.forward = Source(cls.forward)
        self.backward = Source(cls.vjp if cls.vjp is not Function.vjp else cls.backward)
        self.setup = Source(cls.setup_context) if cls._separate else None

    @property
    def saving(self) -> list[Source]:
        """Where a context is filled."""
        return [self.setup, self.forward] if self.setup else [self.forward]

    def saves(self) -> Place | None:
        """The line of `save_for_backward`."""
        for source in self.saving:
            found = source.calls_on_context("save_for_backward")
            if found is not None:
                return source.place(found)
        return self.forward.place()

    def sets_attribute(self, name: str) -> Place | None:
        """The line of `ctx.NAME = ...`."""
        for source in self.saving:
            found = source.sets_attribute(name)
            if found is not None:
                return source.place(found)
        return self.forward.place()


def targets(statement: Any) -> list[Any]:
    """What a statement assigns to, tuples taken apart."""
    found = list(getattr(statement, "targets", ()))
    if isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        found = [statement.target]
    for one in found:
        if isinstance(one, (ast.Tuple, ast.List)):
            found += one.elts
    return found


def written_names(statement: Any) -> list[str]:
    """The names that a statement binds, or writes into: `x = `, `x[i] = `, `x += `, `x.mul_()`."""
    names = [root(target) for target in targets(statement) if not in_attribute(target)]
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if isinstance(function, ast.Attribute) and function.attr.endswith("_"):
            names.append(root(function.value))
    return [name for name in names if name is not None]


def in_attribute(target: Any) -> bool:
    """Whether a target is an attribute of a name, which does not change the name."""
    return isinstance(target, ast.Attribute) and target.attr != "data"


def is_empty(statement: Any) -> bool:
    """Whether a statement only says `x = None`."""
    value = getattr(statement, "value", None)
    return isinstance(value, ast.Constant) and value.value is None


def root(node: Any) -> str | None:
    """The name at the beginning of `name.a[1].b`."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def last_name(node: Any) -> str | None:
    """What a container is called: `seen` of `Cls.seen`, `seen[3]` and `seen`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def chain(node: Any) -> str | None:
    """`a`, `a.b`, `a["key"].c` as text, None for what is no such chain."""
    part = node
    while isinstance(part, (ast.Attribute, ast.Subscript)):
        if isinstance(part, ast.Subscript) and not isinstance(part.slice, ast.Constant):
            return None
        part = part.value
    return ast.unparse(node) if isinstance(part, ast.Name) else None


def used_names(node: Any) -> set[str]:
    """The names in an expression that are used for more than a shape or dtype."""
    if isinstance(node, ast.Attribute) and node.attr in META:
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    return {name for one in ast.iter_child_nodes(node) for name in used_names(one)}


def is_accessed(node: Any) -> bool:
    """Whether a node is part of a chain of names, attributes and calls without arguments."""
    if isinstance(node, ast.Call):
        return not node.args and not node.keywords
    return isinstance(node, (ast.Attribute, ast.Name, ast.expr_context))


def is_leaving(node: Any, numbers: set[str]) -> bool:
    """Whether an expression takes a value out of the graph that is not of `numbers`."""
    if isinstance(node, ast.Attribute):
        return node.attr in LEAVING
    if not isinstance(node, ast.Call) or not leaves(node.func):
        return False
    given = [*node.args, *(one.value for one in node.keywords)]
    return not given or any(used_names(one) - numbers - LEAVING_MODULES for one in given)


def leaves(function: Any) -> bool:
    """Whether what is called takes values out of the graph."""
    name = getattr(function, "attr", getattr(function, "id", None))
    start = root(function)
    if isinstance(function, ast.Name):
        return function.id in LEAVING_CALLS
    return start in LEAVING_MODULES or name in ("from_numpy", "no_grad")
