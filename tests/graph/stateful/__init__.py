"""Random sequences of views, writes, hooks and backward passes, in PyTorch and here in lockstep.

python -m tests.graph.stateful --sequences 20000 --seed 1
"""
