"""Derivatives of medians without NaN and most frequent values; operators that count."""

from seegrad.rules.reduce import at_indices, share_equals
from seegrad.rules.spec import constant, general, not_implemented

general("nanmedian(self)", self=share_equals)
general(
    "nanmedian_dim(self, dim, keepdim=False)",
    node="NanmedianBackward1",
    outputs="values indices",
    self=at_indices,
)
general("mode(self, dim, keepdim=False)", outputs="values indices", self=at_indices)

constant("histc(self, bins, low, high)")
general(
    "bin_edges(self, bins, limits, dim)",
    node="NotImplemented",
    operands="self bins",
    self=not_implemented("histogram"),
)
general(
    "histogramdd(self, edges, weight, density)",
    node="NotImplemented",
    operands="self edges weight",
    self=not_implemented("histogram"),
    weight=not_implemented("histogram"),
)
