"""Derivatives of packing: rows are picked, and go back to where they stood.

`result1` is what PyTorch's node calls the number of sequences at each step.
"""

from seegrad.rules.spec import linear

linear(
    "pack_padded_sequence(input, result1, batch_first)",
    operands="input result1",
    wide=False,
    input=lambda xp, grad, input_shape, result1, batch_first: xp.pack_padded_sequence_backward(
        grad, input_shape, result1, batch_first
    ),
)
linear(
    "pack_padded_sequence_backward(grad, input_shape, result1, batch_first)",
    operands="grad result1",
    wide=False,
    grad=lambda xp, grad, result1, batch_first: xp.pack_padded_sequence(
        grad, result1, batch_first
    ),
)
