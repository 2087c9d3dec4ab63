"""What a card of the deck may do: one function for each, in the order of the printed table."""

from collections.abc import Callable
from typing import Any

from tests.graph.stateful.machine import NAME
from tests.graph.stateful.sequence import (
    Fits,
    Sequence,
    is_number,
    is_real,
    is_separate,
    is_tame,
    places,
)

Action = Callable[[Sequence], None]
ACTIONS: dict[str, Action] = {}
NO_GRAD = "with torch.no_grad(): "


def action(name: str) -> Callable[[Action], Action]:
    """Registers a card."""

    def register(function: Action) -> Action:
        ACTIONS[name] = function
        return function

    return register


def has_dims(tensor: Any) -> bool:
    """Whether there is a dimension."""
    return bool(tensor.dim())


def has_rows(tensor: Any) -> bool:
    """Whether there is a first row."""
    return bool(tensor.dim() and tensor.shape[0])


def seen_in_other_dtype(p: Sequence) -> list[int]:
    """The tensors of which there is a view that is complex where they are real, or real."""
    pairs = [(p.look(n)._base, p.look(n)) for n in p.names]
    return [id(base) for base, view in pairs if base is not None and base.dtype is not view.dtype]


# New tensors


@action("new leaf")
def new_leaf(p: Sequence) -> None:
    """A tensor of one kind or another."""
    kind = p.some("float64", "float64", "float64", "float32", "float16", "complex128", "int64")
    shapes = [(4,), (2, 3), (3, 2), (2, 2, 2), (1, 3), (6,), (2, 1, 3), (2, 2), (), (0, 2)]
    p.leaf(p.random.choice(shapes), kind)


@action("compute")
def compute(p: Sequence) -> None:
    """A new tensor from one or two."""
    name = p.need(lambda t: is_number(t) and is_tame(t) and 0 not in t.stride())
    # Of two layouts the result's is a choice of each library; so is that of shared elements.
    if not is_separate(p.look(name)):
        p.make(f"{name}.clone(memory_format=torch.contiguous_format)")
        return
    other = p.other(name) if p.look(name).is_contiguous() else "1.2"
    p.make(
        p.some(f"{name} * {other}", f"{name} + {other}", f"{name} - {other}", f"{name}.sin()",
               f"{name}.exp()", f"{name} * 1", f"{name}.clone()", f"{name}.sigmoid()",
               f"{name} * {name}", f"{name}.sum()", f"{name}.square()", f"{name} ** 3",
               f"Cubed.apply({name})", f"{name}.tanh()"),
        p.some("", "", "", "", "", "", "", NO_GRAD),
    )  # fmt: skip


# Views


def dims(p: Sequence, name: str) -> int:
    """A dimension."""
    return p.random.randrange(p.look(name).dim())


def maybe_unrecorded(p: Sequence) -> str:
    """A mode for a view, most often none."""
    return p.some(*[""] * 9, NO_GRAD)


def view(p: Sequence, expression: str) -> None:
    """A new view."""
    p.make(expression, maybe_unrecorded(p))


@action("select")
def select(p: Sequence) -> None:
    """One row, column ..."""
    name = p.need(lambda t: has_dims(t) and 0 not in t.shape, (2, 3))
    dim = dims(p, name)
    index = p.random.randrange(-p.look(name).shape[dim], p.look(name).shape[dim])
    rows = p.random.randrange(p.look(name).shape[0])
    view(p, p.some(f"{name}.select({dim}, {index})", f"{name}[{rows}]", f"{name}[..., -1]"))


@action("slice, narrow")
def sliced(p: Sequence) -> None:
    """Some rows, columns ..."""
    name = p.need(has_dims, (2, 3))
    dim = dims(p, name)
    start, stop = sorted(p.random.randrange(p.look(name).shape[dim] + 1) for _ in range(2))
    if p.chance(0.4):
        view(p, f"{name}.narrow({dim}, {start}, {stop - start})")
        return
    item = p.some(f"{start}:{stop}", f"{start}:", f":{stop}", ":", "::2", "1:", f"{start}::2")
    view(p, f"{name}[{':, ' * dim}{item}]")


