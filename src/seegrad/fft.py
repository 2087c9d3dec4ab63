"""The names of `torch.fft`: discrete Fourier transforms."""

from seegrad.missing import missing as _missing
from seegrad.ops.fourier import fft_fft as fft
from seegrad.ops.fourier import fft_fft2 as fft2
from seegrad.ops.fourier import fft_fftfreq as fftfreq
from seegrad.ops.fourier import fft_fftn as fftn
from seegrad.ops.fourier import fft_fftshift as fftshift
from seegrad.ops.fourier import fft_hfft as hfft
from seegrad.ops.fourier import fft_hfft2 as hfft2
from seegrad.ops.fourier import fft_hfftn as hfftn
from seegrad.ops.fourier import fft_ifft as ifft
from seegrad.ops.fourier import fft_ifft2 as ifft2
from seegrad.ops.fourier import fft_ifftn as ifftn
from seegrad.ops.fourier import fft_ifftshift as ifftshift
from seegrad.ops.fourier import fft_ihfft as ihfft
from seegrad.ops.fourier import fft_ihfft2 as ihfft2
from seegrad.ops.fourier import fft_ihfftn as ihfftn
from seegrad.ops.fourier import fft_irfft as irfft
from seegrad.ops.fourier import fft_irfft2 as irfft2
from seegrad.ops.fourier import fft_irfftn as irfftn
from seegrad.ops.fourier import fft_rfft as rfft
from seegrad.ops.fourier import fft_rfft2 as rfft2
from seegrad.ops.fourier import fft_rfftfreq as rfftfreq
from seegrad.ops.fourier import fft_rfftn as rfftn

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

__getattr__ = _missing(__name__, __all__)
