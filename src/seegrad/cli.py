"""The command line: `seegrad run script.py`, `seegrad show mul`, `seegrad info net.py:Net`."""

import difflib
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from seegrad import version

__all__ = ["main"]

_USAGE = """\
usage: seegrad run SCRIPT [ARGUMENT ...]     run a script that says `import torch`
       seegrad run -m MODULE [ARGUMENT ...]  run a module that does
       seegrad run --explain [--json] ...    watch it, and say at the end what went wrong and where
       seegrad run --step ...                stop at every node of a backward pass, in a prompt
       seegrad run --graph FILE ...          draw the graph of the first backward() (FILE: .html
                                             .svg .png .dot .mmd .json); --pass last, --pass 3
       seegrad show OPERATOR                 print the source of an operator and of its node
       seegrad info [--json] MODEL [--input 1x28x28 ...]
                                             parameters, shapes, operations and memory of a model:
                                             script.py:Model or module:model; 4x16:int64 is an
                                             input of another type
       seegrad --version
       seegrad --help
"""


_OPTIONS = ("--explain", "--json", "--step")
_VALUED = ("--graph", "--pass")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command that the arguments name and returns its exit status.

    A script's own SystemExit passes through.

    >>> main(["--version"])
    seegrad 0.1.0 (behaves as PyTorch 2.13.0)
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given:
        return _misused("no command given")
    command, rest = given[0], given[1:]
    if command not in _COMMANDS:
        near = difflib.get_close_matches(command, _COMMANDS, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        return _misused(f"unknown command {command!r}{hint}")
    return _COMMANDS[command](rest)


def _misused(what: str) -> int:
    print(f"seegrad: {what}\n{_USAGE}", end="", file=sys.stderr)
    return 2


def _version(rest: Sequence[str]) -> int:
    behaves = version.__version__.partition("+")[0]
    print(f"seegrad {version.seegrad} (behaves as PyTorch {behaves})")
    return 0


def _help(rest: Sequence[str]) -> int:
    print(_USAGE, end="")
    return 0


def _run(rest: Sequence[str]) -> int:
    from seegrad.runner import run

    options, values, rest = _options(rest)
    explain = "json" if "--json" in options else "text" if "--explain" in options else None
    if "--step" in options:
        if explain is not None:
            return _misused("--step and --explain do not go together")
        explain = "step"
    graph, which = values.get("--graph"), values.get("--pass", "first")
    if "--pass" in values and graph is None:
        return _misused("--pass chooses what --graph draws")
    if which not in ("first", "last") and not (which.isdecimal() and int(which) > 0):
        return _misused(f"--pass is first, last or a number from 1, not {which!r}")
    if graph is not None and explain is not None:
        return _misused("--graph goes with no other option")
    drawn = None if graph is None else (graph, which)
    if not rest or rest == ["-m"]:
        return _misused("run needs a script")
    if rest[0] == "-m":
        return run(rest[1], rest[2:], is_module=True, explain=explain, graph=drawn)
    if rest[0] in ("-h", "--help"):
        return _help(rest)
    return run(rest[0], rest[1:], explain=explain, graph=drawn)


def _options(rest: Sequence[str]) -> tuple[list[str], dict[str, str], Sequence[str]]:
    """The options before the script, those that have a value by their name, and the rest."""
    options: list[str] = []
    values: dict[str, str] = {}
    while rest and rest[0] in (*_OPTIONS, *_VALUED):
        if rest[0] in _OPTIONS:
            options.append(rest[0])
            rest = rest[1:]
        else:
            values[rest[0]] = rest[1] if len(rest) > 1 else ""
            rest = rest[2:]
    return options, values, rest


def _show(rest: Sequence[str]) -> int:
    if len(rest) != 1:
        return _misused("show needs the name of one operator")
    from seegrad.operators.register import source_of
    from seegrad.rules.spec import REGISTRY

    if rest[0] not in REGISTRY:
        print(f"seegrad show: there is no operator {rest[0]!r}", end="", file=sys.stderr)
        near = difflib.get_close_matches(rest[0], REGISTRY, n=3)
        print(f" (there is {', '.join(near)})" if near else "", file=sys.stderr)
        return 2
    print(source_of(rest[0]))
    return 0


def _info(rest: Sequence[str]) -> int:
    from seegrad.models import Refused, inputs_of, model_of

    targets, shapes, left = [], [], list(rest)
    as_json = "--json" in left
    left = [each for each in left if each != "--json"]
    while left:
        given = left.pop(0)
        if given == "--input":
            if not left:
                return _misused("--input needs a shape, as 1x28x28")
            shapes.append(left.pop(0))
        elif given.startswith("-"):
            return _misused(f"info has no option {given}")
        else:
            targets.append(given)
    if len(targets) != 1:
        return _misused("info needs one model, as script.py:Model")
    try:
        model, inputs = model_of(targets[0]), inputs_of(shapes)
    except (Refused, RuntimeError) as error:
        print(f"seegrad info: {error}", file=sys.stderr)
        return 2
    return _show_info(model, inputs, as_json)


def _show_info(model: Any, inputs: list[Any], as_json: bool) -> int:
    """Prints what `seegrad.utils.info` finds."""
    from seegrad.utils.summary import info

    try:
        found = info(model, *inputs)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        shapes = ", ".join("x".join(map(str, each.shape)) for each in inputs)
        print(
            f"seegrad info: the model does not run on {shapes}: {error}\n"
            "Name the whole shape with --input, batch first, once for each argument of forward.",
            file=sys.stderr,
        )
        return 1
    print(json.dumps(found.to_dict(), indent=2) if as_json else found)
    return 0


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": _run,
    "show": _show,
    "info": _info,
    "--version": _version,
    "-V": _version,
    "--help": _help,
    "-h": _help,
}
