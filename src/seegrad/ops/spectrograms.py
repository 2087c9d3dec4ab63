"""Public short-time Fourier transform, and its inverse."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.once import warn, warn_once
from seegrad.ops.shape import pad
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["istft", "stft"]

NO_WINDOW = (
    "A window was not provided. A rectangular window will be applied,which is known to cause "
    "spectral leakage. Other windows such as torch.hann_window or torch.hamming_window are "
    "recommended to reduce spectral leakage.To suppress this warning and use a rectangular "
    "window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)
NO_WINDOW_BACK = (
    "A window was not provided. A rectangular window will be applied.Please provide the same "
    "window used by stft to make the inversion lossless.To suppress this warning and use a "
    "rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)
REAL_PAIRS = (
    "stft with return_complex=False is deprecated. In a future pytorch release, stft will return "
    "complex tensors for all inputs, and return_complex=False will raise an error.\n"
    "Note: you can still call torch.view_as_real on the complex output to recover the old return "
    "format."
)
SHORTER = (
    "The length of signal is shorter than the length parameter. Result is being padded with zeros "
    "in the tail. Please check your center and hop_length settings."
)
ONE_SIDED = "Cannot have onesided output if window or input is complex"


def _is_complex(one: Any) -> bool:
    return one is not None and one._array.dtype.kind == "c"


@public
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> Tensor:
    """Return the Fourier transforms of pieces of a signal.

    `input`: (length,) or (batch, length). `n_fft`: the size of a transform. `hop_length`: how far
    apart pieces begin, n_fft // 4 by default. `window`: (win_length,), a factor on each piece, of
    size n_fft by default, zero around it. `center`: pieces lie around their places, the signal
    padded at both ends as `pad_mode` says. `normalized`: divided by the root of n_fft.
    `onesided`: only n_fft // 2 + 1 frequencies, the default for real signals, which need
    `return_complex`. Returns (frequencies, pieces), with a batch before them. Raises RuntimeError
    for what does not fit.

    >>> import seegrad as torch
    >>> signal = torch.tensor([1.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0])
    >>> torch.stft(signal, 4, window=torch.ones(4), center=False, return_complex=True).abs()[:, 0]
    tensor([0., 2., 0.])
    """
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft align_to_window should only be set when center = false")
        shape = input._array.shape
        deep: Any = reshape(input, (1,) * (3 - len(shape)) + shape)
        deep = pad(deep, (n_fft // 2, n_fft // 2), pad_mode)
        input = reshape(deep, deep._array.shape[3 - len(shape) :]) if len(shape) < 3 else deep
    if window is None:
        warn_once(NO_WINDOW)
    is_complex = _is_complex(input) or _is_complex(window)
    _check_return(return_complex, is_complex)
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    values = {"n_fft": n_fft, "hop_length": hop, "win_length": width, "window": window}
    values |= {"normalized": normalized, "onesided": onesided, "return_complex": return_complex}
    _check_pieces(input._array, values | {"align_to_window": align_to_window}, input)
    if onesided and is_complex:
        raise RuntimeError(ONE_SIDED)
    _refuse_half(input)
    lines: Any = input if input._array.ndim == 2 else op.unsqueeze(input, 0)
    if align_to_window:
        lines = op.constant_pad_nd(lines, _margins(n_fft, width), 0)
    pieces = op.unfold(lines, 1, n_fft, hop)
    factor = _whole_window(window, n_fft, width, input)
    pieces = pieces if factor is None else op.mul(pieces, factor)
    found = _transformed(pieces, normalized, onesided)
    found = op.transpose_in_place(found, 1, 2)
    found = found if input._array.ndim == 2 else op.squeeze_made(found, 0)
    return op.view_as_real(found) if return_complex is False else found


def _check_return(return_complex: bool | None, is_complex: bool) -> None:
    if return_complex is None and not is_complex:
        raise RuntimeError(
            "stft requires the return_complex parameter be given for real inputs, and will "
            "further require that return_complex=True in a future PyTorch release."
        )
    if return_complex is False:
        warn_once(REAL_PAIRS)


def _transformed(pieces: Any, normalized: bool, onesided: bool | None) -> Any:
    """The transforms of pieces (batch, pieces, n_fft)."""
    if _is_complex(pieces):
        return op.fft_c2c(pieces, (2,), int(normalized), True)
    return op.fft_r2c(pieces, (2,), int(normalized), onesided is not False)


def _margins(n_fft: int, width: int) -> tuple[int, int]:
    """What is left of n_fft on both sides of a window."""
    left = (n_fft - width) // 2
    return left, n_fft - width - left


def _whole_window(window: Any, n_fft: int, width: int, input: Any) -> Any:
    """The window in the middle of n_fft numbers; None for ones everywhere."""
    if window is None:
        if width == n_fft:
            return None
        window = wrap(np.ones(width, input._array.real.dtype))
    return window if width == n_fft else op.constant_pad_nd(window, _margins(n_fft, width), 0)


def _refuse_half(input: Any) -> None:
    if input._array.dtype.itemsize == 2:
        name = input.dtype.scalar_name
        raise RuntimeError(f"MKL FFT doesn't support tensors of type: {name}")


def _check_pieces(array: Any, values: dict[str, Any], input: Any) -> None:
    """Raise where the pieces do not fit into the signal or the window into a piece."""
    n_fft, width, hop = values["n_fft"], values["win_length"], values["hop_length"]
    length = array.shape[-1] if array.ndim else 0
    for holds, text in (
        (array.dtype.kind not in "iub", "expected a tensor of floating point or complex values"),
        (1 <= array.ndim <= 2, "expected a 1D or 2D tensor"),
        (0 < n_fft <= length, f"expected 0 < n_fft < {length}, but got n_fft={n_fft}"),
        (hop > 0, f"expected hop_length > 0, but got hop_length={hop}"),
        (0 < width <= n_fft, f"expected 0 < win_length <= n_fft, but got win_length={width}"),
    ):
        if not holds:
            raise RuntimeError(f"{_call('stft', input, values)} : {text}")
    window = values["window"]
    if window is not None and window._array.shape != (width,):
        raise RuntimeError(
            f"{_call('stft', input, values)} : expected a 1D window tensor of size equal to "
            f"win_length={width}, but got window with size {list(window._array.shape)}"
        )


def _call(name: str, input: Any, values: dict[str, Any]) -> str:
    """The call as PyTorch writes it in its errors."""
    kind = "CPU{}Type" if name == "istft" or _is_complex(input) else "torch.{}Tensor"
    first = kind.format(input.dtype.scalar_name) + str(list(input._array.shape))
    shown = ", ".join(f"{key}={_shown(value)}" for key, value in values.items())
    return f"{name}({first}, {shown})"


def _shown(value: Any) -> str:
    if hasattr(value, "_array"):
        kind = "CPU{}Type" if _is_complex(value) else "torch.{}Tensor"
        return kind.format(value.dtype.scalar_name) + f"{{{list(value._array.shape)}}}"
    return str(int(value)) if isinstance(value, bool) else str(value)


@public
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """Return the signal whose `stft` this is: the pieces added where they belong.

    `input`: (frequencies, pieces), complex, with or without a batch before them. Arguments as of
    `stft`. `length`: of the result, cut or filled with zeros. Returns (length,), with a batch
    before it; real unless `return_complex`. Raises RuntimeError for what does not fit, and where
    no window reaches.

    >>> import seegrad as torch
    >>> signal, window = torch.arange(8.0), torch.hann_window(4)
    >>> pieces = torch.stft(signal, 4, window=window, return_complex=True)
    >>> bool(torch.allclose(torch.istft(pieces, 4, window=window), signal, atol=1e-6))
    True
    """
    if window is None:
        warn_once(NO_WINDOW_BACK)
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    values = {"n_fft": n_fft, "hop_length": hop, "win_length": width, "window": window}
    values |= {"center": center, "normalized": normalized, "onesided": onesided}
    values |= {"length": length, "return_complex": return_complex}
    _check_spectrum(input, values)
    if onesided is None:
        onesided = input._array.shape[-2] != n_fft
    if return_complex and onesided:
        raise RuntimeError(ONE_SIDED)
    if not return_complex and _is_complex(window):
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    lines: Any = input if input._array.ndim == 3 else op.unsqueeze(input, 0)
    pieces = _pieces(op.transpose(lines, 1, 2), n_fft, normalized, onesided, return_complex)
    factor = _whole_window(window, n_fft, width, input)
    if factor is None:
        factor = wrap(np.ones(n_fft, pieces._array.real.dtype))
    found, total = _laid_over(op.mul(pieces, factor), factor, n_fft, hop, center, length)
    if not op.min(op.abs(total))._array >= 1e-11:
        text = "window overlap add min: 1\n[ CPUBoolType{} ]"
        raise RuntimeError(f"{_call('istft', input, values)} {text}")
    found = op.div(found, total)
    found = found if input._array.ndim == 3 else op.squeeze_dim(found, 0)
    missing = 0 if length is None else length - found._array.shape[-1]
    if missing <= 0:
        return found
    warn(SHORTER)
    return op.constant_pad_nd(found, (0, missing), 0)


def _check_spectrum(input: Any, values: dict[str, Any]) -> None:
    """Raise for what is no result of `stft` with these arguments."""
    if not _is_complex(input):
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with "
            "return_complex=True."
        )
    shape, n_fft, width = input._array.shape, values["n_fft"], values["win_length"]
    if len(shape) < 2:
        raise IndexError(
            "Dimension out of range (expected to be in range of "
            f"[{-len(shape) - 1}, {len(shape)}], but got -3)"
        )
    onesided, window, size = values["onesided"], values["window"], shape[-2]
    start = "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft"
    for holds, text in (
        (input._array.size, "input tensor cannot be empty."),
        (len(shape) < 4, f"expected a tensor with 3 or 4 dimensions, but got {len(shape) + 1}"),
        (
            size == n_fft // 2 + 1 or (size == n_fft if onesided is None else not onesided),
            f"{start} / 2 + 1 when onesided=True, but got {size}",
        ),
        (
            onesided is not False or size == n_fft,
            f"{start} when onesided=False, but got {size}",
        ),
        (0 < values["hop_length"] <= width, "expected 0 < hop_length <= win_length"),
        (0 < width <= n_fft, "expected 0 < win_length <= n_fft"),
        (
            window is None or window._array.shape == (width,),
            "Invalid window shape. window has to be 1D and length of `win_length`",
        ),
    ):
        if not holds:
            raise RuntimeError(f"{_call('istft', input, values)} : {text}")


def _pieces(
    spectra: Any, n_fft: int, normalized: bool, onesided: bool, return_complex: bool
) -> Any:
    """The pieces (batch, pieces, n_fft) whose transforms these are."""
    factor = 1 if normalized else 2
    if return_complex:
        return op.fft_c2c(spectra, (2,), factor, False)
    if not onesided:
        spectra = op.slice(spectra, 2, 0, n_fft // 2 + 1, 1)
    return op.fft_c2r(spectra, (2,), factor, n_fft)


def _laid_over(
    pieces: Any, window: Any, n_fft: int, hop: int, center: bool, length: int | None
) -> tuple[Any, Any]:
    """The sums of pieces where they overlap, and of the squares of their windows."""
    batch, number, _ = pieces._array.shape
    whole = n_fft + hop * (number - 1)
    squares = op.expand(op.mul(window, window), (1, number, n_fft))
    start = n_fft // 2 if center else 0
    end = whole - start if length is None else min(start + length, whole)
    return tuple(
        op.slice(op.unfold_backward(one, (size, whole), 1, n_fft, hop), 1, start, end, 1)
        for one, size in ((pieces, batch), (squares, 1))
    )
