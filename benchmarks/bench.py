"""Times seegrad beside PyTorch, and HIPS autograd and MyGrad where they are installed.

    make bench                                       everything
    make bench ARGS="--rows chain,small --quick"     some rows, roughly
    make bench ARGS="--readme"                       writes the table into both README files

One interleaved run: each round times every row on every library once, one after the other. Times
are medians over the rounds, and a ratio is the median of the rounds' own ratios: a processor that
changes its speed between rounds does not change it. The garbage collector is on with Python's own
thresholds. Ratios below 1 mean faster than PyTorch.
"""

import argparse
import gc
import importlib
import os
import pathlib
import platform
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any

ROOT = pathlib.Path(__file__).parent.parent
Step = Callable[[], Any]
LIBRARIES = {"seegrad": "seegrad", "torch": "PyTorch", "autograd": "HIPS autograd",
             "mygrad": "MyGrad"}  # fmt: skip


@dataclass
class Row:
    """A line of the table: what is done, the ratio it must keep, each library's measurements."""

    key: str
    english: str
    korean: str
    budget: float | None = None
    workload: str = ""
    unit: str = "s"
    values: dict[str, list[float]] = field(default_factory=dict)

    def note(self, library: str, value: float) -> None:
        """Keeps what a round measured."""
        self.values.setdefault(library, []).append(value)

    def typical(self, library: str) -> float | None:
        """The median of a library's rounds."""
        return median(self.values[library]) if library in self.values else None

    def ratio(self, library: str) -> float | None:
        """The median over the rounds of a library's time in units of PyTorch's."""
        if not {library, "torch"} <= self.values.keys():
            return None
        pairs = zip(self.values[library], self.values["torch"], strict=True)
        return median(own / reference for own, reference in pairs)


