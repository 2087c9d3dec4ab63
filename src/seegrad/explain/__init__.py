"""Why a gradient is what it is: what PyTorch does not say and an engine in Python can."""

from seegrad.explain.bad.first import FirstBad, FirstBadError, first_bad
from seegrad.explain.compare import compare
from seegrad.explain.flow import Flow, Row, flow
from seegrad.explain.function_check import check_function
from seegrad.explain.ledger import ledger
from seegrad.explain.locating import locate
from seegrad.explain.memory import Memory, memory
from seegrad.explain.stepping import Step, Steps, steps
from seegrad.explain.watching import Watch, watch
from seegrad.explain.why import why

__all__ = [
    "FirstBad",
    "FirstBadError",
    "Flow",
    "Memory",
    "Row",
    "Step",
    "Steps",
    "Watch",
    "check_function",
    "compare",
    "first_bad",
    "flow",
    "ledger",
    "locate",
    "memory",
    "steps",
    "watch",
    "why",
]
