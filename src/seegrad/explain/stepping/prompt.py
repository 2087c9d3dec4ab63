"""`seegrad run --step`: a program whose backward passes stop at each node, in a prompt."""

import cmd
import linecache
import sys
from types import FrameType
from typing import Any

from seegrad.explain.brief import brief
from seegrad.explain.places import Place, users_frame
from seegrad.explain.record import Made
from seegrad.explain.source.frames import named
from seegrad.explain.stepping.breakpoints import Breakpoint, breakpoints
from seegrad.explain.stepping.walk import Step, passed_on
from seegrad.graph.backward import Pass
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.observed import Observer
from seegrad.graph.tensor import TensorBase

__all__ = ["Prompt", "Quit", "Stepper"]

INTRODUCTION = """\
Stops at every node of a backward pass: n(ext), c(ontinue), f(inish this pass), w(here), u(p) to
the forward line, p(rint) VALUE, b(reak) OPERATOR|LINE|if CONDITION, q(uit), help"""


class Quit(SystemExit):
    """The user ended the program."""


class Running:
    """A pass that runs: who called it, and how far it is."""

    def __init__(self, current: Pass, frame: FrameType | None) -> None:
        self.current = current
        self.frame = frame
        self.place = None if frame is None else Place(frame.f_code, frame.f_lineno)
        self.count = len(current.order) + len(current.leaves())
        self.number = 0
        self.steps: list[Step] = []  # that run now: more than one where passes run in a step
        self.was_shown = False