ROWS = [
    Row("chain", "100 multiplications on 10 elements, forward and backward",
        "원소 10개에 곱셈 100번, 순전파와 역전파", 0.60, "chain"),
    Row("function", "the same through a custom Function",
        "같은 것을 사용자 정의 Function으로", 0.40, "function"),
    Row("mixed", "about 100 mixed operators, fresh leaves, changing shapes",
        "여러 연산 약 100개, 매번 새 잎 텐서와 다른 모양", None, "mixed"),
    Row("small", "training step 2-32-32-1, 16 rows, descent by hand",
        "2-32-32-1 신경망 학습 한 단계, 16행, 직접 쓴 경사 하강", 0.60, "small_network"),
    Row("large", "training step 784-256-256-10, 64 rows, descent by hand",
        "784-256-256-10 신경망 학습 한 단계, 64행, 직접 쓴 경사 하강", 1.0, "large_network"),
    Row("small_adam", "training step 2-32-32-1 with nn and Adam",
        "2-32-32-1 신경망을 nn과 Adam으로 한 단계", None, "small_adam"),
    Row("large_adam", "training step 784-256-256-10 with nn and Adam",
        "784-256-256-10 신경망을 nn과 Adam으로 한 단계", None, "large_adam"),
    Row("adam_step", "the step of Adam alone on the 784-256-256-10 network",
        "784-256-256-10 신경망에서 Adam의 한 단계만", 1.0, "adam_step"),
    Row("convolutional", "training step of a small convolutional network, 16 images of 28 x 28",
        "작은 합성곱 신경망 학습 한 단계, 28 x 28 이미지 16장", None, "convolutional"),
    Row("attention", "attention, layer_norm and gelu of 8 x 64 places, forward and backward",
        "8 x 64 자리의 어텐션, layer_norm, gelu, 순전파와 역전파", None, "attention_block"),
    Row("double", "double backward, 20-d Rosenbrock function",
        "이중 역전파, 20차원 로젠브록 함수", 1.0, "double_backward"),
    Row("hessian", "Hessian of the 20-d Rosenbrock function, row by row",
        "20차원 로젠브록 함수의 헤세 행렬, 한 행씩", 1.0, "hessian"),
    Row("import", "importing the package", "패키지 임포트", 0.25),
    Row("memory", "peak memory, 1,000 operations on tensors of 1 MB",
        "최대 메모리, 1 MB 텐서에 연산 1,000번", None, "", "B"),
    Row("perceptron", "examples/digits.py, a perceptron; two threads",
        "examples/digits.py, 다층 퍼셉트론; 스레드 2개", unit="step"),
    Row("convolution", "examples/train/convolution.py; two threads",
        "examples/train/convolution.py; 스레드 2개", unit="step"),
    Row("characters",
        "examples/train/characters.py, a transformer of 2 layers, width 64; two threads",
        "examples/train/characters.py, 2층 폭 64의 트랜스포머; 스레드 2개", unit="step"),
    Row("first_bad", "the chain under explain.first_bad (PyTorch: in anomaly mode)",
        "explain.first_bad 아래의 곱셈 100번 (PyTorch는 anomaly mode)"),
    Row("watch", "the chain under explain.watch (PyTorch: in anomaly mode)",
        "explain.watch 아래의 곱셈 100번 (PyTorch는 anomaly mode)"),
    Row("watch_large", "the step of 784-256-256-10 under explain.watch (PyTorch: the same)",
        "explain.watch 아래의 784-256-256-10 학습 단계 (PyTorch는 anomaly mode)"),
    Row("picture_100", "from a loss of 100 nodes to its SVG (PyTorch: to DOT, by torchviz)",
        "노드 100개의 손실에서 SVG까지 (PyTorch는 torchviz로 DOT까지)"),
    Row("picture_1000", "the same of 1,000 nodes", "노드 1,000개의 같은 것"),
    Row("picture_5000", "the same of 5,000 nodes", "노드 5,000개의 같은 것"),
    Row("page_100", "from a loss of 100 nodes to its HTML page (PyTorch: to DOT)",
        "노드 100개의 손실에서 HTML 페이지까지 (PyTorch는 DOT까지)"),
    Row("page_1000", "the same of 1,000 nodes", "노드 1,000개의 같은 것"),
    Row("page_5000", "the same of 5,000 nodes", "노드 5,000개의 같은 것"),
    Row("nodes", "a graph of 1,000,000 nodes built, run and freed, per node",
        "노드 1,000,000개 그래프를 만들고 실행하고 해제, 노드당"),
]  # fmt: skip


