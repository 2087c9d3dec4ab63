"""The names of `torch.autograd.profiler`: marks of a program's parts; profiles are not there yet.

>>> from seegrad.autograd.profiler import profile, record_function
>>> with record_function("one step"):
...     pass
>>> with profile():
...     pass
Traceback (most recent call last):
NotImplementedError: torch.autograd.profiler.profile is not there yet. ...
"""

from contextlib import ContextDecorator

from seegrad.missing import later

__all__ = ["emit_itt", "emit_nvtx", "profile", "record_function"]

_instead = "cProfile, or time.perf_counter around the lines in question"
emit_itt = later("torch.autograd.profiler.emit_itt", _instead)
emit_nvtx = later("torch.autograd.profiler.emit_nvtx", _instead)
profile = later("torch.autograd.profiler.profile", _instead)


class record_function(ContextDecorator):
    """Names a part of a program for whoever profiles it: a context manager and a decorator.

    Without a profile, as always here, nothing is recorded.
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self.args = args

    def __enter__(self) -> "record_function":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was begun."""


record_function.__module__ = "torch.autograd.profiler"
