"""Runs a script as `python script.py` would, with `torch` answered by seegrad.

The script is `__main__`, its own arguments are in `sys.argv`, its folder is first on `sys.path`.
What it raises is reported with its own frames only: the frames of the runner are taken off.
"""

import difflib
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType, TracebackType
from typing import Any

from seegrad.alias import install_as_torch

__all__ = ["run"]

_INTERRUPTED = 130


class _Refused(Exception):
    """There is nothing to run; the text says why."""


def run(
    target: str,
    arguments: Sequence[str],
    is_module: bool = False,
    explain: str | None = None,
    graph: tuple[str, str] | None = None,
) -> int:
    """Runs a script, a folder with a `__main__.py`, or a module, and returns the exit status.

    `explain`: "text" or "json" to watch it, and to say at the end on stderr what went wrong;
    "step" to stop at the nodes of its backward passes in a prompt.
    `graph`: a file, and of which `backward()` to draw the graph there: "first", "last", "3".
    The status is 0, 1 after an uncaught error, 130 after Ctrl-C, 2 where there is nothing to run.
    SystemExit passes through, as it would end the script alone.
    """
    try:
        install_as_torch()
        if graph is not None:
            _check_picture(graph[0])
        # A module is found from where the user is, a script finds its own neighbours.
        _put_first(os.getcwd() if is_module else _folder_of(target))
        main = _module(target) if is_module else _script(target)
        _become(main, arguments)
    except (_Refused, RuntimeError) as error:
        print(f"seegrad run: {error}", file=sys.stderr)
        return 2
    except SyntaxError as error:
        return _report(error, None)
    if graph is not None:
        return _execute_drawn(main, *graph)
    if explain == "step":
        return _execute_stepped(main)
    return _execute(main) if explain is None else _execute_watched(main, explain)


class _Main:
    """What is to be run: code, the name of its file, and its spec where it is a module."""

    def __init__(self, code: CodeType, shown: str, file: str, spec: ModuleSpec | None) -> None:
        self.code = code
        self.shown = shown
        self.file = file
        self.spec = spec
        self.module = ModuleType("__main__")


def _folder_of(target: str) -> str:
    path = os.path.realpath(target)
    return path if os.path.isdir(path) else os.path.dirname(path)


def _put_first(folder: str) -> None:
    """`sys.path` starts with `folder`, instead of with what found the runner."""
    if not sys.flags.safe_path:
        sys.path[0:1] = [folder]


def _script(target: str) -> _Main:
    path = os.path.abspath(target)
    if os.path.isdir(path):
        path = os.path.join(path, "__main__.py")
        if not os.path.exists(path):
            raise _Refused(f"can't find '__main__' module in '{target}'")
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        message = f"can't open file '{path}': [Errno {error.errno}] {error.strerror}"
        raise _Refused(message + _nearest_file(path)) from None
    return _Main(compile(source, path, "exec", dont_inherit=True), target, path, None)


def _nearest_file(path: str) -> str:
    """A hint at a script with a similar name in the same folder."""
    folder, name = os.path.split(path)
    if not os.path.isdir(folder):
        return ""
    near = difflib.get_close_matches(name, sorted(os.listdir(folder)), n=1)
    return f"\nDid you mean: {os.path.join(folder, near[0])}" if near else ""


def _module(name: str) -> _Main:
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError as error:
        raise _Refused(str(error)) from None
    code: Any = None
    if spec is not None:
        get_code = getattr(spec.loader, "get_code", None)
        code = get_code(spec.name) if get_code else None
    if spec is None or code is None:
        raise _Refused(f"No module named {name}")
    file = spec.origin or name
    return _Main(code, file, file, spec)


class _Told(str):
    """Text that tells a new process what `torch` is.

    A process that `multiprocessing` spawns gets `sys.argv` before it imports the script: so its
    `import torch` is answered by seegrad there too.
    """

    def __reduce__(self) -> Any:
        return _tell, (str(self),)


def _tell(text: str) -> str:
    install_as_torch()
    return _Told(text)


def _become(main: _Main, arguments: Sequence[str]) -> None:
    """The process is now the script: its arguments and its `__main__`."""
    sys.argv[:] = [_Told(main.shown), *arguments]
    vars(main.module).update(
        __file__=main.file,
        __cached__=None,
        __spec__=main.spec,
        __loader__=main.spec.loader if main.spec else None,
        __package__=main.spec.parent if main.spec else None,
        __builtins__=__builtins__,
    )
    sys.modules["__main__"] = main.module


def _execute(main: _Main) -> int:
    try:
        exec(main.code, vars(main.module))
    except SystemExit:
        raise
    except BaseException as error:
        return _report(error, main.code)
    return 0


def _execute_stepped(main: _Main) -> int:
    """As `_execute`, with a prompt at the nodes of backward passes."""
    from seegrad.explain.stepping.prompt import Stepper
    from seegrad.explain.watching import watch
    from seegrad.graph.observed import ignore, observe

    stepper = Stepper(vars(main.module))
    with watch():
        observe(stepper)
        try:
            return _execute(main)
        finally:
            ignore(stepper)


def _check_picture(path: str) -> None:
    """Refuses before the script runs what could not be written afterwards."""
    from seegrad.viz.picture import WRITERS

    ending = os.path.splitext(path)[1].lower()
    if ending not in WRITERS:
        raise _Refused(f"--graph writes {', '.join(WRITERS)}, not {path!r}")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise _Refused(f"--graph cannot write {path!r}: there is no such folder")


def _execute_drawn(main: _Main, path: str, which: str) -> int:
    """As `_execute`, with a picture of the graph of one of its backward passes."""
    from seegrad.viz.passes import drawing

    with drawing(which) as drawn:
        try:
            return _execute(main)
        finally:
            sys.stdout.flush()
            print(f"seegrad run: {drawn.written_to(path)}", file=sys.stderr)


def _execute_watched(main: _Main, explain: str) -> int:
    """As `_execute`, with the explanations at the end, whatever the end is."""
    from seegrad.explain.detectives import ALL
    from seegrad.explain.session import Session

    session = Session(ALL, vars(main.module), forgiving=True)
    status = 1
    try:
        with session:
            exec(main.code, vars(main.module))
        status = 0
    except SystemExit:
        raise
    except BaseException as error:
        status = _report(error, main.code)
    finally:
        sys.stdout.flush()
        report = session.report()
        text = (
            json.dumps(report.to_dict(), indent=2) if explain == "json" else f"explain: {report}"
        )
        for mistake in session.mistakes[:1]:
            print(f"explain: a rule failed, please report it: {mistake!r}", file=sys.stderr)
        print(text, file=sys.stderr)
    return status


def _report(error: BaseException, code: CodeType | None) -> int:
    """Shows an uncaught error as the interpreter would, beginning with the script's frames."""
    traceback = _without_runner(error.__traceback__, code)
    error.__traceback__ = traceback
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, traceback
    sys.excepthook(type(error), error, traceback)
    return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _without_runner(
    traceback: TracebackType | None, code: CodeType | None
) -> TracebackType | None:
    while traceback is not None and traceback.tb_frame.f_code is not code:
        traceback = traceback.tb_next
    return traceback
