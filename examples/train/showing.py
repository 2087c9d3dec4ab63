"""What the training programs share: a progress bar, and pictures made of characters."""

import math
import time

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

BLOCKS = "▁▂▃▄▅▆▇█"
SHADES = " .:-=+*#%@"


def followed(losses, count, unit="steps"):
    """Takes ``count`` losses from a training in progress, behind a bar; returns them."""
    columns = [
        TextColumn("training"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TextColumn(unit + "  loss {task.fields[loss]:.4f}"),
        TimeElapsedColumn(),
    ]
    found = []
    with Progress(*columns) as progress:
        task = progress.add_task("training", total=count, loss=float("nan"))
        for _ in range(count):
            found.append(next(losses))
            progress.update(task, advance=1, loss=found[-1])
    return found


def trained(losses, count, unit="steps"):
    """Runs a training to its end and says how the loss went and how long it took."""
    start = time.perf_counter()
    found = followed(losses, count, unit)
    seconds = time.perf_counter() - start
    print(f"\nloss      {curve(found)}  {found[0]:.3f} -> {found[-1]:.4f}")
    print(f"time      {seconds:.1f} s, {count / seconds:.0f} {unit} a second")
    return found


def curve(values, width=40):
    """Values as one line of blocks; on a logarithmic scale where all are positive."""
    size = max(1, len(values) // width)
    means = [
        sum(values[i : i + size]) / size for i in range(0, size * (len(values) // size), size)
    ]
    if min(means) > 0:
        means = [math.log(mean) for mean in means]
    low, high = min(means), max(means)
    return "".join(BLOCKS[round(7 * (mean - low) / (high - low or 1))] for mean in means)


def plot(series, height=12, width=72):
    """Draws lines over the same places: ``{"mark": values}``, one character a line."""
    low = min(min(values) for values in series.values())
    high = max(max(values) for values in series.values())
    canvas = [[" "] * width for _ in range(height)]
    for mark, values in series.items():
        for column in range(width):
            value = values[column * (len(values) - 1) // (width - 1)]
            row = round((height - 1) * (high - value) / (high - low or 1))
            canvas[row][column] = mark
    edges = {0: f"{high:8.2f}", height - 1: f"{low:8.2f}"}
    for row, cells in enumerate(canvas):
        print(edges.get(row, " " * 8) + " │" + "".join(cells).rstrip())


def pixels(image, low=0.0, high=1.0):
    """A grey picture, rows of numbers, as lines of text; a pixel is two characters wide."""
    scale = (len(SHADES) - 1) / (high - low)
    shade = [[min(max(int((value - low) * scale), 0), len(SHADES) - 1) for value in row]
             for row in image]  # fmt: skip
    return ["".join(SHADES[value] * 2 for value in row) for row in shade]


def beside(pictures, captions):
    """Prints pictures of text next to each other, each with a caption below."""
    for lines in zip(*pictures, strict=True):
        print("  " + "   ".join(lines))
    print("  " + "   ".join(text.center(len(pictures[0][0])) for text in captions))
