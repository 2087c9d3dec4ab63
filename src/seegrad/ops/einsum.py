"""`torch.einsum`: sums of products written with subscripts.

Each operand is laid out over the same dimensions: those of the output first, then those that are
summed, size 1 where it has none. Then the operands are multiplied two by two in the order that
opt_einsum finds; dimensions that no other operand needs are summed within a batched product.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.ops import opt_einsum
from seegrad.ops.views import movedim, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

LETTERS = string.ascii_uppercase + string.ascii_lowercase
DOTS = "..."
Labels = list[str]
Term = frozenset[str]
Path = list[tuple[int, int]]

NOTHING = (
    "einsum(): must specify the equation string and at least one operand, or at least one operand "
    "and its subscripts list"
)


def einsum(*args: Any) -> Tensor:
    """Return the sum of products that the subscripts describe.

    `einsum("ij,jk->ik", a, b)`: one letter for each dimension, `...` for the rest; letters that
    the output lacks are summed, and without `->` the output has those that appear once, in order.
    A letter twice in one operand takes the diagonal. Or with lists of integers:
    `einsum(a, [0, 1], b, [1, 2], [0, 2])`. Raises RuntimeError where subscripts and shapes do not
    fit.

    >>> import seegrad as torch
    >>> torch.einsum("ij,jk->ik", torch.tensor([[1, 2]]), torch.tensor([[3], [4]]))
    tensor([[11]])
    """
    if len(args) < 2:
        raise ValueError(NOTHING)
    if isinstance(args[0], str):
        operands = list(args[1])if len(args) == 2 and isinstance(args[1], list | tuple) else (
            list(args[1:])
        )  # fmt: skip
        inputs, output = parsed(args[0], len(operands))
    else:
        operands, inputs, output = from_lists(args)
    check_labels(inputs, operands)
    return evaluate(operands, inputs, output)


def parsed(equation: str, count: int) -> tuple[list[Labels], Labels | None]:
    """The labels of each operand, and of the output where it is given."""
    left, arrow, right = equation.partition("->")
    inputs, place, text = [], 0, left
    for part, piece in enumerate(text.split(",")):
        inputs.append(labels_of(piece, place, f"for operand {part}"))
        place += len(piece) + 1
    if len(inputs) < count:
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    if len(inputs) > count:
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    return inputs, labels_of(right, len(left) + 2, "for the output") if arrow else None


def labels_of(piece: str, start: int, where: str) -> Labels:
    """The labels of one operand or of the output, `...` as one label."""
    labels: Labels = []
    place = 0
    while place < len(piece):
        letter = piece[place]
        if letter == ".":
            if DOTS in labels:
                raise RuntimeError(
                    f"einsum(): found '.' {where} for which an ellipsis was already found"
                )
            if piece[place : place + 3] != DOTS:
                raise RuntimeError(f"einsum(): found '.' {where} that is not part of any ellipsis")
            labels.append(DOTS)
            place += 3
            continue
        if letter in LETTERS:
            labels.append(letter)
        elif letter != " ":
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {start + place} in the equation "
                "string, subscripts must be in [a-zA-Z]"
            )
        place += 1
    return labels


def from_lists(args: tuple[Any, ...]) -> tuple[list[Any], list[Labels], Labels | None]:
    """Operands, their labels and those of the output from the form with lists."""
    output = None
    if len(args) % 2:
        args, output = args[:-1], labels_of_list(args[-1])
    operands = list(args[::2])
    return operands, [labels_of_list(one) for one in args[1::2]], output


def labels_of_list(numbers: Any) -> Labels:
    """The labels that a list of integers stands for."""
    labels = []
    for one in numbers:
        if one is not Ellipsis and not 0 <= one < len(LETTERS):
            raise ValueError(
                "einsum(): subscript in subscript list is not within the valid range [0, 52)"
            )
        labels.append(DOTS if one is Ellipsis else LETTERS[one])
    return labels


def check_labels(inputs: list[Labels], operands: list[Any]) -> None:
    """Each operand has as many dimensions as labels, unless `...` stands for the rest."""
    for place, (labels, operand) in enumerate(zip(inputs, operands, strict=True)):
        if not isinstance(operand, TensorBase):
            raise TypeError(
                "einsum(): argument 'operands' must be tuple of Tensors, but found element of "
                f"type {type(operand).__name__} at pos {place}"
            )
        ndim = operand._array.ndim
        named = len(labels) - (DOTS in labels)
        if DOTS not in labels and named != ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the "
                f"number of dimensions ({ndim}) for operand {place} and no ellipsis was given"
            )
        if DOTS in labels and named > ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) is more than the "
                f"number of dimensions ({ndim}) for operand {place}"
            )


def spelled(labels: Labels, ndim: int) -> Labels:
    """The labels with one each for the dimensions that `...` stands for, counted from its end."""
    if DOTS not in labels:
        return labels
    place = labels.index(DOTS)
    hidden = ndim - len(labels) + 1
    return [*labels[:place], *(f".{n}" for n in range(hidden, 0, -1)), *labels[place + 1 :]]


def output_labels(inputs: list[Labels], output: Labels | None, hidden: int) -> Labels:
    """The labels of the output: those given, or the hidden ones and what appears once."""
    dots = [f".{n}" for n in range(hidden, 0, -1)]
    letters = [label for labels in inputs for label in labels if label != DOTS]
    if output is None:
        return dots + sorted(
            (one for one in letters if letters.count(one) == 1), key=LETTERS.index
        )
    for label in output:
        if label == DOTS:
            continue
        if output.count(label) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {label} appears more than once in the output"
            )
        if label not in letters:
            raise RuntimeError(
                f"einsum(): output subscript {label} does not appear in the equation for any "
                "input operand"
            )
    place = output.index(DOTS) if DOTS in output else None
    if place is None:
        return output
    return [*output[:place], *dots, *output[place + 1 :]]


def evaluate(operands: list[Any], inputs: list[Labels], output: Labels | None) -> Any:
    """The sum of products of checked operands."""
    hidden = max(
        (
            operand._array.ndim - len(labels) + 1
            for labels, operand in zip(inputs, operands, strict=True)
            if DOTS in labels
        ),
        default=0,
    )
    kept = output_labels(inputs, output, hidden)
    spelling = [
        spelled(labels, operand._array.ndim)
        for labels, operand in zip(inputs, operands, strict=True)
    ]
    summed = sorted({one for labels in spelling for one in labels if one not in kept})
    order = kept + summed
    check_sizes(operands, spelling)
    laid_out = [
        laid(operand, labels, order) for operand, labels in zip(operands, spelling, strict=True)
    ]
    terms = [frozenset(one) for one in spelling]
    path = shortest(operands, spelling, kept)
    return contracted(laid_out, terms, order, len(kept), path)


def check_sizes(operands: list[Any], spelling: list[Labels]) -> None:
    """One label has one size, or 1."""
    sizes: dict[str, int] = {}
    for place, (operand, labels) in enumerate(zip(operands, spelling, strict=True)):
        own: dict[str, int] = {}
        for label, size in zip(labels, operand._array.shape, strict=True):
            if label in own and own[label] != size:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {place} but the sizes "
                    f"don't match, {size} != {own[label]}"
                )
            own[label] = size
            before = sizes.get(label, 1)
            if size != 1 and before not in (1, size):
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {size} for operand {place} which does "
                    f"not broadcast with previously seen size {before}"
                )
            sizes[label] = max(size, before) if 0 not in (size, before) else 0


def laid(operand: Any, labels: Labels, order: Labels) -> Any:
    """The operand over all dimensions in order; a repeated label takes the diagonal."""
    seen: Labels = []
    for label in labels:
        if label in seen:
            dim = seen.index(label)
            operand = movedim(op.diagonal(operand, 0, dim, len(seen)), -1, dim)
        else:
            seen.append(label)
    missing = len(order) - len(seen)
    for _ in range(missing):
        operand = op.unsqueeze(operand, operand._array.ndim)
    free = iter(range(len(seen), len(order)))
    places = tuple(seen.index(label) if label in seen else next(free) for label in order)
    return op.permute(operand, places)


def contracted(
    operands: list[Any], terms: list[Term], order: Labels, kept: int, path: Path
) -> Any:
    """The operands multiplied two by two, dimensions summed as soon as they may be.

    A product goes behind the other operands; without a path before them, from left to right.
    """
    if len(operands) == 1:
        alone = tuple(range(kept, len(order)))
        return op.sum_dim(operands[0], alone, False) if alone else operands[0]
    for places in path or [(0, 1)] * len(operands[1:]):
        whole, rest = taken(terms, places)
        needed = frozenset(order[:kept]).union(*rest)
        sums = [dim for dim, label in enumerate(order) if label in whole - needed]
        left, right = (operands[place] for place in places)
        result = pair(left, right, sums) if sums else op.mul(left, right)
        others = [one for n, one in enumerate(operands) if n not in places]
        operands = [*others, result] if path else [result, *others]
        terms = [*rest, whole & needed] if path else [whole & needed, *rest]
    if kept == len(order):
        return operands[0]
    return op.view(operands[0], tuple(operands[0]._array.shape[:kept]))


def shortest(operands: list[Any], spelling: list[Labels], kept: Labels) -> Path:
    """opt_einsum's order of three operands or more, if it is asked for."""
    if len(operands) < 3 or not opt_einsum.enabled:
        return []
    shapes = tuple(operand._array.shape for operand in operands)
    inputs = tuple(tuple(labels) for labels in spelling)
    return opt_einsum.best_path(inputs, tuple(kept), shapes, opt_einsum.strategy)


