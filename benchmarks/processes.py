"""What needs a process of its own: import time, graphs of a million nodes, peak memory.

Run as ``python processes.py TASK LIBRARY [N]``, it does the task once and prints a number or two.
"""

import importlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any


def _resident() -> int:
    """Bytes of memory that the process holds now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _peak() -> int:
    """The most bytes of memory that the process has held."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def import_time(library: str, _: int) -> dict[str, float]:
    """Seconds to import a library in a new interpreter."""
    start = time.perf_counter()
    importlib.import_module(library)
    return {"seconds": time.perf_counter() - start}


def _load(library: str) -> Any:
    torch = importlib.import_module(library)
    torch.set_num_threads(1)
    return torch


def nodes(library: str, count: int) -> dict[str, float]:
    """Seconds and bytes a node for a chain of ``count`` multiplications: built, run, freed."""
    torch = _load(library)
    x, w = (torch.ones(1, requires_grad=True) for _ in range(2))
    (x * w).backward()
    before = _resident()
    start = time.perf_counter()
    y = x
    for _ in range(count):
        y = y * w
    built = _resident()
    y.backward()
    del y
    seconds = time.perf_counter() - start
    return {"seconds": seconds / count, "bytes": (built - before) / count}


def memory(library: str, count: int) -> dict[str, float]:
    """Bytes at the peak of a graph of ``count`` operations on tensors of 1 MB, above the start."""
    torch = _load(library)
    x = torch.ones(1 << 18, requires_grad=True)
    w = torch.full((1 << 18,), 0.999, requires_grad=True)
    (x * w).sin().sum().backward()
    x.grad = w.grad = None
    before = _resident()
    y = x
    for _ in range(count // 4):
        y = ((y * w).sin() + x).tanh()
    y.sum().backward()
    return {"bytes": _peak() - before}


def slowed(tool: str, workload: str, library: str, _: int) -> dict[str, float]:
    """Seconds of a workload under a tool of `explain`, and of the workload alone.

    PyTorch has anomaly mode instead.
    """
    import workloads

    torch = _load(library)
    step = getattr(workloads, workload)(torch)
    plain = _best(step)
    if library == "seegrad":
        watched = getattr(importlib.import_module("seegrad.explain"), tool)()
    else:
        warnings.simplefilter("ignore")
        watched = torch.autograd.detect_anomaly()
    with watched:
        return {"seconds": _best(step), "plain": plain}


def _best(step: Callable[[], Any]) -> float:
    """The shortest of many runs."""
    best = float("inf")
    for _ in range(400):
        start = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - start)
    return best


def perceptron() -> Iterator[None]:
    """Trains the network of `examples/digits.py`; goes on after each of its 45 steps an epoch."""
    digits = importlib.import_module("digits")
    torch = importlib.import_module("torch")
    torch.manual_seed(0)
    training, _ = digits.load_data(held_out=360)
    loader = digits.DataLoader(training, batch_size=32, shuffle=True)
    model, loss_function = digits.DigitNet(), torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    while True:
        digits.train_epoch(model, loader, loss_function, optimizer)
        yield from [None] * len(loader)


def program(name: str, library: str, count: int) -> dict[str, float]:
    """Seconds of a step of a real program, an ordinary script that says ``import torch``."""
    if library == "seegrad":
        importlib.import_module("seegrad.alias").install_as_torch()
    importlib.import_module("torch").set_num_threads(2)
    examples = pathlib.Path(__file__).parent.parent / "examples"
    sys.path += [str(examples), str(examples / "train")]
    if name == "perceptron":
        steps: Iterator[Any] = perceptron()
    else:
        module = importlib.import_module(name)
        steps = module.training(*module.start())
    list(itertools.islice(steps, 45))
    start = time.perf_counter()
    list(itertools.islice(steps, count))
    return {"seconds": (time.perf_counter() - start) / count}


NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
PROGRAMS = ["perceptron", "convolution", "characters"]
TASKS = {
    "import": import_time, "nodes": nodes, "memory": memory,
    "first_bad": partial(slowed, "first_bad", "chain"),
    "watch": partial(slowed, "watch", "chain"),
    "watch_large": partial(slowed, "watch", "large_network"),
} | {name: partial(program, name) for name in PROGRAMS}  # fmt: skip


def measure(task: str, library: str, count: int = 0) -> dict[str, float]:
    """Runs a task in a new interpreter, which may keep bytecode, as installed packages have it."""
    command = [sys.executable, __file__, task, library, str(count)]
    settings = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    if task in PROGRAMS:
        settings |= {f"{kind}_NUM_THREADS": "2" for kind in ("OMP", "OPENBLAS", "MKL")}
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=settings)
    return dict(json.loads(result.stdout))


if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](sys.argv[2], int(sys.argv[3]))))
