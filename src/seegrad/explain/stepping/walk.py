"""One node of a backward pass at a time.

Note [Stepping]: the pass runs in a thread of its own, as `in_new_thread` of graph/backward.py does
it, and hands over at each node; one of the two threads always waits, so nothing runs at the same
time. A custom `backward` and hooks run in that thread. Whoever stops early gets everything back
as it was: gradients, and saved values that were freed meanwhile.
"""

import contextvars
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

from seegrad.arrays import raw
from seegrad.explain.brief import brief
from seegrad.explain.places import Place, users_frame
from seegrad.explain.saved import Held, held_by
from seegrad.explain.source.frames import named
from seegrad.explain.stepping.breakpoints import breakpoints
from seegrad.graph.backward import Pass
from seegrad.graph.node import AccumulateGrad, Node
from seegrad.graph.observed import Observer, ignore, observe
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.tensor.differentiate import (
    as_tuple,
    first_gradients,
    root_of,
    run_engine,
    spread,
    target_nodes,
)

__all__ = ["Step", "Steps", "steps"]


class Step:
    """One node that ran.

    `number`, `count`: the how manyth of how many steps. `node`: a node of the graph, an
    AccumulateGrad where a gradient arrives at a leaf. `incoming`: the gradients of its outputs.
    `outgoing`: those of its inputs, as they go on: summed to the input's shape, None where nobody
    wants one. `hooks`: what runs on the incoming ones first. `saved`: what the node had saved, by
    name. `leaf`: at a leaf, the tensor; its gradient so far is `.grad`. `place`: the line of the
    forward, where `explain.watch()` or anomaly mode saw it. All tensors are copies.
    """

    def __init__(self, node: Node, grad: Any, number: int, count: int) -> None:
        self.node = node
        self.number, self.count = number, count
        is_leaf = isinstance(node, AccumulateGrad)
        self.leaf: Any = node.variable if isinstance(node, AccumulateGrad) else None
        arrived = [grad[1]] if is_leaf else grad if node._shape is None else [grad]
        self.incoming = tuple([copied(one) for one in arrived or [None] * node._outputs])
        self.outgoing: tuple[Any, ...] = ()
        self.hooks = tuple(map(hook_text, hooks_of(node if self.leaf is None else self.leaf)))
        self.held: list[Held] = held_by(node)
        self.saved = {held.name: copied(held.value) for held in self.held}

    @property
    def name(self) -> str:
        """The name of the node: "MulBackward0", "AccumulateGrad"."""
        return self.node.name().rpartition("::")[2]

    @property
    def call(self) -> str | None:
        """The public function that made the node: "mul", "cross_entropy"; None if unknown."""
        return None if self.node._made is None else str(self.node._made.name)

    @property
    def place(self) -> Place | None:
        """The line of the forward; of a leaf the line that made it."""
        made = self.leaf._made if self.leaf is not None else self.node._made
        return None if made is None else made.place

    def called(self) -> str | None:
        """What the program that prints the step calls the leaf."""
        frame = users_frame() if self.leaf is not None else None
        return None if frame is None else named(self.leaf, [frame.f_locals, frame.f_globals])

    def __repr__(self) -> str:
        return f"<step {self.number} of {self.count}: {self.name}>"

    def __str__(self) -> str:
        return self.described(self.called())

    def described(self, called: str | None) -> str:
        """The step in some lines; `called`: the name of the leaf, where it has one."""
        where = "" if self.place is None else f" of {self.place}: {self.place.text}"
        name = f" ({called})" if called else ""
        lines = [f"[{self.number}/{self.count}] {self.name}{where}{name}"]
        lines += [f"  in    {shown(grad)}" for grad in self.incoming]
        lines += [f"  hook  {hook} runs on it first" for hook in self.hooks]
        for following, grad in zip(self.node._next, self.outgoing, strict=False):
            if following is not None:
                lines.append(f"  out   {shown(grad)} -> {following.name().rpartition('::')[2]}")
        lines += [f"  saved {name} {shown(value)}" for name, value in self.saved.items()]
        return "\n".join(lines)