def taken(terms: list[Term], places: tuple[int, int]) -> tuple[Term, list[Term]]:
    """All labels of two terms, and the other terms."""
    one, other = places
    return terms[one] | terms[other], [t for n, t in enumerate(terms) if n not in places]


def pair(left: Any, right: Any, sums: list[int]) -> Any:
    """The product of two operands summed over some dimensions, which stay as size 1."""
    mine = {dim for dim in sums if left._array.shape[dim] != 1}
    others = {dim for dim in sums if right._array.shape[dim] != 1}
    if mine - others:
        left = op.sum_dim(left, tuple(sorted(mine - others)), True)
    if others - mine:
        right = op.sum_dim(right, tuple(sorted(others - mine)), True)
    inner = sorted(mine & others)
    if not inner:
        return op.mul(left, right)
    both: list[int] = []
    ours: list[int] = []
    theirs: list[int] = []
    for dim in range(left._array.ndim):
        if dim not in inner:
            mine, other = left._array.shape[dim] != 1, right._array.shape[dim] != 1
            (both if mine and other else ours if mine else theirs).append(dim)
    if ours and theirs and theirs[-1] < ours[0]:  # as PyTorch: the first dimensions go left
        left, right, ours, theirs = right, left, theirs, ours
    return by_bmm(left, right, both, ours, theirs, inner)


