"""The names of `torch.autograd.forward_ad`: forward mode is not there yet, and says so.

>>> import seegrad as torch
>>> with torch.autograd.forward_ad.dual_level():
...     pass
Traceback (most recent call last):
NotImplementedError: torch.autograd.forward_ad.dual_level is not there yet. ...
"""

from seegrad.missing import later

__all__ = ["dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]

_instead = "torch.autograd.functional.jvp(func, inputs, v)"
dual_level = later("torch.autograd.forward_ad.dual_level", _instead)
enter_dual_level = later("torch.autograd.forward_ad.enter_dual_level", _instead)
exit_dual_level = later("torch.autograd.forward_ad.exit_dual_level", _instead)
make_dual = later("torch.autograd.forward_ad.make_dual", _instead)
unpack_dual = later("torch.autograd.forward_ad.unpack_dual", _instead)
