"""The graph and the loop: tensors as data, nodes, versions, views, and the backward pass."""
