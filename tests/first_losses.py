"""Prints the first losses of every program in `examples/train`, as JSON; run under either library.

python -m seegrad run tests/first_losses.py 50
python tests/first_losses.py 50
"""

import importlib
import itertools
import json
import pathlib
import sys

PROGRAMS = ["characters", "convolution", "domain", "fit", "gan", "physics", "quantised", "series"]

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "examples" / "train"))
    count, found = int(sys.argv[1]), {}
    for name in PROGRAMS:
        program = importlib.import_module(name)
        losses = program.training(*program.start())
        found[name] = list(itertools.islice(losses, count))
    print(json.dumps(found))