def shown(grad: Any) -> str:
    """A gradient in one line."""
    return "nothing (no gradient arrives)" if grad is None else brief(grad)


def hooks_of(owner: Any) -> Iterator[Any]:
    """The hooks that run on the gradients of a node's outputs, or of a leaf."""
    if owner._hooks is not None:
        for found in owner._hooks.tensor.values():
            yield from found.values()
        yield from getattr(owner._hooks, "pre", {}).values()


def hook_text(hook: Any) -> str:
    """The name of a hook, and the line that defines it."""
    code = getattr(hook, "__code__", None)
    name = getattr(hook, "__name__", type(hook).__name__)
    return name if code is None else f"{name} of {Place(code, code.co_firstlineno)}"


def copied(value: Any) -> Any:
    """A tensor with the values that a tensor or an array has now; other values as they are."""
    array = value._array if isinstance(value, TensorBase) else value
    return wrap(array.copy()) if hasattr(array, "strides") else value


def passed_on(node: Node, outs: Any) -> tuple[Any, ...]:
    """The gradients that a node returned as its inputs get them."""
    found: list[Any] = []
    numbers = node._nrs or (0,) * len(node._next)
    for following, nr, out in zip(node._next, numbers, outs or (), strict=False):
        if following is None or out is None:
            found.append(None)
            continue
        array = out._array if isinstance(out, TensorBase) else out
        shape = following._shape if following._shape is not None else None
        if shape is None and following._shapes:
            shape = following._shapes[nr]
        if shape is not None and array.shape != shape and array.ndim >= len(shape):
            array = raw.sum_to(array, shape)
        found.append(wrap(array.copy()))
    return tuple(found)


class Before:
    """What a pass changes in the world, as it was."""

    def __init__(self) -> None:
        self.freed: list[tuple[Node, Any, Any]] = []
        self.gradients: dict[int, tuple[TensorBase, Any, Any, Any]] = {}

    def keep(self, node: Node) -> None:
        """Remembers what a node that is about to run may change."""
        self.freed.append((node, node._saved, node._freed_by))
        if isinstance(node, AccumulateGrad):
            self.keep_gradient(node.variable)
        if node._hooks is not None:
            for reference in node._hooks.retains.values():
                self.keep_gradient(reference())

    def keep_gradient(self, tensor: TensorBase | None) -> None:
        """Remembers the gradient of a tensor."""
        if tensor is None or id(tensor) in self.gradients:
            return
        grad = tensor._grad
        array = None if grad is None else grad._array
        values = None if array is None else array.copy()
        self.gradients[id(tensor)] = (tensor, grad, array, values)

    def restore(self) -> None:
        """Puts everything back."""
        for node, saved, freed_by in self.freed:
            node._saved, node._freed_by = saved, freed_by
        for tensor, grad, array, values in self.gradients.values():
            tensor._grad = grad
            if grad is not None:
                grad._array = array
                if array.flags.writeable:
                    array[...] = values


class Left(BaseException):
    """Ends a pass that nobody wants to see the rest of."""


