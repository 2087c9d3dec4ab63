"""Kernels of convolution: columns of windows, and one product of matrices.

The three kernels are the three sides of one form `<grad_output, conv(input, weight)>`, so that
each is the gradient of the others. A transposed convolution is `convolution_input` of its input.
"""

from itertools import product
from math import prod
from typing import Any, NoReturn

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.reduce import total_of
from seegrad.arrays.refusals import need_kind, need_numbers
from seegrad.arrays.windows import (
    COLUMNS,
    Spans,
    columns,
    inside,
    overlay,
    padded,
    places,
    stretched,
    windows,
)

Array = Any  # an ndarray
Size = tuple[int, ...]


def convolution(
    input: Array,
    weight: Array,
    bias: Array | None,
    stride: Size,
    padding: Size,
    dilation: Size,
    transposed: bool,
    output_padding: Size,
    groups: int,
) -> Array:
    """(n, c, *sizes) with (o, c / groups, *kernel): (n, o, *places); transposed the way back."""
    _check(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    if transposed:
        sizes = _enlarged(input, weight, stride, padding, dilation, output_padding)
        out = convolution_input(input, weight, sizes, stride, padding, dilation, groups)
    else:
        spans = _with_margins(input, padding)
        out = _convolved(input, weight, spans, stride, dilation, groups)
    if bias is not None:
        out += bias.reshape(-1, *[1] * len(stride))
    return out


def _convolved(
    input: Array, weight: Array, spans: Spans, stride: Size, dilation: Size, groups: int
) -> Array:
    """The input, from and to the places of `spans`, without a bias."""
    batch, rows, outs = len(input), prod(weight.shape[1:]), weight.shape[0] // groups
    sizes = tuple(stop - start for start, stop in spans)
    count = places(sizes, weight.shape[2:], stride, dilation)
    out = np.empty((batch, groups, outs, prod(count)), input.dtype)
    factor = weight.reshape(groups, outs, rows)
    for part, some in columns(input, spans, weight.shape[2:], stride, dilation):
        np.matmul(factor, some.reshape(len(some), groups, rows, prod(count)), out=out[part])
    return out.reshape(batch, weight.shape[0], *count)


def _with_margins(self: Array, padding: Size) -> Spans:
    """From and to where the last dimensions reach with margins on both sides."""
    sizes = self.shape[self.ndim - len(padding) :]
    return [(-low, size + low) for size, low in zip(sizes, padding, strict=True)]


def convolution_input(
    grad_output: Array,
    weight: Array,
    sizes: Size,
    stride: Size,
    padding: Size,
    dilation: Size,
    groups: int,
) -> Array:
    """The gradient of the input, (n, c, *sizes), of a gradient (n, o, *places)."""
    # Columns of the gradient are copied, those of the input are added up, which is slower.
    few = weight.shape[0] // groups <= 4 * weight.shape[1] and prod(stride) <= MOST_PHASES
    if few and (max(stride) == 1 or max(dilation) == 1):
        return _gathered(grad_output, weight, sizes, stride, padding, dilation, groups)
    batch, kernel, count = grad_output.shape[0], weight.shape[2:], grad_output.shape[2:]
    rows = weight.shape[1] * prod(kernel)
    factor = weight.reshape(groups, weight.shape[0] // groups, rows)
    grads = grad_output.reshape(batch, groups, weight.shape[0] // groups, prod(count))
    large = tuple(size + 2 * margin for size, margin in zip(sizes, padding, strict=True))
    out = np.empty((batch, groups * weight.shape[1], *sizes), grad_output.dtype)
    step = max(1, COLUMNS // max(groups * rows * prod(count), 1))
    for first in range(0, batch, step):
        part = slice(first, first + step)
        some = np.matmul(factor.mT, grads[part])
        some = some.reshape(len(some), groups * weight.shape[1], *kernel, *count)
        out[part] = overlay(some, large, stride, dilation)[inside(padding, sizes)]
    return out


MOST_PHASES = 8  # of a gradient of the input, each a convolution


def _gathered(
    grad_output: Array,
    weight: Array,
    sizes: Size,
    stride: Size,
    padding: Size,
    dilation: Size,
    groups: int,
) -> Array:
    """The same as convolutions of the gradient with the kernel turned round.

    With a stride of 2, say, every second element of the kernel meets every second element of the
    input, so that each of these phases is a convolution of stride 1.
    """
    outs, channels, *kernel = weight.shape
    depth, batch = len(kernel), grad_output.shape[0]
    turned = np.flip(weight, tuple(range(2, 2 + depth)))
    turned = turned.reshape(groups, outs // groups, channels, *kernel).swapaxes(1, 2)
    shape = (batch, groups * channels, *sizes)
    out: Array = None if max(stride) == 1 else np.zeros(shape, grad_output.dtype)
    for phase in product(*map(range, stride)):
        each = list(zip(phase, sizes, kernel, stride, padding, dilation, strict=True))
        some = [_phase(*one) for one in each]
        taps, places_of, starts, counts = zip(*some, strict=True)
        factor = turned[(..., *taps)]
        if not factor.size or not all(counts):
            continue
        reach = zip(starts, counts, factor.shape[3:], dilation, strict=True)
        spans = [(a, a + many + d * (width - 1)) for a, many, width, d in reach]
        factor = factor.reshape(groups * channels, outs // groups, *factor.shape[3:])
        piece = _convolved(grad_output, factor, spans, (1,) * depth, dilation, groups)
        if out is None:
            return piece
        out[(..., *places_of)] = piece
    return np.zeros(shape, grad_output.dtype) if out is None else out


def _phase(
    phase: int, size: int, width: int, jump: int, low: int, step: int
) -> tuple[slice, slice, int, int]:
    """Which elements of the turned kernel, which of the input, from where and how many.

    Input y and place j meet in element i of the kernel where `y + low = j jump + i step`; either
    jump or step is 1, and `i = phase (mod jump)`.
    """
    first = (phase - low) % jump
    taps = len(range(phase, width, jump))
    count = len(range(first, size, jump))
    start = (first + low - phase) // jump - (taps - 1) * step
    return slice((width - 1 - phase) % jump, None, jump), slice(first, None, jump), start, count


def convolution_weight(
    grad_output: Array,
    input: Array,
    kernel: Size,
    stride: Size,
    padding: Size,
    dilation: Size,
    groups: int,
) -> Array:
    """The gradient of the weight, (o, c / groups, *kernel): products over places."""
    batch, outs, *count = grad_output.shape
    channels = input.shape[1] // groups
    # What the last window does not reach has no part in the result.
    spans = [
        (-low, jump * (many - 1) + step * (width - 1) + 1 - low)
        for low, many, jump, width, step in zip(
            padding, count, stride, kernel, dilation, strict=True
        )
    ]
    size, rows, outs_each = prod(count), channels * prod(kernel), outs // groups
    grads = grad_output.reshape(batch, groups, outs_each, size)
    if outs_each <= size:  # products for each of the batch take less memory than columns
        grads = np.ascontiguousarray(grads.mT)
        out = np.zeros((groups, rows, outs_each), input.dtype)
        for part, some in columns(input, spans, kernel, stride, dilation):
            product_of = np.matmul(some.reshape(len(some), groups, rows, size), grads[part])
            out += total_of(product_of, 0)
        return np.ascontiguousarray(out.mT).reshape(outs, channels, *kernel)
    view = windows(stretched(input, spans), kernel, stride, dilation)
    view = np.moveaxis(view.reshape(batch, groups, channels, *view.shape[2:]), 0, 2 + len(kernel))
    grads = np.moveaxis(grads, 0, 2).reshape(groups, outs_each, batch * size)
    out = np.matmul(grads, view.reshape(groups, rows, batch * size).mT)
    return out.reshape(outs, channels, *kernel)


def _enlarged(
    input: Array, weight: Array, stride: Size, padding: Size, dilation: Size, extra: Size
) -> Size:
    """The sizes of what a transposed convolution makes."""
    return tuple(
        (size - 1) * jump - 2 * margin + step * (width - 1) + more + 1
        for size, jump, margin, step, width, more in zip(
            input.shape[2:], stride, padding, dilation, weight.shape[2:], extra, strict=True
        )
    )


# Refusals, in the order in which PyTorch makes them


def _check(
    input: Array,
    weight: Array,
    bias: Array | None,
    stride: Size,
    padding: Size,
    dilation: Size,
    transposed: bool,
    output_padding: Size,
    groups: int,
) -> None:
    _check_types(input, weight, bias, transposed)
    _check_signs(stride, padding, dilation, output_padding, groups)
    _check_channels(input, weight, bias, transposed, groups)
    if transposed:
        _check_margin(stride, dilation, output_padding)
        sizes = _enlarged(input, weight, stride, padding, dilation, output_padding)
        if any(size < 1 for size in sizes):
            raise RuntimeError(
                f"Given input size per channel: {_by(input.shape[2:])}. Calculated output size "
                f"per channel: {_by(sizes)}. Output size is too small"
            )
        return
    large = tuple(size + 2 * p for size, p in zip(input.shape[2:], padding, strict=True))
    if any(many < 1 for many in places(large, weight.shape[2:], stride, dilation)):
        reach = tuple(
            step * (width - 1) + 1 for step, width in zip(dilation, weight.shape[2:], strict=True)
        )
        raise RuntimeError(
            f"Calculated padded input size per channel: {_by(large)}. Kernel size: {_by(reach)}. "
            "Kernel size can't be greater than actual input size"
        )


def _by(sizes: Size) -> str:
    return f"({' x '.join(map(str, sizes))})"


def _check_types(input: Array, weight: Array, bias: Array | None, transposed: bool) -> None:
    for name, other in (("weight", weight), ("bias", bias)):
        if other is None or other.dtype == input.dtype:
            continue
        if name == "weight" and input.dtype.kind == "f":
            raise RuntimeError(
                f"Input type ({_tensor(input)}) and weight type ({_tensor(other)}) should be the "
                "same or input should be a MKLDNN tensor and weight is a dense tensor"
            )
        mine, its = (dtypes.cpp_type_name(dtypes.from_numpy(one.dtype)) for one in (input, other))
        raise RuntimeError(f"Input type ({mine}) and {name} type ({its}) should be the same")
    depth = max(input.ndim - 2, 2)
    if transposed:
        need_kind(input.dtype, f"slow_conv_transpose{depth}d_out_cpu", "uib")
    else:
        columns = depth == 3 and prod(weight.shape[2:]) > 1
        need_numbers(input, "compute_columns3d" if columns else f"slow_conv{depth}d_cpu")


def _tensor(self: Array) -> str:
    return dtypes.tensor_type_name(dtypes.from_numpy(self.dtype))


def _check_signs(
    stride: Size, padding: Size, dilation: Size, output_padding: Size, groups: int
) -> None:
    for wrong, text in (
        (min(padding) < 0, "negative padding"),
        (min(output_padding) < 0, "negative output_padding"),
        (min(stride) <= 0, "non-positive stride"),
        (min(dilation) == 0, "non-positive dilation"),
        (groups <= 0, "non-positive groups"),
    ):
        if wrong:
            raise RuntimeError(f"{text} is not supported")
    if min(dilation) < 0:
        raise RuntimeError("dilation should be greater than zero")


def _check_channels(
    input: Array, weight: Array, bias: Array | None, transposed: bool, groups: int
) -> None:
    given = "Given transposed=1, weight" if transposed else f"Given groups={groups}, weight"
    shape = list(weight.shape)
    if weight.shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but "
            f"got weight of size {shape} instead"
        )
    if weight.shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{shape}] instead"
        )
    wanted = weight.shape[0] if transposed else weight.shape[1] * groups
    if input.shape[1] != wanted:
        raise RuntimeError(
            f"{given} of size {shape}, expected input{list(input.shape)} to have {wanted} "
            f"channels, but got {input.shape[1]} channels instead"
        )
    outs = weight.shape[1] * groups if transposed else weight.shape[0]
    if bias is not None and bias.shape != (outs,):
        _refuse_bias("Given transposed=1, weight" if transposed else "Given weight", bias, shape)


def _refuse_bias(given: str, bias: Array, shape: list[int]) -> NoReturn:
    outs = shape[1] if "transposed" in given else shape[0]
    raise RuntimeError(
        f"{given} of size {shape}, expected bias to be 1-dimensional with {outs} elements, but "
        f"got bias of size {list(bias.shape)} instead"
    )


def _check_margin(stride: Size, dilation: Size, output_padding: Size) -> None:
    if all(
        more < max(jump, step)
        for more, jump, step in zip(output_padding, stride, dilation, strict=True)
    ):
        return
    names = ("depth", "height", "width")[-max(2, len(stride)) :]
    parts = [
        f"{what}_{name}: {size}"
        for what, sizes in (
            ("output_padding", output_padding), ("stride", stride), ("dilation", dilation)
        )
        for name, size in zip(names[-len(sizes) :], sizes, strict=True)
    ]  # fmt: skip
    raise RuntimeError(
        "output padding must be smaller than either stride or dilation, but got " + " ".join(parts)
    )


# Windows as columns


def im2col(self: Array, kernel_size: Size, dilation: Size, padding: Size, stride: Size) -> Array:
    """(n, c, h, w) to (n, c * kernel, places); the batch may be missing."""
    _check_columns(kernel_size, dilation, padding, stride)
    if self.ndim not in (3, 4) or 0 in self.shape[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {list(self.shape)}"
        )
    sizes = self.shape[-2:]
    large = tuple(size + 2 * margin for size, margin in zip(sizes, padding, strict=True))
    count = places(large, kernel_size, stride, dilation)
    if min(count) < 1:
        raise RuntimeError(
            f"Given input with spatial size {sizes}, kernel_size={kernel_size}, "
            f"dilation={dilation}, padding={padding}, calculated shape of the array of sliding "
            f"blocks as {count}, but its components must be at least one."
        )
    view = windows(padded(self, padding), kernel_size, stride, dilation)
    rows = self.shape[-3] * prod(kernel_size)
    return np.ascontiguousarray(view).reshape(*self.shape[:-3], rows, prod(count))


def col2im(
    self: Array,
    output_size: Size,
    kernel_size: Size,
    dilation: Size,
    padding: Size,
    stride: Size,
) -> Array:
    """The columns added up where they came from: (n, c * kernel, places) to (n, c, h, w)."""
    large = tuple(size + 2 * margin for size, margin in zip(output_size, padding, strict=True))
    _check_columns(kernel_size, dilation, padding, stride)
    count = places(large, kernel_size, stride, dilation)
    _check_folded(self, output_size, kernel_size, dilation, padding, stride, count)
    channels = self.shape[-2] // prod(kernel_size)
    columns = self.reshape(*self.shape[:-2], channels, *kernel_size, *count)
    out = overlay(columns, large, stride, dilation)
    return np.ascontiguousarray(out[inside(padding, output_size)])


def _check_columns(kernel_size: Size, dilation: Size, padding: Size, stride: Size) -> None:
    for sizes, least, said, name in (
        (kernel_size, 1, "kernel size should be greater than zero", "kernel"),
        (dilation, 1, "dilation should be greater than zero", "dilation"),
        (padding, 0, "padding should be non-negative", "pad"),
        (stride, 1, "stride should be greater than zero", "stride"),
    ):
        if min(sizes) < least:
            high, wide = sizes
            raise RuntimeError(f"{said}, but got {name}_height: {high} {name}_width: {wide}")


def _check_folded(
    self: Array,
    output_size: Size,
    kernel_size: Size,
    dilation: Size,
    padding: Size,
    stride: Size,
    count: Size,
) -> None:
    if self.ndim not in (2, 3) or 0 in self.shape[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
            f"non-zero dimensions for input, but got: {list(self.shape)}"
        )
    rows, dim = self.shape[-2], self.ndim - 2
    if rows % prod(kernel_size):
        raise RuntimeError(
            f"Expected size of input's dimension {dim} to be divisible by the product of "
            f"kernel_size, but got input.size({dim})={rows} and kernel_size={kernel_size}."
        )
    if prod(count) != self.shape[-1]:
        raise RuntimeError(
            f"Given output_size={output_size}, kernel_size={kernel_size}, dilation={dilation}, "
            f"padding={padding}, stride={stride}, expected size of input's dimension {dim + 1} to "
            f"match the calculated number of sliding blocks {count[0]} * {count[1]} = "
            f"{prod(count)}, but got input.size({dim + 1})={self.shape[-1]}."
        )
