"""Times single operators beside PyTorch: the list of what is slow.

    make bench-ops                                   everything
    make bench-ops ARGS="--rows conv2d,sort"         some rows
    make bench-ops ARGS="--page"                     writes the table into docs/operators.md

One interleaved run; the best round counts. Forward passes record, as in training; the backward
pass is that of one operator, with gradients of ones. Ratios below 1 mean faster than PyTorch.
"""

import argparse
import os
import pathlib
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from bench import Step, amount, available, repetitions, setting, timed

PAGE = pathlib.Path(__file__).parent.parent / "docs" / "operators.md"
# A function, the tensors among its arguments that need a gradient, and the arguments after them.
Case = tuple[Callable[..., Any], list[Any], list[Any]]


def case(
    torch: Any, function: Callable[..., Any], *shapes: tuple[int, ...], rest: Any = ()
) -> Case:
    """A function of random tensors."""
    torch.manual_seed(0)
    return function, [torch.randn(*shape).requires_grad_() for shape in shapes], list(rest)


def matmul(torch: Any) -> Case:
    """512 x 512 by 512 x 512"""
    return case(torch, torch.matmul, (512, 512), (512, 512))


def bmm(torch: Any) -> Case:
    """64 of 64 x 64"""
    return case(torch, torch.bmm, (64, 64, 64), (64, 64, 64))


def conv2d(torch: Any) -> Case:
    """16 x 32 x 28 x 28, 64 kernels of 3 x 3"""
    function = partial(torch.nn.functional.conv2d, padding=1)
    return case(torch, function, (16, 32, 28, 28), (64, 32, 3, 3))


def max_pool2d(torch: Any) -> Case:
    """16 x 64 x 28 x 28, 2 x 2"""
    return case(torch, torch.nn.functional.max_pool2d, (16, 64, 28, 28), rest=[2])


def softmax(torch: Any) -> Case:
    """1024 x 1024, along rows"""
    return case(torch, torch.softmax, (1024, 1024), rest=[-1])


def layer_norm(torch: Any) -> Case:
    """1024 x 512"""

    def function(x: Any, scale: Any, shift: Any) -> Any:
        return torch.nn.functional.layer_norm(x, (512,), scale, shift)

    return case(torch, function, (1024, 512), (512,), (512,))


def batch_norm(torch: Any) -> Case:
    """16 x 64 x 28 x 28, in training"""

    def function(x: Any, scale: Any, shift: Any) -> Any:
        return torch.nn.functional.batch_norm(x, None, None, scale, shift, True)

    return case(torch, function, (16, 64, 28, 28), (64,), (64,))


def gelu(torch: Any) -> Case:
    """1024 x 1024"""
    return case(torch, torch.nn.functional.gelu, (1024, 1024))


def cross_entropy(torch: Any) -> Case:
    """1024 x 1000 classes"""
    target = torch.arange(1024) % 1000
    return case(torch, torch.nn.functional.cross_entropy, (1024, 1000), rest=[target])


def ctc_loss(torch: Any) -> Case:
    """100 steps of 16 words, 20 letters of 32"""
    target = torch.arange(320).reshape(16, 20) % 31 + 1
    lengths = torch.full((16,), 100), torch.full((16,), 20)
    return case(torch, torch.nn.functional.ctc_loss, (100, 16, 32), rest=[target, *lengths])


def attention(torch: Any) -> Case:
    """8 x 4 heads x 128 x 64"""
    function = torch.nn.functional.scaled_dot_product_attention
    return case(torch, function, *[(8, 4, 128, 64)] * 3)


def embedding(torch: Any) -> Case:
    """4096 of 10000 x 128"""
    index = torch.arange(4096) * 37 % 10000
    return case(torch, lambda w: torch.nn.functional.embedding(index, w), (10000, 128))


def index_add(torch: Any) -> Case:
    """4096 rows of 128 into 1000"""
    index = torch.arange(4096) * 37 % 1000
    return case(torch, lambda x, rows: x.index_add(0, index, rows), (1000, 128), (4096, 128))


def grid_sample(torch: Any) -> Case:
    """4 x 16 x 64 x 64, bilinear"""
    function = partial(torch.nn.functional.grid_sample, align_corners=False)
    return case(torch, function, (4, 16, 64, 64), (4, 64, 64, 2))