def available() -> dict[str, Any]:
    """The libraries that are installed, by import name; PyTorch is needed for ratios."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = importlib.import_module(name)
        except ImportError:
            if name == "seegrad":
                raise
            print(f"({LIBRARIES[name]} is not installed)", file=sys.stderr)
    return found


def steps(rows: list[Row], libraries: dict[str, Any]) -> dict[tuple[str, str], Step]:
    """The prepared step of every row on every library that can run it."""
    import others
    import workloads

    prepared: dict[tuple[str, str], Step] = {}
    makers = {"autograd": others.hips, "mygrad": others.mygrad}
    foreign = {name: make() for name, make in makers.items() if name in libraries}
    for row in rows:
        if not row.workload:
            continue
        for name in ("seegrad", "torch"):
            if name in libraries:
                prepared[row.key, name] = getattr(workloads, row.workload)(libraries[name])
        for name, table in foreign.items():
            if row.key in table:
                prepared[row.key, name] = table[row.key]()
    return prepared


def repetitions(step: Step, seconds: float) -> int:
    """How often a step runs in about ``seconds``, after it has warmed up."""
    for _ in range(3):
        step()
    start = time.perf_counter()
    step()
    return max(1, int(seconds / (time.perf_counter() - start)))


def timed(step: Step, count: int) -> float:
    """Seconds of one step, over ``count`` of them."""
    start = time.perf_counter()
    for _ in range(count):
        step()
    return (time.perf_counter() - start) / count


def run_steps(rows: list[Row], libraries: dict[str, Any], rounds: int, seconds: float) -> None:
    """The interleaved run of everything that needs no process of its own."""
    prepared = steps(rows, libraries)
    by_key = {row.key: row for row in rows}
    counts = {which: repetitions(step, seconds) for which, step in prepared.items()}
    for turn in range(rounds):
        for which in sorted(prepared, reverse=bool(turn % 2)):
            by_key[which[0]].note(which[1], timed(prepared[which], counts[which]))
        print(f"\rround {turn + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def run_processes(rows: list[Row], libraries: dict[str, Any], quick: bool) -> dict[str, Any]:
    """The rows that need new interpreters; returns what is said about nodes beside the table."""
    from processes import PROGRAMS, measure

    wanted = {row.key: row for row in rows}
    both = [name for name in ("seegrad", "torch") if name in libraries]
    for _ in range(4 if quick else 12):
        for name in libraries if "import" in wanted else ():
            wanted["import"].note(name, measure("import", name)["seconds"])
    for _ in range(1 if quick else 2):
        for name in both if "memory" in wanted else ():
            wanted["memory"].note(name, measure("memory", name, 1000)["bytes"])
    for key in [key for key in wanted if key.startswith(("picture_", "page_"))]:
        run_pictures(wanted[key], both, 1 if quick else 5)
    for key in [key for key in PROGRAMS if key in wanted]:
        for _ in range(1 if quick else 5):
            for name in both:
                wanted[key].note(name, measure(key, name, 45 if quick else 225)["seconds"])
    slowing = [key for key in ("first_bad", "watch", "watch_large") if key in wanted]
    facts = {"slower": {wanted[key].english: slowed(wanted[key], both, quick) for key in slowing}}
    return facts | nodes(wanted["nodes"], both, quick) if "nodes" in wanted else facts


def run_pictures(row: Row, libraries: list[str], rounds: int) -> None:
    """Times pictures, which take too long for the interleaved run."""
    import warnings

    import workloads

    made = {name: importlib.import_module(name) for name in libraries}
    kind, count = row.key.split("_")
    prepare = getattr(workloads, kind)
    prepared = {name: prepare(library, int(count)) for name, library in made.items()}
    for _ in range(rounds):
        for name, step in prepared.items():
            with warnings.catch_warnings(action="ignore"):  # torchviz compares versions by hand
                row.note(name, timed(step, 1))


def slowed(row: Row, libraries: list[str], quick: bool) -> dict[str, float]:
    """How many times as long a workload takes under a tool."""
    from processes import measure

    factors: dict[str, list[float]] = {name: [] for name in libraries}
    for _ in range(1 if quick else 3):
        for name in libraries:
            found = measure(row.key, name)
            row.note(name, found["seconds"])
            factors[name].append(found["seconds"] / found["plain"])
    return {name: median(found) for name, found in factors.items()}


def nodes(row: Row, libraries: list[str], quick: bool) -> dict[str, Any]:
    """Time and memory a node of a large graph against a small one."""
    from processes import measure

    small, large = 10_000, 100_000 if quick else 1_000_000
    row.english = row.english.replace("1,000,000", f"{large:,}")
    growth: dict[str, list[float]] = {name: [] for name in libraries}
    size: dict[str, list[float]] = {name: [] for name in libraries}
    for _ in range(2 if quick else 4):
        for name in libraries:
            seconds = measure("nodes", name, small)["seconds"]
            result = measure("nodes", name, large)
            row.note(name, result["seconds"])
            growth[name].append(result["seconds"] / seconds)
            size[name].append(result["bytes"])
    return {"large": large, "growth": {name: median(growth[name]) for name in libraries},
            "bytes": {name: median(size[name]) for name in libraries}}  # fmt: skip


def amount(value: float | None, unit: str) -> str:
    """A number with the unit that suits its size."""
    if value is None:
        return ""
    if unit == "B":
        return f"{value / 1e6:,.0f} MB"
    if unit == "step":
        return f"{1 / value:,.0f} steps/s"
    for factor, name in ((1, "s"), (1e3, "ms")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {name}"
    return f"{value * 1e6:.3g} µs"


def cells(row: Row) -> list[str]:
    """The numbers of a row, as text."""
    ratios = [row.ratio(name) for name in ("seegrad", "autograd", "mygrad")]
    texts = ["" if ratio is None else f"{ratio:.2f}" for ratio in ratios]
    budget = "" if row.budget is None else f"{row.budget:.2f}"
    times = [amount(row.typical(name), row.unit) for name in ("seegrad", "torch")]
    return [*times, texts[0], budget, *texts[1:]]


HEADS = {
    "english": ["", "seegrad", "PyTorch", "ratio", "budget", "HIPS autograd", "MyGrad"],
    "korean": ["", "seegrad", "PyTorch", "비율", "목표", "HIPS autograd", "MyGrad"],
}


def plain(rows: list[Row]) -> str:
    """The table for a terminal."""
    lines = [HEADS["english"], *([row.english, *cells(row)] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(map(str.rjust, line[1:], widths[1:]))]).rstrip()
        for line in lines
    )


def markdown(rows: list[Row], language: str) -> str:
    """The table for a README."""
    head = HEADS[language]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    lines += [[getattr(row, language), *cells(row)] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def fact_lines(facts: dict[str, Any]) -> list[str]:
    """What is said below the table."""
    lines = [
        f"{what.partition(' (')[0]}: {factors['seegrad']:.2f} times as long as without"
        for what, factors in facts["slower"].items()
    ]
    return lines + [
        f"{LIBRARIES[name]}: a node of {facts['large']:,} takes {facts['growth'][name]:.2f} times "
        f"as long as one of 10,000, and {facts['bytes'][name]:,.0f} bytes"
        for name in facts.get("growth", {})
    ]


def setting(libraries: dict[str, Any], threads: int) -> str:
    """Machine and versions in a line."""
    versions = [f"{LIBRARIES[name]} {installed(name)}" for name in libraries]
    import numpy

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, {', '.join(versions)}; "
        f"{threads} thread{'s' * (threads > 1)}, {cores} cores, {processor()}"
    )


def installed(name: str) -> str:
    """The version of an installed package; seegrad may be run from its sources."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "from source"


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"model name\s*:\s*(.+)", text)
    return found[1].strip() if found else platform.machine()


