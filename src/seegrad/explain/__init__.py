"""Why a gradient is what it is: what PyTorch does not say and an engine in Python can."""

from seegrad.explain.bad.first import FirstBad, FirstBadError, first_bad
from seegrad.explain.compare import compare
from seegrad.explain.flows.report import Flow, Row, flow
from seegrad.explain.functions.check import check_function
from seegrad.explain.functions.locating import locate
from seegrad.explain.gradients.why import why
from seegrad.explain.held.report import Memory, memory
from seegrad.explain.optimizers.ledger import ledger
from seegrad.explain.stepping.walk import Step, Steps, steps
from seegrad.explain.watching import Watch, watch

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
