"""Kernels of connectionist temporal classification: the ways in which inputs spell a target.

A target of s labels has 2 s + 1 states: the labels, with a blank around each. A way begins in one
of the first two states, ends in one of the last two, and in each step stays, goes on by one, or
over a blank between two labels that differ. All of a batch and all states go together, step by
step; `alpha` is the logarithm of the chances of the ways that lead to a state.
"""

from typing import Any

import numpy as np

Array = Any  # an ndarray
Lengths = tuple[int, ...]


def ctc_loss(
    log_probs: Array,
    targets: Array,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int,
    zero_infinity: bool,
) -> tuple[Array, Array]:
    """The negative logarithm of the chance of each target, (n,), and `alpha`, (n, t, states).

    `log_probs`: (t, n, classes). `targets`: (n, s), or one after the other.
    """
    _check(log_probs, targets, input_lengths, target_lengths, blank)
    labels, jumps = _states(log_probs, targets, target_lengths, blank)
    emitted = np.take_along_axis(log_probs, labels[None], 2)
    alpha = np.full((len(labels), len(log_probs), labels.shape[1]), -np.inf, log_probs.dtype)
    alpha[:, 0, :1] = emitted[0, :, :1]
    alpha[:, 0, 1:2] = np.where(np.array(target_lengths)[:, None] > 0, emitted[0, :, 1:2], -np.inf)
    for step in range(1, len(log_probs)):
        before = alpha[:, step - 1]
        alpha[:, step] = _joined(before, before[:, :-1], before[:, :-2], jumps, 1) + emitted[step]
    ends = _ends(labels, target_lengths)
    last = alpha[np.arange(len(labels)), np.maximum(np.array(input_lengths) - 1, 0)]
    losses = -np.logaddexp.reduce(np.where(ends, last, -np.inf), 1)
    # Without inputs there is one way to spell nothing.
    empty = np.where(np.array(target_lengths) > 0, np.inf, -0.0)
    losses = np.where(np.array(input_lengths) > 0, losses, empty)
    return losses.astype(log_probs.dtype), alpha


def ctc_loss_backward(
    grad: Array,
    log_probs: Array,
    targets: Array,
    input_lengths: Lengths,
    target_lengths: Lengths,
    result0: Array,
    result1: Array,
    blank: int,
    zero_infinity: bool,
) -> Array:
    """The gradient: what the inputs say less how often the ways of the target meet a class.

    As PyTorch's it takes for granted that `log_probs` came from a softmax.
    """
    labels, jumps = _states(log_probs, targets, target_lengths, blank)
    emitted = np.take_along_axis(log_probs, labels[None], 2)
    start = np.where(_ends(labels, target_lengths), 0, -np.inf).astype(log_probs.dtype)
    last = np.array(input_lengths)[:, None] - 1
    out = np.exp(log_probs, order="C")
    beta = np.full_like(start, -np.inf)  # of the ways on from a state, without what it emits
    places_of = (np.arange(len(labels))[:, None] * log_probs.shape[2] + labels).reshape(-1)
    for step in range(len(log_probs) - 1, -1, -1):
        if step + 1 < len(log_probs):
            after = beta + emitted[step + 1]
            beta = _joined(after, after[:, 1:], after[:, 2:], jumps, -1)
        beta = np.where(step == last, start, beta)
        meets = np.exp(result1[:, step] + beta + result0[:, None])
        np.subtract.at(out[step].reshape(-1), places_of, meets.reshape(-1))
    out[:, np.isinf(result0)] = 0 if zero_infinity else np.nan
    out *= grad[:, None]
    out[np.arange(len(out))[:, None] > last[:, 0]] = 0
    return out


def _states(
    log_probs: Array, targets: Array, target_lengths: Lengths, blank: int
) -> tuple[Array, Array]:
    """The label of each state, (n, states), and whether it leads to the next but one."""
    lengths = np.array(target_lengths)[:, None]
    most = max(target_lengths, default=0)
    inside = np.arange(most) < lengths
    labels = np.full((len(lengths), 2 * most + 1), blank, np.int64)
    flat = targets if targets.ndim == 1 else targets[:, :most][inside]
    labels[:, 1::2][inside] = flat
    if ((labels < 0) | (labels >= log_probs.shape[2])).any():
        raise RuntimeError(
            f"ctc_loss: targets must be labels from 0 to {log_probs.shape[2] - 1}, those of "
            "target_lengths alone"
        )
    jumps = labels[:, 2:] != labels[:, :-2]  # so that blanks are never met over a label
    return labels, jumps


def _joined(stay: Array, one: Array, two: Array, jumps: Array, way: int) -> Array:
    """The chances of a state, of its neighbour and of the next but one, as logarithms.

    `way`: 1 where states are entered, -1 where they are left.
    """
    out = stay.copy()
    near, far = (out[:, 1:], out[:, 2:]) if way == 1 else (out[:, :-1], out[:, :-2])
    np.logaddexp(near, one, out=near)
    np.logaddexp(far, np.where(jumps, two, -np.inf), out=far)
    return out


def _ends(labels: Array, target_lengths: Lengths) -> Array:
    """Where a way may end: in the last label and in the blank after it."""
    behind = 2 * np.array(target_lengths)[:, None] - np.arange(labels.shape[1])
    return (behind == 0) | (behind == 1)


def _check(
    log_probs: Array,
    targets: Array,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int,
) -> None:
    where = "(while checking arguments for ctc_loss_allocate_outputs)"
    if log_probs.ndim != 3:
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.ndim}-dimensional tensor for "
            f"argument #1 'log_probs' {where}"
        )
    if targets.ndim not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.ndim}-dimensional tensor for argument "
            f"#2 'targets' {where}"
        )
    if not 0 <= blank < log_probs.shape[2]:
        raise RuntimeError("blank must be in label range")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != log_probs.shape[1]:
            raise RuntimeError(f"{name} must be of size batch_size")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if min(lengths, default=0) < 0:
            raise RuntimeError(
                f"Expected {name} to have value at least 0, but got value {min(lengths)} {where}"
            )
    _check_targets(log_probs, targets, target_lengths, where)
    if max(input_lengths, default=0) > len(log_probs):
        raise RuntimeError(
            f"Expected input_lengths to have value at most {len(log_probs)}, but got value "
            f"{max(input_lengths)} {where}"
        )


def _check_targets(log_probs: Array, targets: Array, lengths: Lengths, where: str) -> None:
    wanted = sum(lengths) if targets.ndim == 1 else log_probs.shape[1]
    if len(targets) != wanted:
        raise RuntimeError(
            f"Expected tensor to have size {wanted} at dimension 0, but got size {len(targets)} "
            f"for argument #2 'targets' {where}"
        )
    if targets.ndim == 2 and targets.shape[1] < max(lengths, default=0):
        raise RuntimeError(
            f"Expected tensor to have size at least {max(lengths)} at dimension 1, but got size "
            f"{targets.shape[1]} for argument #2 'targets' {where}"
        )
