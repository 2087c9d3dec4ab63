"""Fourier transforms."""

from typing import Any

from tests.database.spec import Entry, Sample, function, numbers

MATRIX = numbers(3, 4)
REAL = "fft_r2c conj slice constant_pad_nd"


def transform(name: str, *samples: Sample, operators: str, **options: Any) -> Entry:
    """A function of `torch.fft`."""
    options = {"half": False, **options}
    return Entry(f"fft.{name}", function(f"fft.{name}"), samples, operators, **options)


ONE = (Sample(MATRIX), Sample(MATRIX, 6, 0, "ortho"), Sample(MATRIX, n=2, norm="forward"))
MORE = (
    Sample(MATRIX),
    Sample(MATRIX, (2, 6), norm="ortho"),
    Sample(numbers(2, 3, 2), dim=(2, 0), norm="forward"),
)

ENTRIES = [
    transform("fft", *ONE, operators=f"{REAL} fft_c2c", complex=True, integer=True),
    transform("ifft", *ONE, operators=f"{REAL} fft_c2c", complex=True),
    transform("rfft", *ONE, operators=REAL, integer=True),
    transform("irfft", *ONE, operators="fft_c2r", complex=True),
    transform("hfft", *ONE, operators="fft_c2r conj", complex=True),
    transform("ihfft", *ONE, operators=REAL),
    transform("fftn", *MORE, operators="fft_c2c", complex=True),
    transform("ifftn", *MORE, operators="fft_c2c", complex=True),
    transform("rfftn", *MORE, operators=REAL),
    transform("irfftn", *MORE, operators="fft_c2r", complex=True),
    transform("hfftn", *MORE, operators="fft_c2c fft_c2r", complex=True),
    transform("ihfftn", *MORE, operators=f"{REAL} conj_physical fft_c2c"),
    transform("fft2", Sample(MATRIX), operators="fft_c2c", complex=True),
    transform("fftshift", Sample(MATRIX), Sample(MATRIX, 1), operators="roll", complex=True),
    transform("ifftshift", Sample(MATRIX), Sample(MATRIX, (0,)), operators="roll", complex=True),
]
