"""What the lines of a sequence may use. The text of this file is run in each of the two worlds."""

import torch

log = []


def attempted(function):
    """What a function returns, or its error as text."""
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def graph(tensor):
    """The whole graph above a tensor: names, edges and output numbers, each node once."""
    nodes = [tensor.grad_fn]
    places = {id(nodes[0]): 0}
    found = []
    for node in nodes:
        if node is None:
            continue
        edges = []
        for following, nr in node.next_functions:
            if following is not None and id(following) not in places:
                places[id(following)] = len(nodes)
                nodes.append(following)
            edges.append([None if following is None else places[id(following)], nr])
        found.append([type(node).__name__, node.name(), edges])
    return found


def gradient(tensor):
    """The numbers of `.grad`, which a view that may not be read refuses."""
    grad = tensor.grad
    return None if grad is None else [grad.tolist(), str(grad.dtype), grad.requires_grad]


def see(*tensors):
    """Notes what a user sees of the history of some tensors."""
    for tensor in tensors:
        leaf = attempted(lambda: tensor.is_leaf)
        log.append([leaf, attempted(lambda: graph(tensor)), attempted(lambda: tensor.output_nr)])
        if not isinstance(leaf, str):
            log.append([gradient(tensor), tensor.retains_grad])


def saved(tensor):
    """Notes what the node of a tensor saved."""
    node = tensor.grad_fn
    if not any(following for following, _ in getattr(node, "next_functions", ())):
        return
    for name in ("self", "other", "result", "exponent"):
        if name != "exponent" or type(node).__name__ == "PowBackward1":
            log.append([name, shown(getattr(node, f"_saved_{name}", None))])


def shown(value):
    """The numbers of a tensor or of tensors, other values as they are."""
    if isinstance(value, (tuple, list)):
        return [shown(one) for one in value]
    return value.tolist() if isinstance(value, torch.Tensor) else value


def note(label):
    """A hook that notes the gradient."""
    return lambda grad: log.append([label, shown(grad)])


def noted(label):
    """A hook of a node, which notes what it is given."""
    return lambda *grads: log.append([label, [shown(grad) for grad in grads]])


def reached(label):
    """A hook that notes the gradient of a leaf after it was added."""
    return lambda leaf: log.append([label, shown(leaf.grad)])


def give(outputs, inputs, **flags):
    """Notes gradients."""
    log.append(shown(torch.autograd.grad(outputs, inputs, **flags)))


def twice(output, inputs):
    """Notes gradients, and the gradients of their squares."""
    grads = torch.autograd.grad(output, inputs, create_graph=True, allow_unused=True)
    log.append([None if grad is None else grad.tolist() for grad in grads])
    total = sum((grad * grad.conj()).real.sum() for grad in grads if grad is not None)
    if torch.is_tensor(total) and total.requires_grad:
        give(total, inputs, allow_unused=True)


class Row(torch.autograd.Function):
    """A view of the first row, made inside a Function."""

    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x[:1]

    @staticmethod
    def backward(ctx, grad):
        whole = torch.zeros(ctx.shape, dtype=grad.dtype)
        whole[:1] = grad * 3
        return whole


class Same(torch.autograd.Function):
    """The input itself."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Pair(torch.autograd.Function):
    """Two outputs: a view, and a new tensor."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x), x.clone(memory_format=torch.contiguous_format) * 2

    @staticmethod
    def backward(ctx, first, second):
        return first + second * 2


class Doubled(torch.autograd.Function):
    """The input, written to."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Cubed(torch.autograd.Function):
    """A saved input and a saved output."""

    @staticmethod
    def forward(ctx, x):
        result = x**3
        ctx.save_for_backward(x, result)
        return result

    @staticmethod
    def backward(ctx, grad):
        x, result = ctx.saved_tensors
        return grad * (3 * x * x).conj() + 0 * result.sum()
