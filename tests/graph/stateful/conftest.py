"""The prelude of printed scripts says `import torch`; pytest, looking for doctests, must not."""

collect_ignore = ["prelude.py"]
