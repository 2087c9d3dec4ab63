"""Losses that no parameter changes: the parts of their gradient cancel, from the first pass on."""

from collections.abc import Sequence

from seegrad.explain.flows.hops import Measured

__all__ = ["is_constant"]

ROUNDING = 3e-6  # of what is left where parts cancel, with float32
# Their result does not change when all that they are given is scaled, or shifted.
NORMALISING = ("NativeBatchNorm", "NativeLayerNorm", "NativeGroupNorm")


def is_constant(passes: Sequence[Measured]) -> bool:
    """Whether all measured passes of a line lost their gradient where parts of it cancel."""
    return bool(passes) and all(map(is_cancelled, passes))


def is_cancelled(measured: Measured) -> bool:
    """Whether nothing but rounding arrives at the leaves, though every part of it was there."""
    peak = max([hop.incoming for hop in measured.hops], default=0.0)
    if not measured.leaves or not 0 < peak < float("inf"):
        return False
    if any(not leaf.gradient <= ROUNDING * peak for leaf in measured.leaves):
        return False
    meeting = [(hop.incoming, hop.piece) for hop in measured.hops]
    meeting += [(leaf.gradient, leaf.piece) for leaf in measured.leaves]
    if any(piece > 1e-3 * peak and whole <= ROUNDING * piece for whole, piece in meeting):
        return True
    return any(
        hop.name.startswith(NORMALISING)
        and hop.incoming > 1e-3 * peak
        and hop.outgoing[0] <= ROUNDING * hop.incoming
        for hop in measured.hops
    )
