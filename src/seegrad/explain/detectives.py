"""All detectives, the one whose findings weigh most first."""

from seegrad.explain.bad.detective import BadDetective
from seegrad.explain.errors.detective import Errors
from seegrad.explain.errors.hidden import HiddenWrites
from seegrad.explain.errors.last_word import LastWord
from seegrad.explain.errors.lent import LentGradients
from seegrad.explain.flows.detective import FlowDead, FlowRoots, Flows
from seegrad.explain.flows.losses import Losses
from seegrad.explain.functions.class_state import ClassState
from seegrad.explain.functions.detective import FunctionDetective
from seegrad.explain.functions.gradcheck import GradcheckDetective
from seegrad.explain.gradients.asserted import AssertedParameters
from seegrad.explain.gradients.gradientless import Gradientless
from seegrad.explain.gradients.kept import KeptGradients
from seegrad.explain.gradients.lost_hooks import LostHooks
from seegrad.explain.gradients.partial import PartialCuts
from seegrad.explain.gradients.thrown import ThrownAway
from seegrad.explain.held.detective import MemoryDetective
from seegrad.explain.optimizers.ledger import Ledger, Unzeroed
from seegrad.explain.optimizers.slots import Slots
from seegrad.explain.session import Detective

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
    Unzeroed,
    BadDetective,
    FlowDead,
    Gradientless,
    Ledger,
    LostHooks,
    KeptGradients,
    AssertedParameters,
    PartialCuts,
    ThrownAway,
    Losses,
    Flows,
    MemoryDetective,
    LastWord,
)