@action("transpose, T")
def transpose(p: Sequence) -> None:
    """Two dimensions exchanged."""
    if p.chance(0.4):
        name = p.need(lambda t: t.dim() <= 2, (2, 3))
        view(p, p.some(f"{name}.t()", f"{name}.T"))
        return
    name = p.need(lambda t: t.dim() > 1, (2, 3))
    one, other = p.random.sample(range(p.look(name).dim()), 2)
    view(p, p.some(f"{name}.transpose({one}, {other})", f"{name}.mT", f"{name}.swapaxes(0, -1)"))


@action("permute")
def permute(p: Sequence) -> None:
    """Dimensions in another order."""
    name = p.need(lambda t: t.dim() > 1, (2, 1, 3))
    order = p.random.sample(range(p.look(name).dim()), p.look(name).dim())
    one, other = dims(p, name), dims(p, name)
    view(p, p.some(f"{name}.permute({tuple(order)})", f"{name}.movedim({one}, {other})"))


@action("view")
def viewed(p: Sequence) -> None:
    """Another shape."""
    name = p.need()
    count = p.look(name).numel()
    shapes = [(count,), (1, count), (count, 1)] + ([(-1,)] if count else [])
    shapes += [(n, count // n) for n in (2, 3) if count and count % n == 0]
    shape = p.random.choice(shapes)
    view(p, p.some(f"{name}.view({shape})", f"{name}.reshape({shape})", f"{name}.flatten()",
                   f"{name}.view_as({name})", f"{name}.ravel()"))  # fmt: skip


@action("expand")
def expand(p: Sequence) -> None:
    """The same numbers several times."""
    name = p.need(lambda t: t.numel() <= 6, (1, 3))
    wide = tuple(p.random.choice([1, 2]) if n == 1 else n for n in p.look(name).shape)
    view(p, p.some(f"{name}.expand({(p.random.choice([1, 2]), *wide)})",
                   f"{name}.expand_as({name})", f"{name}.broadcast_to({(2, *wide)})"))  # fmt: skip


@action("unsqueeze, squeeze")
def unsqueeze(p: Sequence) -> None:
    """A dimension more or less."""
    if p.chance(0.5):
        name = p.need(lambda t: 1 in t.shape, (2, 1, 3))
        several = f"{name}.squeeze((0, {dims(p, name)}))" if p.look(name).dim() > 1 else "t0[None]"
        view(p, p.some(f"{name}.squeeze()", f"{name}.squeeze({dims(p, name)})", several))
        return
    name = p.need(lambda t: t.dim() < 4)
    dim = p.random.randrange(-p.look(name).dim() - 1, p.look(name).dim() + 1)
    view(p, p.some(f"{name}.unsqueeze({dim})", f"{name}[None]", f"{name}[..., None]"))


@action("diagonal")
def diagonal(p: Sequence) -> None:
    """A diagonal."""
    name = p.need(lambda t: t.dim() > 1, (2, 3))
    one, other = p.random.sample(range(p.look(name).dim()), 2)
    view(p, f"{name}.diagonal({p.random.choice([-1, 0, 0, 1])}, {one}, {other})")


@action("as_strided")
def as_strided(p: Sequence) -> None:
    """Any elements of the memory.

    Of memory without gaps: PyTorch's gradients of what lies in gaps are memory nobody wrote to.
    """
    name = p.need(lambda t: t.numel() and memory(t) is not None)
    begin, end = memory(p.look(name)) or (0, 0)
    own = p.look(name).storage_offset()
    start = p.random.choice([own, own, p.random.randrange(begin, end)])
    room, size, stride = end - start - 1, [], []
    for _ in range(p.random.choice([1, 1, 2])):
        step = p.random.choice([1, 1, 2, 3])
        count = p.random.randrange(1, room // step + 2)
        room -= (count - 1) * step
        size.append(count)
        stride.append(step)
    where = f", {start}" if start != own or p.chance(0.5) else ""
    view(p, f"{name}.as_strided({tuple(size)}, {tuple(stride)}{where})")


def memory(tensor: Any) -> tuple[int, int] | None:
    """Where the memory of a tensor's base begins and ends, None where it has gaps."""
    base = tensor if tensor._base is None else tensor._base
    found = places(base).ravel() + base.storage_offset()
    if (
        base.dtype is not tensor.dtype
        or not found.size
        or len({*found}) != found.max() - found.min() + 1
    ):
        return None
    return int(found.min()), int(found.max()) + 1


@action("unfold")
def unfold(p: Sequence) -> None:
    """Windows."""
    name = p.need(lambda t: has_dims(t) and 0 not in t.shape, (6,))
    dim = dims(p, name)
    length = p.random.randrange(1, p.look(name).shape[dim] + 1)
    step = p.random.choice([1, length, 2])
    view(p, f"{name}.unfold({dim}, {length}, {step})")


@action("view_as_real")
def view_as_real(p: Sequence) -> None:
    """Complex numbers as pairs."""
    name = p.need(lambda t: t.dtype.is_complex, (2, 2), "complex128")
    view(p, p.some(f"torch.view_as_real({name})", f"{name}.real", f"{name}.imag"))


@action("view_as_complex")
def view_as_complex(p: Sequence) -> None:
    """Pairs as complex numbers; NumPy's strides of no elements are not PyTorch's."""

    def fits(tensor: Any) -> bool:
        return bool(
            tensor.dtype is p.scopes[0]["torch"].float64
            and tensor.dim()
            and tensor.shape[-1] == 2
            and tensor.stride(-1) == 1
            and tensor.numel()
        )

    view(p, f"torch.view_as_complex({p.need(fits, (2, 2))})")


def several(p: Sequence, calls: Callable[[str, int], list[str]]) -> None:
    """Several views of one tensor, of which one is kept."""
    name = p.need(lambda t: t.dim() and 0 not in t.shape, (2, 3))
    call = p.random.choice(calls(name, dims(p, name)))
    if p.run(f"{maybe_unrecorded(p)}many = {name}.{call}"):
        p.make(f"many[{p.some('0', '-1')}]")


@action("split, chunk")
def split(p: Sequence) -> None:
    """Parts of a size, or a number of parts."""

    def calls(name: str, dim: int) -> list[str]:
        size = p.look(name).shape[dim]
        return [f"chunk(2, {dim})", f"chunk(1, {dim})", f"split(1, {dim})",
                f"split([{size}], {dim})", f"tensor_split(2, {dim})",
                f"split_with_sizes([{size}], {dim})"]  # fmt: skip

    several(p, calls)


@action("unbind")
def unbind(p: Sequence) -> None:
    """All rows, columns ..."""
    several(p, lambda _, dim: [f"unbind({dim})", "unbind()"])


@action("alias")
def alias(p: Sequence) -> None:
    """The same elements."""
    name = p.need()
    view(p, p.some(f"{name}[...]", f"torch.ops.aten.alias({name})" if False else f"{name}[...]"))


@action("detach")
def detach(p: Sequence) -> None:
    """The same memory without history."""
    p.make(f"{p.need()}.detach()")


@action(".data")
def data(p: Sequence) -> None:
    """The same memory without history, and a counter of its own."""
    p.make(f"{p.need()}.data")


@action("Function: view")
def function_view(p: Sequence) -> None:
    """A view made inside a custom Function."""
    name = p.need(lambda t: has_rows(t) and is_number(t), (2, 3))
    call = p.some(f"Row.apply({name})", f"Same.apply({name})", f"Pair.apply({name})[0]",
                  f"Pair.apply({name})[1]")  # fmt: skip
    p.make(call)


# Writes


def writable(tensor: Any) -> bool:
    """Whether it may be written to in a way that means something."""
    return is_number(tensor) and is_separate(tensor)


def target(p: Sequence, fits: Fits = lambda _: True, shape: Any = None) -> str:
    """A tensor to write to, most often not a leaf that refuses."""
    leaves = p.chance(0.2)

    def may(tensor: Any) -> bool:
        base = tensor if tensor._base is None else tensor._base
        return writable(tensor) and fits(tensor) and (leaves or not refuses(base))

    return p.need(may, shape)


def refuses(base: Any) -> bool:
    """Whether a tensor that is no view is a leaf that requires a gradient."""
    return bool(base.requires_grad and base.is_leaf)


def write(p: Sequence, line: str) -> None:
    """A line that writes, sometimes without recording."""
    p.run(p.some(*[""] * 9, NO_GRAD) + line)


def rows_value(p: Sequence, name: str) -> str:
    """A number, or a tensor that fits a row."""
    shape = p.look(name).shape[1:]
    kind = p.look(name).dtype
    fitting = [n for n in p.names if p.look(n).shape == shape and p.look(n).dtype is kind]
    return f"{p.random.choice(fitting)}.clone()" if fitting and p.chance(0.6) else p.number()


@action("x[i] = y")
def assign(p: Sequence) -> None:
    """Assignment to rows, columns, slices."""
    name = target(p, lambda t: has_dims(t) and 0 not in t.shape, (2, 3))
    row = p.random.randrange(p.look(name).shape[0])
    value = rows_value(p, name)
    write(p, p.some(f"{name}[{row}] = {value}", f"{name}[{row}:] = {value}", f"{name}[...] = 0.4",
                    f"{name}[..., 0] = 0.6", f"{name}[...] = {p.other(name)}",
                    f"{name}[:] = {value}"))  # fmt: skip


@action("x[mask] = y")
def assign_masked(p: Sequence) -> None:
    """Assignment where a mask says so."""
    name = target(p, is_real)
    write(p, p.some(f"{name}[{name} > 0.9] = 0.25", f"{name}[{name} > 0.8] *= 2",
                    f"{name}[{name} < 0.7] = {name}.detach().sum()"))  # fmt: skip


@action("x[indices] = y")
def assign_advanced(p: Sequence) -> None:
    """Assignment to places by number."""
    name = target(p, lambda t: has_rows(t) and 0 not in t.shape, (3, 2))
    row = p.random.randrange(p.look(name).shape[0])
    value = rows_value(p, name)
    write(p, p.some(f"{name}[torch.tensor([{row}])] = {value}", f"{name}[[{row}], ...] = 0.35",
                    f"{name}[torch.tensor({sorted({0, row})})] += 0.5",
                    f"{name}[..., [0]] = 0.3"))  # fmt: skip


@action("copy_")
def copy(p: Sequence) -> None:
    """All numbers replaced."""
    name = target(p)
    other = p.other(name)
    write(p, f"{name}.copy_({other if other[0] == 't' else f'torch.tensor({other})'})")


@action("index_put_")
def index_put(p: Sequence) -> None:
    """Places by number, written or added to."""
    name = target(p, lambda t: has_rows(t) and 0 not in t.shape, (3, 2))
    row = p.random.randrange(p.look(name).shape[0])
    value = rows_value(p, name)
    value = value if value[0] == "t" else f"torch.tensor({value}, dtype={name}.dtype)"
    rows = f"torch.tensor([{row}])"
    copy = f"{name}[:1].clone()"
    write(p, p.some(f"{name}.index_put_(({rows},), {value})",
                    f"{name}.index_put_(({rows},), {value}, accumulate=True)",
                    f"{name}.index_add_(0, {rows}, {copy})",
                    f"{name}.index_copy_(0, {rows}, {copy})",
                    f"{name}.index_fill_(0, {rows}, 0.9)"))  # fmt: skip


@action("masked_fill_")
def masked_fill(p: Sequence) -> None:
    """A number where a mask says so."""
    name = target(p, is_real)
    mask = f"{name}.detach() > {p.number()}"
    write(p, p.some(f"{name}.masked_fill_({mask}, 0.5)",
                    f"{name}.masked_fill_({mask}, {name}.detach().sum())",
                    f"{name}.masked_scatter_({mask}, {name}.detach().clone())"))  # fmt: skip


@action("scatter_")
def scatter(p: Sequence) -> None:
    """Places by number along a dimension."""
    name = target(p, lambda t: has_dims(t) and 0 not in t.shape, (3, 2))
    dim = dims(p, name)
    ones = f"torch.zeros({tuple(p.look(name).shape)}, dtype=torch.long).narrow({dim}, 0, 1)"
    part = f"{name}.narrow({dim}, 0, 1).clone()"
    write(p, p.some(f"{name}.scatter_({dim}, {ones}, 0.7)",
                    f"{name}.scatter_({dim}, {ones}, {part})",
                    f"{name}.scatter_add_({dim}, {ones}, {part})"))  # fmt: skip


@action("fill_diagonal_")
def fill_diagonal(p: Sequence) -> None:
    """The diagonal."""
    write(p, f"{target(p, lambda t: t.dim() == 2, (2, 3))}.fill_diagonal_({p.number()})")


@action("x[i] += y")
def add_to_slices(p: Sequence) -> None:
    """Arithmetic on slices."""
    name = target(p, lambda t: has_dims(t) and 0 not in t.shape, (2, 3))
    row = p.random.randrange(p.look(name).shape[0])
    write(p, p.some(f"{name}[{row}] += {rows_value(p, name)}", f"{name}[{row}:] *= 0.6",
                    f"{name}[{row}] *= {name}[0].detach()", f"{name}[..., 0] -= 0.3",
                    f"{name} += {p.other(name)}"))  # fmt: skip


@action("add_ mul_ ...")
def arithmetic(p: Sequence) -> None:
    """Arithmetic in place."""
    name = target(p, is_tame)
    other = p.other(name)
    calls = [f"{word}_({other})" for word in ("add", "mul", "sub", "div")]
    calls += [f"addcmul_({name}, {name})", f"lerp_({name}.detach().clone(), 0.3)",
              f"mul_({name})", f"add_({other}, alpha=2)"]  # fmt: skip
    write(p, f"{name}.{p.random.choice(calls)}")


@action("zero_ fill_")
def fill(p: Sequence) -> None:
    """One number everywhere."""
    name = target(p)
    tensor = f"torch.tensor({p.number()}, dtype={name}.dtype, requires_grad=True)"
    write(p, f"{name}." + p.some("zero_()", "fill_(0.7)", f"fill_({tensor})"))


@action("exp_ sin_ ...")
def unary(p: Sequence) -> None:
    """A function in place."""
    name = target(p, is_tame)
    calls = ["sin_()", "tanh_()", "neg_()", "sigmoid_()", "exp_()", "square_()", "pow_(2)"]
    if is_real(p.look(name)):
        calls += ["relu_()", "clamp_(0.2, 1.1)"]
    write(p, f"{name}.{p.random.choice(calls)}")


@action(".data =")
def set_data(p: Sequence) -> None:
    """Other memory.

    Of a view, or under views, PyTorch takes the strides of the new memory for those of the old.
    """
    bases = [id(p.look(n)._base) for n in p.names]
    name = p.need(lambda t: is_number(t) and not t._is_view() and id(t) not in bases)
    p.run(f"{name}.data = {name}.detach().clone() + 1")


@action("set_")
def set_memory(p: Sequence) -> None:
    """The memory of another tensor.

    Not under views, whose strides are of the old memory, nor of leaves that are in a graph.
    """
    bases, seen = [id(p.look(n)._base) for n in p.names], seen_in_other_dtype(p)

    def fits(tensor: Any) -> bool:
        if not is_number(tensor) or id(tensor) in bases or id(tensor._base) in seen:
            return False
        return tensor._is_view() or not tensor.is_leaf or is_unused(p, tensor)

    name = p.need(fits)
    other = p.need(lambda t: t.dtype is p.look(name).dtype)
    copy = f"{other}.detach().clone(memory_format=torch.contiguous_format)"
    p.run(f"{name}.set_({p.some(other, other, copy, '')})")


@action("resize_")
def resize(p: Sequence) -> None:
    """Another shape; not under views, nor of views of a base that is seen in another dtype."""
    free, seen = p.chance(0.8), seen_in_other_dtype(p)
    bases = [id(p.look(n)._base) for n in p.names]

    def fits(tensor: Any) -> bool:
        refused = (free and tensor.requires_grad) or id(tensor._base) in seen
        return (
            is_number(tensor) and bool(tensor.numel()) and not refused and id(tensor) not in bases
        )

    name = p.need(fits)
    tensor = p.look(name)
    held = tensor.untyped_storage().nbytes() // tensor.element_size() - tensor.storage_offset()
    size = p.random.randrange(held + 1)
    shapes = [f"{size}", f"({size}, 1)", *([f"2, {size // 2}"] if size % 2 == 0 else [])]
    p.run(f"{name}.resize_({p.random.choice(shapes)})")


@action("Function: dirty")
def function_dirty(p: Sequence) -> None:
    """A write inside a custom Function."""
    name = target(p)
    p.make(f"Doubled.apply({name})", p.some("", "", "", "", "", NO_GRAD))


@action("no_grad")
def without_recording(p: Sequence) -> None:
    """A write, or a view, that is not recorded."""
    name = target(p, lambda t: has_rows(t) and 0 not in t.shape, (2, 3))
    if p.chance(0.5):
        p.make(p.some(f"{name}[0]", f"{name}.detach()", f"{name}.view(-1)", f"{name}[1:]",
                      f"{name}.unbind()[0]", f"{name} * 2"), NO_GRAD)  # fmt: skip
    else:
        p.run(NO_GRAD + p.some(f"{name}.mul_(0.5)", f"{name}[0] = 0.3", f"{name}.add_(0.25)",
                               f"{name}.copy_({name}.clone() + 1)"))  # fmt: skip


@action("inference_mode")
def inference(p: Sequence) -> None:
    """A view in inference mode."""
    name = target(p, lambda t: has_rows(t) and 0 not in t.shape, (2, 3))
    mode = "with torch.inference_mode(): "
    p.make(p.some(f"{name}[0]", f"{name}.view_as({name})", f"{name}[1:]"), mode)


# Flags, hooks


@action("detach_")
def detach_in_place(p: Sequence) -> None:
    """The history cut off.

    PyTorch 2.13.0 fails in an assertion of its own after a tensor that retains its gradient, or of
    which there is a view in another dtype, was cut.
    """
    seen = seen_in_other_dtype(p)

    def fits(tensor: Any) -> bool:
        return bool(tensor._is_view() or not (tensor.retains_grad or id(tensor) in seen))

    views = p.chance(0.2)
    name = p.need(lambda t: fits(t) and (views if t._is_view() else is_unused(p, t)))
    p.run(f"{name}.detach_()")


def is_unused(p: Sequence, tensor: Any) -> bool:
    """Whether no line but that which made it mentions a tensor."""
    names = [n for n in p.names if p.look(n) is tensor]
    return sum(bool({*NAME.findall(line)} & {*names}) for line in p.lines) <= 1


@action("requires_grad_")
def requires_grad(p: Sequence) -> None:
    """The flag of a leaf.

    Not of a view whose base has none: PyTorch fails in an assertion of its own where it shows
    another dtype, and refuses its gradient where the base was written to since (differences.md).
    """
    seen = seen_in_other_dtype(p)
    name = p.need(lambda t: t._base is None or (id(t._base) not in seen and t._base.requires_grad))
    off = "" if id(p.look(name)) in seen else "False"
    p.run(p.some(f"{name}.requires_grad_()", f"{name}.requires_grad_()",
                 f"{name}.requires_grad_({off})", f"{name}.requires_grad = True"))  # fmt: skip


@action("retain_grad")
def retain(p: Sequence) -> None:
    """The gradient of a non-leaf is kept.

    PyTorch 2.13.0 fails in an assertion of its own after a write to a second output that does.
    """
    name = p.need(lambda t: is_number(t) and t.output_nr == 0)
    p.run(f"{name}.retain_grad()")


@action("hook")
def hook(p: Sequence) -> None:
    """A hook on a tensor.

    PyTorch 2.13.0 crashes when a hook is hung on a stale view whose node nobody asked for.
    """
    name = p.need(lambda t: is_number(t) and t.requires_grad)
    label = f"{name} {len(p.lines)}"
    if p.run(f"_ = {name}.grad_fn"):
        calls = [f"hook(note('{label}'))", "hook(lambda grad: grad * 2)",
                 f"post_accumulate_grad_hook(reached('{label}'))"]  # fmt: skip
        p.run(f"{name}.register_{p.some(*calls)}")


@action("hook of a node")
def node_hook(p: Sequence) -> None:
    """A hook on a node."""
    name = p.need(lambda t: is_number(t) and t.requires_grad)
    label = f"{name} {len(p.lines)}"
    p.run(p.some(f"{name}.grad_fn.register_hook(noted('{label}'))",
                 f"{name}.grad_fn.register_prehook(noted('{label}'))"))  # fmt: skip


# Looking and differentiating


@action("saved values")
def saved(p: Sequence) -> None:
    """What a node saved."""
    p.run(f"saved({p.need(lambda t: t.requires_grad)})")


def loss(p: Sequence) -> str:
    """A number made from a tensor that requires a gradient."""
    name = p.need(lambda t: is_number(t) and t.requires_grad and t.numel())
    if p.look(name).dtype.is_complex:
        return p.some(f"({name} * {name}.conj()).real.sum()", f"torch.view_as_real({name}).sum()")
    return p.some(f"{name}.sum()", f"({name} * {name}).sum()", f"{name}.mean()")


@action("backward")
def backward(p: Sequence) -> None:
    """A backward pass that frees the graph, or does not."""
    both = f"torch.autograd.backward([{loss(p)}, {loss(p)}], retain_graph=True)"
    p.run(p.some(f"{loss(p)}.backward()", f"{loss(p)}.backward(retain_graph=True)", both))


def wanted(p: Sequence) -> str:
    """One or two tensors to differentiate by."""
    names = [p.need(lambda t: t.requires_grad and is_number(t)) for _ in range(2)]
    return f"[{', '.join(dict.fromkeys(names))}]"


@action("grad")
def grad(p: Sequence) -> None:
    """Gradients returned."""
    flags = p.some("", ", retain_graph=True", ", retain_graph=True")
    unused = p.some(", allow_unused=True", ", allow_unused=True", "")
    p.run(f"give({loss(p)}, {wanted(p)}{flags}{unused})")


@action("create_graph")
def create_graph(p: Sequence) -> None:
    """Second derivatives."""
    p.run(f"twice({loss(p)}, {wanted(p)})")


@action("anomaly mode")
def anomaly(p: Sequence) -> None:
    """A backward pass that is watched."""
    wrong = "y = torch.ones(3, requires_grad=True).exp(); y += 1; y.sum().backward()"
    line = wrong if p.chance(0.2) else f"{loss(p)}.backward(retain_graph=True)"
    p.run(f"with torch.autograd.detect_anomaly(check_nan=False): {line}")


@action("mistake")
def mistake(p: Sequence) -> None:
    """A call that is refused whatever came before."""
    name, shape = p.leaf((2, 3)), (2, 3)
    kind = p.some("float32", "float16", "complex128")
    p.run(p.random.choice([
        *[f"y = torch.ones(3, dtype=torch.{kind}, requires_grad=True).exp(); y += 1; "
          "y[0].abs().backward()"] * 3,
        "y = torch.ones(3); z = torch.ones(3, requires_grad=True) * y; y += 1; z.sum().backward()",
        "y = torch.ones(4, requires_grad=True) * 1; z = y[:2].sin(); y[3] = 7; z.sum().backward()",
        "torch.inference_mode()(torch.ones)(1)._version",
        "torch.ones(4).split(2)[0].mul_(torch.ones(2, requires_grad=True))",
        f"{name}.detach().clone().add_(torch.ones(2, *{shape}))",
        f"{name}.detach().clone().add_(torch.ones(7, 5))",
        "torch.ones(3, dtype=torch.long).add_(1.5)",
        "torch.ones(3, dtype=torch.long).div_(2)",
        f"{name}.detach().clone().expand(3, *{shape}).add_(1)",
        "t = torch.arange(4.0); t[1:].add_(t[:-1])",
        "torch.ones(3) + torch.ones(4)",
        "torch.ones(2, 3) @ torch.ones(2, 3)",
        f"{name}.view({p.look(name).numel() + 1})",
        "torch.ones(2, 3).t().view(6)",
        f"{name}[0, 0, 0, 0, 0, 0]",
        "torch.ones(3)[5]",
        f"{name}.sum({p.look(name).dim() + 1})",
        f"{name}.backward(5)",
    ]))  # fmt: skip
