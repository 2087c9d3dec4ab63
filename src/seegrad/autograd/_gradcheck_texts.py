"""The sentences of gradcheck, word for word PyTorch's."""

__all__ = [
    "BATCHED_NEEDS_BACKWARD",
    "BATCHED_NEEDS_FORWARD",
    "FAST_BUT_SMALL",
    "FAST_THEN_SLOW",
    "FORWARD_MISMATCH",
    "MISMATCH",
    "NEEDS_BACKWARD",
    "NEEDS_DOUBLE",
    "NEEDS_GRAD",
    "NEEDS_SECOND_BACKWARD",
    "NOT_BATCHED",
    "NOT_CONSTANT",
    "NOT_DOUBLE",
    "NOT_REENTRANT",
    "NOT_SCALED",
    "OF_COMPLEX_INPUTS",
    "OVERLAPPING",
    "READ_ONLY",
    "UNDEFINED_NEEDS_BACKWARD",
    "UNDEFINED_NOT_ZERO",
    "UNDEFINED_TANGENT",
    "UNDEFINED_WARNING",
    "WRONG_DTYPE",
]

NEEDS_GRAD = (
    "gradcheck expects at least one input tensor to require gradient, but none of them have "
    "requires_grad=True."
)
NEEDS_BACKWARD = "Expected at least one of check_forward_ad or check_backward_ad to be True"
NEEDS_SECOND_BACKWARD = (
    "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
)
BATCHED_NEEDS_FORWARD = (
    "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
)
NEEDS_DOUBLE = (
    "Input #{} requires gradient and is not a double precision floating point or complex. This "
    "check will likely fail if all the inputs are not of double precision floating point or "
    "complex. "
)
OVERLAPPING = (
    "The {}th input has a dimension with stride 0. gradcheck only supports inputs that are "
    "non-overlapping to be able to compute the numerical gradients correctly. You should call "
    ".contiguous on the input before passing it to gradcheck."
)
NOT_CONSTANT = "Numerical gradient for function expected to be zero"
MISMATCH = (
    "{}Jacobian mismatch for output {} with respect to input {},\nnumerical:{}\nanalytical:{}\n"
)
FORWARD_MISMATCH = MISMATCH.replace(
    "Jacobian mismatch", "Jacobian computed with forward mode mismatch"
)
OF_COMPLEX_INPUTS = "While considering the {} part of complex inputs only, "
UNDEFINED_TANGENT = (
    "Mismatch in tangent values for output with index: ",
    " when input: ",
    " has an undefined tangent value. ",
    " Got: ",
    " but expected: ",
)
UNDEFINED_NEEDS_BACKWARD = (
    "Setting check_undefined_grad=True requires check_rev_over_rev to be True"
)
BATCHED_NEEDS_BACKWARD = "Setting check_batched_grad=True requires check_rev_over_rev to be True"
NOT_SCALED = "backward not multiplied by grad_output"
WRONG_DTYPE = "Gradient has dtype mismatch"
UNDEFINED_WARNING = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by "
    "default, but it may break existing callers of this function. If this is true for you, you "
    'can call this function with "check_undefined_grad=False" to disable the feature'
)
UNDEFINED_NOT_ZERO = (
    "Expected all input grads to be undefined or zero when all output grads are undefined or "
    'zero. Please look at "Notes about undefined output gradients" in '
    '"tools/autograd/derivatives.yaml"'
)
NOT_BATCHED = "gradcheck or gradgradcheck failed while testing batched gradient computation."
_WORKAROUNDS = """
If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck"""
NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
    "times gives different values, although analytical gradient matches numerical gradient."
    "The tolerance for nondeterminism was {}.\n"
    """
NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.
"""
    + _WORKAROUNDS
    + """.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""
)
FAST_THEN_SLOW = """
The above quantities relating the numerical and analytical jacobians are computed\x20
in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background\x20
about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:

Numerical:
 {}
Analytical:
{}

The max per-element difference (slow mode) is: {}.
"""
FAST_BUT_SMALL = (
    """Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!
"""
    + _WORKAROUNDS
    + """:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`
"""
)
# Ours: PyTorch writes into the memory all the same.
READ_ONLY = (
    "The {}th input is memory that must not be written to. gradcheck moves each element of an "
    "input a little to see what changes; pass a clone() of it."
)
# Ours: PyTorch goes on to fail with a TypeError about the caller's function.
NOT_DOUBLE = (
    "gradgradcheck expects at least one output of the function to require gradient, but none of "
    "them have requires_grad=True."
)