class Stepper(Observer):
    """Observes all passes of a program, and stops where it was told to: first everywhere."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names  # the global variables of the program
        self.stepping = True
        self.finishing: Pass | None = None  # stop when this pass is over
        self.points: list[Breakpoint] = []
        self.busy = False  # in the prompt: what that runs does not stop
        self.running: list[Running] = []
        self.introduced = False

    def began(self, current: Pass) -> bool:
        """Whether to be told of the steps of a pass."""
        if self.busy or not (self.stepping or self.finishing or self.points):
            return False
        self.running.append(Running(current, users_frame()))
        return True

    def before(self, node: Node, grad: Any, current: Pass) -> None:
        """Takes down what arrives at a node."""
        running = self.running[-1]
        running.number += 1
        running.steps.append(Step(node, grad, running.number, running.count))

    def after(self, node: Node, grad: Any, outs: Any, current: Pass) -> None:
        """Stops, where it was told to."""
        running = self.running[-1]
        step = running.steps.pop()
        step.outgoing = passed_on(node, outs)
        if self.busy or not (self.stepping or self.is_at_breakpoint(running, step)):
            return
        self.busy = True
        try:
            Prompt(self, running, step).cmdloop()
        finally:
            self.busy = False

    def ended(self, current: Pass) -> None:
        """Forgets a pass."""
        if self.running and self.running[-1].current is current:
            self.running.pop()
        if self.finishing is current:
            self.stepping, self.finishing = True, None

    def is_at_breakpoint(self, running: Running, step: Step) -> bool:
        """Whether a breakpoint holds; a condition that fails holds, and says why."""
        for point in self.points:
            try:
                if point.holds(step):
                    return True
            except Exception as error:
                print(f"*** breakpoint {point}: {type(error).__name__}: {error}")
                return True
        return False

    def scope(self, running: Running, step: Step) -> dict[str, Any]:
        """The names that an expression may use."""
        local = {} if running.frame is None else running.frame.f_locals
        own = {"step": step, "node": step.node, "leaf": step.leaf, "saved": step.saved}
        own |= {"incoming": step.incoming, "outgoing": step.outgoing}
        return {**self.names, **local, **own}

    def name_of(self, tensor: Any) -> str | None:
        """What the program calls a leaf."""
        frame = self.running[-1].frame if self.running else None
        return named(tensor, [{} if frame is None else frame.f_locals, self.names])


class Prompt(cmd.Cmd):
    """What the user may say at one step."""

    prompt = "(step) "

    def __init__(self, stepper: Stepper, running: Running, step: Step) -> None:
        super().__init__()
        self.stepper, self.running, self.step = stepper, running, step
        self.above: Made | None = None  # where `up` has arrived

    def preloop(self) -> None:
        """Says where the program is."""
        if not self.stepper.introduced:
            self.stepper.introduced = True
            print(INTRODUCTION)
        if not self.running.was_shown:
            self.running.was_shown = True
            place = self.running.place
            where = "" if place is None else f" at {place}: {place.text}"
            print(f"backward{where} ({self.running.count} steps)")
        print(self.described())

    def precmd(self, line: str) -> str:
        """Shows a command that came through a pipe, so that what is printed can be read."""
        if not sys.stdin.isatty():
            print("" if line == "EOF" else line)
        return line

    def described(self) -> str:
        """The step, with the leaf's name and what it has as its gradient now."""
        leaf = self.step.leaf
        if leaf is None:
            return str(self.step)
        text = self.step.described(self.stepper.name_of(leaf))
        return f"{text}\n  .grad {'None' if leaf.grad is None else brief(leaf.grad)}"

    def emptyline(self) -> bool:
        """As `next`."""
        return self.do_next("")

    def default(self, line: str) -> None:
        """What is no command."""
        if line == "EOF":
            self.do_quit("")
        word = line.split()[0]
        print(f"*** no command {word!r}: 'help' lists them, 'print {line}' prints a value")

    def do_next(self, line: str) -> bool:
        """next (n, or an empty line): run one more node."""
        self.stepper.stepping = True
        return True

    def do_continue(self, line: str) -> bool:
        """continue (c): run up to the next breakpoint, or to the end of the program."""
        self.stepper.stepping = False
        return True

    def do_finish(self, line: str) -> bool:
        """finish (f): run to the end of this pass; stop in the next one."""
        self.stepper.stepping, self.stepper.finishing = False, self.running.current
        return True

    def do_where(self, line: str) -> None:
        """where (w): the line that called backward, this node, and where its gradients go."""
        place = self.running.place
        if place is not None:
            print(f"{place} in {place.function}: {place.text}")
        print(f"  {self.step.name}{told(self.step.place)}")
        for following in self.step.node._next:
            if following is None:
                continue
            if isinstance(following, AccumulateGrad):
                name = self.stepper.name_of(following.variable)
                made = following.variable._made
                what = f"leaf {name or ''}".strip()
            else:
                made, what = following._made, following.name()
            print(f"    -> {what}{told(None if made is None else made.place)}")

    def do_up(self, line: str) -> None:
        """up (u): the forward line of this node in its source; again: the line of its input."""
        made = self.step.node._made if self.step.leaf is None else self.step.leaf._made
        if self.above is not None:
            made = above(self.above)
        if made is None or made.place is None:
            print("*** no line is known above this one")
            return
        self.above = made
        print_source(made.place)

    def do_print(self, line: str) -> None:
        """print VALUE (p): the program's names, and step, incoming, outgoing, saved, leaf, node.

        Without a value: the step."""
        if not line:
            print(self.described())
            return
        try:
            value = eval(line, self.stepper.scope(self.running, self.step))
        except Exception as error:
            print(f"*** {type(error).__name__}: {error}")
            return
        print(value_text(value))

    def do_break(self, line: str) -> None:
        """break WHAT (b): an operator, a line (12, file.py:12), or: if CONDITION.

        Without anything: all breakpoints, with their numbers."""
        if not line:
            for number, point in enumerate(self.stepper.points, start=1):
                print(f"{number}: {point}")
            return
        if line.split()[0] == "if":
            self.break_if(line[2:].strip())
        else:
            self.stepper.points += breakpoints(line)

    def break_if(self, condition: str) -> None:
        """A breakpoint with a condition."""
        try:
            code = compile(condition, "<condition>", "eval")
        except SyntaxError as error:
            print(f"*** {error.msg}: {condition}")
            return
        stepper = self.stepper

        def holds(step: Step) -> bool:
            return bool(eval(code, stepper.scope(stepper.running[-1], step)))

        stepper.points.append(Breakpoint(f"if {condition}", holds))

    def do_clear(self, line: str) -> None:
        """clear [NUMBER]: take away a breakpoint, or all."""
        points = self.stepper.points
        if not line:
            points.clear()
        elif line.isdigit() and 1 <= int(line) <= len(points):
            del points[int(line) - 1]
        else:
            print(f"*** no breakpoint {line}; 'break' lists them")

    def do_quit(self, line: str) -> bool:
        """quit (q): end the program here."""
        raise Quit

    do_n, do_c, do_f, do_w, do_u = do_next, do_continue, do_finish, do_where, do_up
    do_p, do_b, do_q = do_print, do_break, do_quit

    def get_names(self) -> list[str]:
        """The long commands only, for `help`."""
        return [name for name in super().get_names() if len(name) > len("do_x")]


def above(made: Made) -> Made | None:
    """What the result of a call was made from on another line: what requires a gradient first."""
    seen = {made}
    waiting = [made]
    while waiting:
        one = waiting.pop(0)
        if one.spot is not None and one.spot != made.spot:
            return one
        new = [parent for parent in one.parents if parent not in seen]
        waiting += sorted(new, key=lambda parent: not parent.recorded)
        seen.update(new)
    return None


def told(place: Place | None) -> str:
    """A line, where it is known."""
    return "" if place is None else f" of {place}: {place.text}"


def value_text(value: Any) -> str:
    """A value as `print` shows it: tensors in short where they are long."""
    if isinstance(value, TensorBase):
        return str(value) if value._array.size <= 100 else brief(value)
    if isinstance(value, (tuple, list)) and any(isinstance(one, TensorBase) for one in value):
        return "\n".join(f"[{place}] {value_text(one)}" for place, one in enumerate(value))
    if isinstance(value, dict) and value:
        return "\n".join(f"{key}: {value_text(one)}" for key, one in value.items())
    return str(value)


def print_source(place: Place, around: int = 3) -> None:
    """A line with its neighbours and an arrow."""
    print(f"{place} in {place.function}")
    for number in range(max(1, place.line - around), place.line + around + 1):
        text = linecache.getline(place.file, number).rstrip("\n")
        if text or number == place.line:
            print(f"{'->' if number == place.line else '  '} {number:4} {text}".rstrip())
