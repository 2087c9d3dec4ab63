"""Importing and using seegrad leaves the process as it was."""

import pytest

from tests.fresh import answer

STATE = """
import gc, json, locale, os, random, signal, sys, threading, warnings
import numpy as np
import ml_dtypes
warnings.resetwarnings()

def state():
    return {
        "errors of NumPy": np.geterr(),
        "call on errors of NumPy": repr(np.geterrcall()),
        "print options of NumPy": repr(np.get_printoptions()),
        "random state of NumPy": repr(np.random.get_state()),
        "random state of Python": repr(random.getstate()),
        "warning filters": repr(warnings.filters),
        "showwarning": repr(warnings.showwarning),
        "gc": [gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.get_freeze_count()],
        "gc callbacks": repr(gc.callbacks),
        "recursion limit": sys.getrecursionlimit(),
        "switch interval": sys.getswitchinterval(),
        "locale": locale.setlocale(locale.LC_ALL),
        "signals": [repr(signal.getsignal(n)) for n in sorted(signal.valid_signals())],
        "hooks": [repr(h) for h in (sys.excepthook, sys.displayhook, sys.unraisablehook,
                                    threading.excepthook, sys.gettrace(), sys.getprofile())],
        "threads": threading.active_count(),
        "environment": dict(os.environ),
        "path": sys.path,
        "import hooks": [repr(sys.meta_path), repr(sys.path_hooks)],
        "streams": [repr(sys.stdout), repr(sys.stderr)],
        "directory": os.getcwd(),
    }

before = state()
import seegrad as torch
{use}
after = state()
changed = [name for name in before if before[name] != after[name]]
print(json.dumps({name: [before[name], after[name]] for name in changed}))
"""

TRAINING = """
torch.manual_seed(3)
weight = torch.randn(4, 4, requires_grad=True)
for step in range(3):
    loss = ((weight @ torch.rand(4, 2)).tanh() / 0.0).sum().log()
    loss.backward()
print(weight, weight.grad)
"""


@pytest.mark.parametrize("use", ["", TRAINING], ids=["import", "training"])
def test_nothing_changes(use: str) -> None:
    assert answer(STATE.replace("{use}", use)) == {}
