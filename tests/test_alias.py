"""`import torch` answered by seegrad: one module under two names, and other libraries at peace."""

import pytest

import seegrad
from seegrad.alias import install_as_torch
from tests.fresh import answer, run

ALIAS = """
import json, sys, seegrad
from seegrad.alias import install_as_torch
install_as_torch()
"""


def test_modules_are_the_same_objects() -> None:
    code = (
        ALIAS
        + """
import torch, torch.nn as nn, torch.nn.functional as F, torch.optim, torchviz
import torch.backends.cudnn as cudnn
from torch.autograd import Function
from torch.utils.data import DataLoader
from torch import nn as again
print(json.dumps([
    torch is seegrad, nn is seegrad.nn, again is nn, F is seegrad.nn.functional,
    torch.optim is seegrad.optim, Function is seegrad.autograd.Function,
    DataLoader is seegrad.utils.data.DataLoader, cudnn is seegrad.backends.cudnn,
    torch.Tensor is seegrad.Tensor, torchviz.make_dot is sys.modules["seegrad.viz"].make_dot,
]))
"""
    )
    assert answer(code) == [True] * 10


def test_package_has_the_door() -> None:
    assert seegrad.install_as_torch is install_as_torch


def test_modules_keep_their_own_specs() -> None:
    code = (
        ALIAS
        + """
import torch, torch.nn.functional, torch.backends.mps, torchviz.dot
modules = [torch, torch.nn, torch.nn.functional, torch.backends.mps, torchviz, torchviz.dot]
print(json.dumps([[m.__name__, m.__spec__.name] for m in modules]))
"""
    )
    names = ["", ".nn", ".nn.functional", ".backends.mps", ".viz", ".viz.dot"]
    assert answer(code) == [[f"seegrad{name}", f"seegrad{name}"] for name in names]


def test_functions_are_not_hidden_by_modules_of_their_name() -> None:
    code = (
        ALIAS
        + """
import torch.autograd.gradcheck, torch.nn.parameter
from torch.autograd.gradcheck import GradcheckError
print(json.dumps([callable(torch.autograd.gradcheck), callable(torch.device),
                  issubclass(GradcheckError, RuntimeError)]))
"""
    )
    assert answer(code) == [True] * 3


def test_importing_seegrad_alone_changes_nothing() -> None:
    assert answer("import json, sys, seegrad; print(json.dumps('torch' in sys.modules))") is False


def test_installing_twice_and_taking_away() -> None:
    code = (
        ALIAS
        + """
before = len(sys.meta_path)
install_as_torch()
import torch
from seegrad.alias import uninstall
first = [len(sys.meta_path) == before, "torch" in sys.modules]
uninstall(); uninstall()
left = [name for name in sys.modules if name.partition(".")[0] in ("torch", "torchviz")]
print(json.dumps([*first, left, torch is seegrad, len(sys.meta_path) == before - 1]))
"""
    )
    assert answer(code) == [True, True, [], True, True]


def test_missing_modules_say_so() -> None:
    code = (
        ALIAS
        + """
import importlib
said = []
for name in ["torch.autograd.forward_moed", "torch.nn.functionl", "torch.no.such", "torchviz.x"]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        said.append([str(error), error.name, getattr(error, "__notes__", [])])
print(json.dumps(said))
"""
    )
    first, second, third, fourth = answer(code)
    assert first[0] == (
        "No module named 'torch.autograd.forward_moed': torch is seegrad here, which has no "
        "seegrad.autograd.forward_moed"
    )
    assert first[1] == "torch.autograd.forward_moed"
    assert second[2] == ["Did you mean: 'torch.nn.functional'?"]
    assert third[1] == "torch.no"
    assert "which has no seegrad.viz.x" in fourth[0]


def test_errors_inside_a_module_are_not_swallowed() -> None:
    code = (
        ALIAS
        + """
import types
broken = types.ModuleType("seegrad.nn")
try:
    from torch.nn import NoSuchLayer
except ImportError as error:
    print(json.dumps(str(error).split(" (")[0]))
"""
    )
    assert answer(code) == "cannot import name 'NoSuchLayer' from 'seegrad.nn'"


def test_refused_where_another_torch_is_imported() -> None:
    code = """
import sys, types
sys.modules["torch"] = types.ModuleType("torch")
from seegrad.alias import install_as_torch
install_as_torch()
"""
    ended = run(code, check=False)
    assert ended.returncode == 1
    assert "RuntimeError: torch itself is imported in this process already" in ended.stderr


@pytest.mark.oracle
def test_refused_where_pytorch_is_imported() -> None:
    pytest.importorskip("torch")
    code = "import warnings; warnings.simplefilter('ignore')\nimport torch\n"
    code += "from seegrad.alias import install_as_torch; install_as_torch()"
    ended = run(code, check=False)
    assert "Call seegrad.install_as_torch() before anything imports torch." in ended.stderr


NEIGHBOURS = {
    "numpy": """
import numpy as np
a = np.arange(6.0).reshape(2, 3)
ok = (a @ a.T).shape == (2, 2) and np.asarray(torch.ones(2)).sum() == 2
""",
    "scipy": """
import numpy as np, scipy.linalg, scipy.optimize, scipy.special, scipy.stats, scipy.signal
from scipy.spatial.distance import cdist
a = np.array([[2.0, 1.0], [1.0, 3.0]])
ok = bool(np.allclose(scipy.linalg.inv(a) @ a, np.eye(2)))
ok &= scipy.optimize.minimize(lambda x: ((x - 1) ** 2).sum(), np.zeros(2)).success
ok &= bool(np.isclose(scipy.special.logsumexp(np.zeros(4)), np.log(4)))
ok &= scipy.stats.ttest_ind(np.arange(5.0), np.arange(5.0)).pvalue == 1
ok &= cdist(a, a).shape == (2, 2)
""",
    "sklearn": """
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.decomposition import PCA
x, y = load_iris(return_X_y=True)
train_x, test_x, train_y, test_y = train_test_split(x, y, random_state=0)
model = make_pipeline(StandardScaler(), PCA(3), LogisticRegression()).fit(train_x, train_y)
ok = accuracy_score(test_y, model.predict(test_x)) > 0.9
ok &= len(KMeans(3, n_init=1, random_state=0).fit(x).cluster_centers_) == 3
""",
    "matplotlib": """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt, numpy as np, io
figure, axes = plt.subplots()
axes.plot(np.arange(4.0), np.arange(4.0) ** 2)
axes.plot(torch.arange(4.0), (torch.arange(4.0) * 2).numpy())
axes.hist(np.random.randn(20)); axes.imshow(np.eye(3)); axes.scatter([1, 2], [3, 4])
buffer = io.BytesIO()
figure.savefig(buffer)
ok = len(buffer.getvalue()) > 1000
""",
    "pandas": """
import numpy as np, pandas as pd
frame = pd.DataFrame({"a": np.arange(4.0), "b": list("xyxy")})
ok = frame.groupby("b").a.sum().tolist() == [2.0, 4.0]
ok &= frame.a.mean() == 1.5 and torch.tensor(frame.a.values).sum().item() == 6
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbours_still_work(name: str, order: str) -> None:
    pytest.importorskip(name)
    quiet = "import warnings; warnings.simplefilter('ignore')\n"
    first = f"import {name}\n" if order == "before" else ""
    code = quiet + first + ALIAS + "import torch\n" + NEIGHBOURS[name]
    assert answer(code + "print(json.dumps(bool(ok)))") is True
