"""Short-time Fourier transforms, windows, gradients of sampled values."""

from operator import attrgetter
from typing import Any

import numpy as np

from tests.database.spec import Call, Entry, Sample, function, numbers


def inverse(torch: Any, real: Any, imag: Any, *args: Any, **kwargs: Any) -> Any:
    """`istft` of complex numbers from their parts."""
    return torch.istft(torch.complex(real, imag), *args, **kwargs)


def transform(torch: Any, *args: Any, **kwargs: Any) -> Any:
    """`stft`, complex."""
    return torch.stft(*args, return_complex=True, **kwargs)


def window(path: str) -> Call:
    """A window in double precision."""
    find = attrgetter(path if "." in path else f"{path}_window")
    return lambda torch, *args, **options: find(torch)(*args, dtype=torch.float64, **options)


SIZES = tuple(Sample(*args) for args in ((0,), (1,), (2, False), (5,), (6, False)))
SYMMETRIC: dict[str, dict[str, Any]] = {
    "bartlett": {},
    "blackman": {},
    "cosine": {},
    "exponential": {"tau": 2.0},
    "gaussian": {"std": 1.5},
    "general_cosine": {"a": [0.4, 0.3, 0.2, 0.1]},
    "general_hamming": {"alpha": 0.6},
    "hamming": {},
    "hann": {},
    "kaiser": {"beta": 3.0},
    "nuttall": {},
}
SIGNAL, WINDOW = numbers(12), numbers(4, domain=(0.5, 1.0))
SHORT = numbers(3, domain=(0.5, 1.0))
REAL, IMAG = numbers(2, 3, 5), numbers(2, 3, 5, seed=1)
ENTRIES = [
    Entry(
        "stft",
        transform,
        (
            Sample(SIGNAL, 4),
            Sample(SIGNAL, 4, 2, window=WINDOW, pad_mode="constant"),
            Sample(SIGNAL, 4, 3, 3, SHORT, False, normalized=True),
            Sample(numbers(2, 12), 4, 2, 3, SHORT, False, onesided=False, align_to_window=True),
        ),
        operators="unfold fft_r2c fft_c2c mul",
        complex=True,
        half=False,
    ),
    Entry(
        "istft",
        inverse,
        (
            Sample(REAL, IMAG, 4, 2, window=WINDOW),
            Sample(REAL, IMAG, 4, 1, 3, SHORT, normalized=True, length=5),
            Sample(REAL[0], IMAG[0], 4, 1, window=WINDOW, center=False),
            Sample(numbers(4, 3), numbers(4, 3, seed=1), 4, window=WINDOW, length=9),
            Sample(REAL[:, :2], IMAG[:, :2], 2, return_complex=True, onesided=False, hop_length=1),
        ),
        operators="unfold_backward fft_c2r fft_c2c slice div",
        half=False,
    ),
    *(
        Entry(name, window(name), SIZES, operators="", first=False, half=False)
        for name in ("hann", "hamming", "bartlett", "blackman", "kaiser")
    ),
    *(
        Entry(
            f"signal.windows.{name}",
            window(f"signal.windows.{name}"),
            (Sample(5, **options), Sample(6, sym=False, **options), Sample(1, **options)),
            operators="",
            first=False,
            half=False,
        )
        for name, options in SYMMETRIC.items()
    ),
    Entry(
        "gradient",
        function("gradient"),
        (
            Sample(numbers(4)),
            Sample(numbers(3, 4), spacing=0.5, edge_order=2),
            Sample(numbers(3, 4), spacing=[2.0, 0.5], dim=(1, 0)),
            Sample(numbers(2, 4), spacing=[np.array([0.0, 1.0, 1.5, 4.0])], dim=1),
            Sample(numbers(2, 4), spacing=[np.array([0.0, 1.0, 1.5, 4.0])], dim=-1, edge_order=2),
        ),
        operators="slice sub div cat",
        complex=True,
        integer=True,
        half=False,  # PyTorch rounds other steps
    ),
]