def by_bmm(
    left: Any, right: Any, both: list[int], ours: list[int], theirs: list[int], inner: list[int]
) -> Any:
    """The product as batches (both) of matrices (ours, inner) and (inner, theirs)."""
    size = {dim: max(left._array.shape[dim], right._array.shape[dim]) for dim in range(left.ndim)}
    if 0 in left._array.shape or 0 in right._array.shape:
        size = {
            dim: min(pair) if 0 in pair else max(pair)
            for dim, pair in enumerate(zip(left._array.shape, right._array.shape, strict=True))
        }
    total = {name: product(size, dims) for name, dims in
             (("both", both), ("ours", ours), ("theirs", theirs))}  # fmt: skip
    summed = product(dict(enumerate(left._array.shape)), inner)
    first = op.permute(left, (*both, *ours, *inner, *theirs))
    second = op.permute(right, (*both, *inner, *theirs, *ours))
    made = op.bmm(
        reshape(first, (total["both"], total["ours"], summed)),
        reshape(second, (total["both"], summed, total["theirs"])),
    )
    order = (*both, *ours, *inner, *theirs)
    shape = tuple(1 if dim in inner else size[dim] for dim in order)
    return op.permute(op.view(made, shape), tuple(order.index(dim) for dim in range(len(order))))


def product(size: dict[int, int], dims: list[int]) -> int:
    """The product of the sizes of some dimensions."""
    result = 1
    for dim in dims:
        result *= size[dim]
    return result
