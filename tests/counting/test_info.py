"""What `info` says of a model: numbers that can be counted by hand."""

import json
import pathlib

import seegrad as torch
from seegrad.utils import info
from tests import fresh
from tests.test_cli import _script


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Conv2d(1, 8, 3)
        self.n = torch.nn.BatchNorm2d(8)
        self.b = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(288, 10))
        assert self.a.bias is not None
        self.a.bias.requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.b(self.n(self.a(x)).relu())
        return result


TABLE = """\
Module    Type         Output        Parameters   FLOPs
--------  -----------  ------------  ----------  ------
(model)   Net          (2, 10)            2,986  21,888
a         Conv2d       (2, 8, 6, 6)          80  10,368
n         BatchNorm2d  (2, 8, 6, 6)          16       0
b         Sequential   (2, 10)            2,890  11,520
b.0       Flatten      (2, 288)               0       0
b.1       Linear       (2, 10)            2,890  11,520

parameters  2,986 (11.9 KB), 8 of them frozen
buffers     72 B
forward     21,888 floating-point operations in products
"""  # 2 * 8 * 36 * 9 * 2 and 2 * 288 * 10 * 2


def test_numbers() -> None:
    net = Net()
    net.n.eval()
    before = torch.get_rng_state()
    found = info(net, torch.ones(2, 1, 8, 8))
    assert str(found).startswith(TABLE)
    assert torch.equal(torch.get_rng_state(), before)
    assert (net.training, net.n.training, net.n.num_batches_tracked.item()) == (True, False, 0)
    values = found.to_dict()
    assert json.loads(json.dumps(values)) == values
    assert (found.parameters, found.trainable, found.parameter_bytes) == (2986, 2978, 4 * 2986)


def test_memory_is_that_of_the_arrays() -> None:
    square = torch.nn.Sequential(torch.nn.Linear(1000, 1000), torch.nn.Tanh())
    found = info(square, torch.ones(500, 1000))
    held, peak = found.held, found.peak
    assert held is not None
    assert peak is not None
    assert 2_000_000 <= held <= 2_100_000  # what tanh gave, 500 * 1000 numbers of 4 bytes
    assert 4_000_000 <= peak <= 4_100_000  # and what it was given


def test_without_inputs() -> None:
    found = info(torch.nn.Linear(2, 3))
    assert (found.parameters, found.flops, found.rows[0].output) == (9, None, "")
    assert "FLOPs" not in str(found)


MADE = """
    import torch

    class Needs(torch.nn.Module):
        def __init__(self, n):
            super().__init__()

    def words():
        return torch.nn.Sequential(torch.nn.Embedding(100, 4), torch.nn.Linear(4, 2))

    number = 3
"""
WRONG = [
    (["{}:Needs"], "Needs needs n: write a function without arguments"),
    (["{}:word"], "did you mean words?"), (["{}:number"], "number is a int"),
    (["{}"], "names no model"), (["nowhere.py:Net"], "there is no file"),
    (["no.where:Net"], "there is no module 'no.where'"),
    (["{}:words", "--input", "3xa"], "'3xa' is no shape"),
    (["{}:words", "--input"], "needs a shape"),
    ([], "info needs one model"), (["{}:words", "--inputs"], "info has no option --inputs"),
]  # fmt: skip
# Several commands in one new process, because `torch` means seegrad there from then on.
CODE = """
import contextlib, io, json, sys
from seegrad.cli import main
answers = []
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["info", *arguments])
    answers.append([status, out.getvalue(), err.getvalue()])
print(json.dumps(answers))
"""


def test_command(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / _script(tmp_path, MADE, "made.py"))
    right = ["--json", f"{path}:words", "--input", "3x5:int64"]
    unfit = [f"{path}:words", "--input", "3x5"]
    asked = [right, unfit, *([each.format(path) for each in given] for given, _ in WRONG)]
    (shown, refused, *rest) = json.loads(fresh.run(CODE, json.dumps(asked)).stdout)
    assert shown[0] == 0
    found = json.loads(shown[1])
    assert [row["output"] for row in found["rows"]] == ["(3, 5, 2)", "(3, 5, 4)", "(3, 5, 2)"]
    assert found["flops"] == 2 * 15 * 4 * 2
    assert refused[:2] == [1, ""]
    assert refused[2].startswith("seegrad info: the model does not run on 3x5: ")
    for (status, printed, error), (_, said) in zip(rest, WRONG, strict=True):
        assert (status, printed) == (2, "")
        assert said in error