def interpolate(torch: Any) -> Case:
    """4 x 16 x 64 x 64 twice as large, bilinear"""
    function = partial(torch.nn.functional.interpolate, scale_factor=2, mode="bilinear")
    return case(torch, function, (4, 16, 64, 64))


def sort(torch: Any) -> Case:
    """256 x 4096, along rows"""
    return case(torch, lambda x: torch.sort(x, -1)[0], (256, 4096))


def cumsum(torch: Any) -> Case:
    """1024 x 1024, along rows"""
    return case(torch, torch.cumsum, (1024, 1024), rest=[-1])


def total(torch: Any) -> Case:
    """1024 x 1024"""
    return case(torch, torch.sum, (1024, 1024))


def total_0(torch: Any) -> Case:
    """1024 x 1024, over the first axis"""
    return case(torch, torch.sum, (1024, 1024), rest=[0])


def total_1(torch: Any) -> Case:
    """1024 x 1024, over the second axis"""
    return case(torch, torch.sum, (1024, 1024), rest=[1])


def svd(torch: Any) -> Case:
    """128 x 128, gradients of the values"""
    return case(torch, lambda x: torch.linalg.svd(x)[1], (128, 128))


CASES: dict[str, Callable[[Any], Case]] = {
    "matmul": matmul,
    "bmm": bmm,
    "conv2d": conv2d,
    "max_pool2d": max_pool2d,
    "softmax": softmax,
    "layer_norm": layer_norm,
    "batch_norm": batch_norm,
    "gelu": gelu,
    "cross_entropy": cross_entropy,
    "ctc_loss": ctc_loss,
    "attention": attention,
    "embedding": embedding,
    "index_add": index_add,
    "grid_sample": grid_sample,
    "interpolate": interpolate,
    "sort": sort,
    "cumsum": cumsum,
    "sum": total,
    "sum(0)": total_0,
    "sum(1)": total_1,
    "svd": svd,
}


def prepared(name: str, torch: Any) -> tuple[Step, Step]:
    """The forward and the backward pass of an operator."""
    function, tensors, rest = CASES[name](torch)
    result = function(*tensors, *rest)
    grad = torch.ones_like(result)

    def backward() -> None:
        torch.autograd.grad(result, tensors, grad, retain_graph=True)

    return lambda: function(*tensors, *rest), backward


def measured(name: str, libraries: dict[str, Any], rounds: int) -> list[float]:
    """Seconds: forward here and there, backward here and there."""
    passes = [prepared(name, libraries[one]) for one in ("seegrad", "torch")]
    steps = [step for pair in zip(*passes, strict=True) for step in pair]
    counts = [repetitions(step, 0.02) for step in steps]
    best = [float("inf")] * 4
    for _ in range(rounds):
        times = [timed(step, count) for step, count in zip(steps, counts, strict=True)]
        best = [min(pair) for pair in zip(best, times, strict=True)]
    return best


def table(names: Iterable[str], libraries: dict[str, Any], rounds: int) -> list[str]:
    """The rows, in the notation of the page."""
    head = "| operator | size | forward | PyTorch | ratio | backward | PyTorch | ratio |"
    lines = [head, "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in names:
        cells = [name, str(CASES[name].__doc__)]
        best = measured(name, libraries, rounds)
        for mine, theirs in (best[:2], best[2:]):
            cells += [amount(mine, "s"), amount(theirs, "s"), f"{mine / theirs:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", help=f"comma-separated: {','.join(CASES)}")
    parser.add_argument("--rounds", type=int, default=15, help="how often each row is timed")
    parser.add_argument("--threads", type=int, default=2, help="of BLAS and of PyTorch")
    parser.add_argument("--page", action="store_true", help="write the table into the page")
    options = parser.parse_args()
    names = options.rows.split(",") if options.rows else list(CASES)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = str(options.threads)
    libraries = {name: one for name, one in available().items() if name in ("seegrad", "torch")}
    libraries["torch"].set_num_threads(options.threads)
    lines = [
        *table(names, libraries, options.rounds),
        "",
        setting(libraries, options.threads) + ".",
    ]
    print("\n".join(lines))
    if options.page:
        begin, end = "<!-- bench-ops -->", "<!-- /bench-ops -->"
        pattern = re.compile(f"{begin}.*?{end}", re.DOTALL)
        text = "\n".join([begin, *lines, end])
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(pattern.sub(lambda _: text, page), encoding="utf-8")


if __name__ == "__main__":
    main()
