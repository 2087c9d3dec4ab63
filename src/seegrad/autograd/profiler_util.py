"""The names of `torch.autograd.profiler_util`: events of profiles, which are not there yet."""

from seegrad.missing import later

__all__ = ["EventList", "FunctionEvent", "FunctionEventAvg"]

_instead = "cProfile, or time.perf_counter around the lines in question"
EventList = later("torch.autograd.profiler_util.EventList", _instead)
FunctionEvent = later("torch.autograd.profiler_util.FunctionEvent", _instead)
FunctionEventAvg = later("torch.autograd.profiler_util.FunctionEventAvg", _instead)


def _format_time(time_us: float) -> str:
    """Microseconds as people read them.

    >>> _format_time(1500.0)
    '1.500ms'
    """
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if time_us >= size:
            return f"{time_us / size:.3f}{unit}"
    return f"{time_us:.3f}us"