class Walk(Observer):
    """A backward pass in a thread of its own, which hands over at each node."""

    def __init__(self, run: Callable[[], Any]) -> None:
        self.run = run
        self.before_it = Before()
        self.steps: SimpleQueue[Step | None] = SimpleQueue()  # None when the pass is over
        self.answers: SimpleQueue[bool] = SimpleQueue()  # whether to go on
        self.error: BaseException | None = None
        self.current: Pass | None = None
        self.step: Step | None = None
        self.number = 0
        self.context = contextvars.copy_context()
        self.state = thread.state
        self.worker: threading.Thread | None = None

    def work(self) -> None:
        """Runs in the thread."""
        try:
            thread.state.inherit(self.state)
            self.context.run(self.run)
        except Left:
            self.before_it.restore()
        except BaseException as error:  # raised again in the caller's thread
            self.error = error
        finally:
            self.steps.put(None)

    def began(self, current: Pass) -> bool:
        """Wants the pass of its own thread, and not those that run inside of it."""
        if self.current is None and threading.current_thread() is self.worker:
            self.current = current
            return True
        return False

    def before(self, node: Node, grad: Any, current: Pass) -> None:
        """Takes down what arrives."""
        self.before_it.keep(node)
        self.number += 1
        self.step = Step(node, grad, self.number, len(current.order) + len(current.leaves()))

    def after(self, node: Node, grad: Any, outs: Any, current: Pass) -> None:
        """Hands over, and waits."""
        assert self.step is not None
        step, self.step = self.step, None
        step.outgoing = passed_on(node, outs)
        self.steps.put(step)
        if not self.answers.get():
            raise Left

    def walk(self) -> Iterator[Step]:
        """The steps; when left early, everything is as it was before."""
        # A walk that nobody finishes must not keep the interpreter from ending: a daemon.
        self.worker = threading.Thread(target=self.work, daemon=True)
        observe(self)
        try:
            self.worker.start()
            while (step := self.steps.get()) is not None:
                yield step
                self.answers.put(True)
        finally:
            self.stop(self.worker)
        if self.error is not None:
            raise self.error

    def stop(self, worker: threading.Thread) -> None:
        """Has the pass end at its next step, if it did not end before."""
        self.answers.put(False)
        if worker.ident is not None:
            worker.join()
        ignore(self)


class Steps(Iterator[Step]):
    """An iterator of steps, and a context manager that puts everything back if left early."""

    def __init__(self, walk: Iterator[Step]) -> None:
        self._walk = walk

    def __next__(self) -> Step:
        return next(self._walk)

    def close(self) -> None:
        """Ends the pass; before its end everything is put back as it was before the first step."""
        self._walk.close()  # type: ignore[attr-defined]

    def __enter__(self) -> "Steps":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def steps(
    tensors: Any,
    gradient: Any = None,
    *,
    at: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> Steps:
    """Runs `tensors.backward()` one node at a time.

    The gradients, when all steps are taken, are those of `backward`. Whoever leaves the loop
    before has them as they were, and the graph can still be run; what hooks and a custom
    `backward` did meanwhile stays. A pass inside of a custom `backward` is part of its step.

    Args:
        tensors: one tensor, or a sequence of tensors.
        gradient: as for `torch.autograd.backward`, which takes the others as well.
        at: which steps to stop at: an operator ("mul", "MulBackward0"), a line of the forward
            (12, "script.py:12"; under `explain.watch()`), a function that is given the step, or a
            list of such. All steps when left out.

    Returns an iterator of `Step`; with `with`, it is closed at the end of the block.

    Raises RuntimeError as `backward` does; TypeError for what is no breakpoint.

    >>> import seegrad as torch
    >>> from seegrad import explain
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> for step in explain.steps((x * x).sum()):
    ...     print(step.name, [gradient.tolist() for gradient in step.incoming])
    SumBackward0 [1.0]
    MulBackward0 [[1.0, 1.0]]
    AccumulateGrad [[2.0, 4.0]]
    """
    wanted = [] if at is None else breakpoints(at)
    outputs = as_tuple(tensors)
    grads = first_gradients(outputs, spread(gradient, len(outputs)))
    for index, (output, grad) in enumerate(zip(outputs, grads, strict=True)):
        root_of(index, output, grad)
    targets = () if inputs is None else as_tuple(inputs)
    if inputs is not None and not targets:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    target_nodes(targets)
    keep = create_graph if retain_graph is None else retain_graph

    def run() -> None:
        run_engine(outputs, grads, keep, create_graph, targets, accumulate_grad=True)

    walk = Walk(run).walk()
    if at is not None:
        walk = chosen(walk, wanted)
    return Steps(walk)


def chosen(walk: Any, wanted: Any) -> Iterator[Step]:
    """The steps at which one of the breakpoints holds."""
    try:
        for step in walk:
            if any(point.holds(step) for point in wanted):
                yield step
    finally:
        walk.close()