def write_readme(path: pathlib.Path, rows: list[Row], language: str, below: list[str]) -> None:
    """Puts the table between the two marks of a README."""
    text = path.read_text(encoding="utf-8")
    table = markdown(rows, language) + "".join(f"\n\n{line}." for line in below)
    begin, end = "<!-- bench -->", "<!-- /bench -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    path.write_text(pattern.sub(lambda _: f"{begin}\n{table}\n{end}", text), encoding="utf-8")


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", help="comma-separated: " + ",".join(row.key for row in ROWS))
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--rounds", type=int, help="how often each row is timed")
    parser.add_argument("--threads", type=int, default=1, help="of BLAS and of PyTorch")
    parser.add_argument("--readme", action="store_true", help="write the table into the READMEs")
    return parser.parse_args()


def chosen(names: str | None) -> list[Row]:
    """The rows asked for, or all."""
    wanted = names.split(",") if names else [row.key for row in ROWS]
    unknown = set(wanted) - {row.key for row in ROWS}
    if unknown:
        raise SystemExit(f"no row {', '.join(sorted(unknown))}; see --help")
    return [row for row in ROWS if row.key in wanted]


def main() -> None:
    """Measures and prints."""
    options = arguments()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = str(options.threads)
    rows, libraries = chosen(options.rows), available()
    if "torch" in libraries:
        libraries["torch"].set_num_threads(options.threads)
    assert gc.isenabled()
    rounds = options.rounds or (8 if options.quick else 40)
    run_steps(rows, libraries, rounds, 0.005 if options.quick else 0.02)
    facts = run_processes(rows, libraries, options.quick)
    below = [*fact_lines(facts), setting(libraries, options.threads)]
    print(plain(rows), *below, sep="\n")
    if options.readme:
        write_readme(ROOT / "README.md", rows, "english", below)
        write_readme(ROOT / "README.ko.md", rows, "korean", below)


if __name__ == "__main__":
    main()
