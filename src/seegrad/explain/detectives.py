"""All detectives, the one whose findings weigh most first."""

from seegrad.explain.asserted import AssertedParameters
from seegrad.explain.bad.detective import BadDetective
from seegrad.explain.class_state import ClassState
from seegrad.explain.detect_memory import MemoryDetective
from seegrad.explain.errors import Errors
from seegrad.explain.flows import FlowRoots, Flows
from seegrad.explain.function_detective import FunctionDetective
from seegrad.explain.gradcheck_detective import GradcheckDetective
from seegrad.explain.gradientless import Gradientless
from seegrad.explain.hidden import HiddenWrites
from seegrad.explain.kept_gradients import KeptGradients
from seegrad.explain.ledger import Ledger
from seegrad.explain.lent import LentGradients
from seegrad.explain.losses import Losses
from seegrad.explain.lost_hooks import LostHooks
from seegrad.explain.partial import PartialCuts
from seegrad.explain.session import Detective
from seegrad.explain.slots import Slots

__all__ = ["ALL"]

ALL: tuple[type[Detective], ...] = (
    # Before the next ones: these know who else is harmed.
    LentGradients,
    ClassState,
    GradcheckDetective,
    FunctionDetective,
    Errors,
    HiddenWrites,
    FlowRoots,
    Slots,
    BadDetective,
    Gradientless,
    Ledger,
    LostHooks,
    KeptGradients,
    AssertedParameters,
    PartialCuts,
    Losses,
    Flows,
    MemoryDetective,
)
