"""What scripts set of PyTorch's compiler; `compile` returns what it is given, so nothing heeds it.

>>> import seegrad._dynamo
>>> seegrad._dynamo.config.verbose = True
"""

from types import SimpleNamespace

from seegrad.compiler import disable, is_compiling, reset

__all__ = ["config", "disable", "is_compiling", "reset"]

# As PyTorch has them before a script sets them; a script may set any other name.
config = SimpleNamespace(
    verbose=False,
    suppress_errors=False,
    cache_size_limit=8,
    recompile_limit=8,
    capture_scalar_outputs=False,
    error_on_recompile=False,
)
