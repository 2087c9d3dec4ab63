"""The graph behind a loss: its nodes, what they saved, what flows through them, and two traps."""

import torch


def show(node, depth=0, seen=None):
    """A node and what it leads to; a node met again is only named."""
    seen = set() if seen is None else seen
    if node is None:
        print("  " * depth + "(no gradient)")
        return
    again = node in seen
    seen.add(node)
    leaf = f" of shape {tuple(node.variable.shape)}" if hasattr(node, "variable") else ""
    print("  " * depth + node.name() + leaf + (" (again)" if again else ""))
    if not again:
        for child, _ in node.next_functions:
            show(child, depth + 1, seen)


def main():
    torch.manual_seed(0)
    x = torch.randn(4, 3)
    weight = torch.randn(3, 2, requires_grad=True)
    bias = torch.zeros(2, requires_grad=True)

    hidden = torch.tanh(x @ weight + bias)
    loss = (hidden * hidden).mean()
    print("-- the graph, from the loss to the leaves")
    show(loss.grad_fn)

    print("-- what nodes keep for the way back")
    for node in (hidden.grad_fn, (x @ weight).grad_fn, (hidden * hidden).grad_fn):
        names = [name for name in dir(node) if name.startswith("_saved")]
        print(node.name(), names)
    print(
        "tanh keeps its result, not its input:", torch.equal(hidden.grad_fn._saved_result, hidden)
    )

    print("-- gradients on their way")
    hidden.register_hook(lambda grad: print("at hidden:", tuple(grad.shape), f"{grad.sum():.4f}"))
    weight.register_hook(lambda grad: print("at weight:", tuple(grad.shape), f"{grad.sum():.4f}"))
    loss.backward()

    print("-- trap one: the graph is gone after one backward pass")
    try:
        loss.backward()
    except RuntimeError as error:
        print(str(error).partition(".")[0])

    print("-- trap two: a saved value was changed")
    hidden = torch.tanh(x @ weight + bias)
    loss = hidden.sum()
    print("version before:", hidden._version)
    with torch.no_grad():
        hidden += 1
    print("version after:", hidden._version)
    try:
        loss.backward()
    except RuntimeError as error:
        print(str(error).partition(";")[0])


if __name__ == "__main__":
    main()
