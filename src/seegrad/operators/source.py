"""The text of what is generated: an operator's fast wrapper and its node class.

`seegrad.operators.register.source_of("mul")` prints it. The wrapper is the hot path and nothing
else: all operands are ordinary tensors of one plain dtype; whatever is different goes to
`general`, which computes the same slowly (Note [Two doors]).
"""

from seegrad.rules.spec import Operator

__all__ = [
    "edge_of",
    "node_source",
    "takes_number",
    "twin_source",
    "variadic_source",
    "view_source",
    "wrapper_source",
]


def lines(indent: int, *texts: str) -> str:
    """The texts as lines, each indented by so many levels."""
    return "".join(" " * 4 * indent + text + "\n" for text in texts)


def tuple_of(items: list[str]) -> str:
    """The source of a tuple."""
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"


def edge_of(name: str) -> str:
    """The source of the node that receives an operand's gradient; a known leaf costs no call."""
    leaf = f"{name}._view is None and ({name}._accumulator or nothing)()"
    return f"({name}._node or {leaf} or gradient_edge({name}))"


def needed_by(operator: Operator, name: str) -> str:
    """The condition under which a saved value is needed, '' when always."""
    users = operator.users(name)
    if len(operator.formulas) == 1 or len(users) == len(operator.formulas):
        return ""
    return " or ".join(f"needs_{user}" for user in users)


def optional(operator: Operator, name: str) -> bool:
    """Whether an operand may be None."""
    return operator.defaults.get(name, name) is None


def saved_items(operator: Operator) -> list[str]:
    """The flat list `value, version, ...` that a wrapper saves (Note [Saved values])."""
    items = []
    for name in operator.saved:
        condition = needed_by(operator, name)
        unless = f" if {condition} else None" if condition else ""
        if name == operator.outputs[0]:
            items += [f"array{unless}", "None"]
        else:
            unused = f"0 if {name} is None else " if optional(operator, name) else ""
            version = f"{unused}{name}._counter.value"
            if condition and len(operator.formulas) > 2:
                # Of three operands one may be an inference tensor and not be needed.
                version += f" if {condition} else 0"
            items += [f"{name}{unless}", version]
    return items


def kept_items(operator: Operator) -> list[str]:
    """Shapes and numbers that a wrapper keeps."""
    kept = []
    for name in operator.kept:
        operand, _, what = name.rpartition("_")
        what = "size" if what == "numel" else what
        kept.append(name if name in operator.parameters else f"raw_{operand}.{what}")
    return kept


def special(operator: Operator) -> str:
    """The condition that sends a call to the general path."""
    checked = list(operator.formulas) or list(operator.operands)
    tests = ["state.mode > 1"] + [f"needs_{name} is ASK" for name in checked]
    first, *others = checked
    tests += [f"raw_{name}.dtype is not raw_{first}.dtype" for name in others]
    return " or ".join(tests)


def record(operator: Operator) -> str:
    """The lines that give the result its node."""
    names = list(operator.formulas)
    edges = [edge_of(name) for name in names]
    if len(names) > 1:
        edges = [f"{e} if needs_{n} else None" for e, n in zip(edges, names, strict=True)]
    text = lines(2, f"node = {operator.node}()", "node._next = (")
    text += lines(3, *[edge + "," for edge in edges]) + lines(2, ")")
    text += lines(2, "node._nrs = node._hooks = None")
    text += lines(2, "if " + " or ".join(f"{n}._nr" for n in names) + ":")
    text += lines(3, f"node._nrs = {tuple_of([f'{n}._nr' for n in names])}")
    if operator.saved:
        text += lines(2, f"node._saved = {tuple_of(saved_items(operator))}")
    if operator.kept:
        text += lines(2, f"node._constants = {tuple_of(kept_items(operator))}")
    text += lines(2, "node._shape = array.shape", "node._dtype = array.dtype")
    text += lines(2, "node._sequence = next_sequence()")
    return text + lines(2, "out._requires_grad = True", "out._node = node")


def call(target: str, arguments: str) -> str:
    """The lines that call the kernel; a method call on the state would take 25 ns more."""
    return lines(3, "quiet = state.quiet", f"{target}quiet(kernel, {arguments})")


def cut(operator: Operator, first: str) -> str:
    """The lines that tell a result why it is not recorded (Note [Cut])."""
    checked = list(operator.formulas) or list(operator.operands)
    needs = " or ".join(f"needs_{name}" for name in checked)
    why = "no_grad" if operator.formulas else operator.name
    text = lines(1, f"{first} {needs}:") + lines(2, f"out._cut = {why!r}")
    names = [f"{name}._cut" for name in operator.operands if not optional(operator, name)]
    earlier = " or ".join(names)
    return text + lines(1, f"elif {earlier}:") + lines(2, f"out._cut = {earlier}")


def signature(operator: Operator) -> str:
    """The parameters with their defaults."""
    defaults = operator.defaults
    return ", ".join(
        p + (f"={defaults[p]!r}" if p in defaults else "") for p in operator.parameters
    )


def takes_number(operator: Operator) -> bool:
    """Whether the second of two operands may be a number: `x * 2`."""
    return (
        operator.promote != "none"
        and operator.parameters == operator.operands
        and tuple(operator.formulas) in ((), operator.operands)
        and len(operator.parameters) == 2
    )


def wrapper_source(operator: Operator, numbers: bool = False) -> str:
    """The fast wrapper of an operator of one output, or of one and some without gradient.

    `numbers`: the second of two operands may be a Python number.
    """
    arguments = ", ".join(operator.parameters)
    raws = ", ".join(f"raw_{p}" if p in operator.operands else p for p in operator.parameters)
    checked = list(operator.formulas) or list(operator.operands)
    text = f"def {operator.name}({signature(operator)}):\n"
    if numbers:
        # Asked first: the exception that a number would raise below costs half a microsecond.
        second = operator.parameters[1]
        text += lines(1, f"if {second}.__class__ is not Tensor and {second}.__class__ in NUMBERS:")
        text += lines(2, f"return second_number(PLAN, {arguments}, general)")
    text += lines(1, "try:")
    for name in operator.operands:
        unless = f"None if {name} is None else " if optional(operator, name) else ""
        text += lines(2, f"raw_{name} = {unless}{name}._array")
    text += lines(2, *[f"needs_{name} = {name}._requires_grad" for name in checked])
    text += lines(2, "state = thread.state", f"if {special(operator)}:")
    text += lines(3, "array = None") + lines(2, "else:")
    text += call("array = ", raws)
    text += lines(1, "except UNFIT:") + lines(2, "array = None") + lines(1, "if array is None:")
    text += lines(2, f"return general(OPERATOR, {arguments})")
    others = operator.outputs[1:]
    if others:
        text += lines(1, f"array, {', '.join(others)} = array")
        text += lines(1, *[f"{name} = wrap({name})" for name in others])
    if not operator.formulas:
        text += lines(1, "out = wrap(array)") + cut(operator, "if")
        return text + lines(1, f"return {', '.join(['out', *others])}")
    if operator.kind == "elementwise" and set(operator.parameters) - set(operator.operands):
        # A parameter that was a scalar of NumPy's makes float64 of float32.
        text += lines(1, f"if array.dtype is not raw_{next(iter(operator.formulas))}.dtype:")
        text += lines(2, f"return general(OPERATOR, {arguments})")
    text += lines(1, "if array.__class__ is not ndarray:") + lines(2, "array = asarray(array)")
    # Set although the class says the same: what an instance has is read five times as fast.
    text += lines(1, "out = new(Tensor)", "out._array = array")
    text += lines(1, "out._counter = state.fresh", "out._nr = 0", "out._requires_grad = False")
    text += lines(1, "out._cut = None")
    needs = " or ".join(f"needs_{name}" for name in operator.formulas)
    needs = f"({needs})" if " or " in needs else needs
    text += lines(1, f"if {needs} and state.mode:") + record(operator)
    text += cut(operator, "elif")
    return text + lines(1, f"return {', '.join(['out', *others])}")


def variadic_source(operator: Operator) -> str:
    """The fast wrapper of an operator of a list of tensors."""
    tensors, *rest = operator.parameters
    arguments = ", ".join(operator.parameters)
    kept = ["tuple([a.shape for a in arrays])" if k not in rest else k for k in operator.kept]
    text = f"def {operator.name}({signature(operator)}):\n" + lines(1, "try:")
    text += lines(2, f"arrays = [t._array for t in {tensors}]", "kind = arrays[0].dtype")
    text += lines(2, f"needs = [t._requires_grad for t in {tensors}]", "state = thread.state")
    mixed = "any([a.dtype is not kind for a in arrays])"
    text += lines(2, f"if state.mode > 1 or ASK in needs or {mixed}:", "    array = None")
    text += lines(2, "else:")
    text += call("array = ", ", ".join(["arrays", *rest]))
    text += lines(1, "except (*UNFIT, IndexError):", "    array = None", "if array is None:")
    text += lines(2, f"return general(OPERATOR, {arguments})")
    text += lines(1, "out = new(Tensor)", "out._array = array", "out._counter = state.fresh")
    text += lines(1, "if True in needs and state.mode:")
    edge = f"{edge_of('t')} if n else None for t, n in zip({tensors}, needs)"
    text += lines(2, f"node = {operator.node}()", f"node._next = tuple([{edge}])")
    text += lines(
        2, f"nrs = [t._nr if n else 0 for t, n in zip({tensors}, needs)]", "if any(nrs):"
    )
    text += lines(3, "node._nrs = tuple(nrs)")
    text += lines(2, f"node._constants = {tuple_of(kept)}")
    text += lines(2, "node._shape = array.shape", "node._dtype = array.dtype")
    text += lines(2, "node._sequence = next_sequence()")
    text += lines(2, "out._requires_grad = True", "out._node = node")
    text += lines(1, "else:", f"    carry({operator.name!r}, {tensors}, (out,))")
    return text + lines(1, "return out")


def view_source(operator: Operator) -> str:
    """The wrapper of an operator whose result shares memory (Note [Views])."""
    rest = ", ".join(operator.parameters[1:])
    text = f"def {operator.name}({signature(operator)}):\n"
    text += lines(1, "raw_self = self._array", "try:")
    text += lines(2, f"array = kernel(raw_self{', ' + rest if rest else ''})")
    # PyTorch reads the history first: what may not be read any more says so.
    text += lines(1, "except Exception:") + lines(2, "refuse_stale(self)", "raise")
    text += lines(1, "out = new(Tensor)", "out._array = array", "mode = thread.state.mode")
    step = (
        f"(OPERATOR, {tuple_of(list(operator.parameters[1:])) if rest else '()'}, raw_self.shape)"
    )
    text += lines(1, f"view = attach(out, self, {step}, USUAL if mode else unrecorded_kind())")
    text += lines(1, "if mode and requires(self) and view is not None:")
    text += lines(2, f"node = new({operator.node} if array.dtype in PLAIN else Careful)")
    text += lines(2, "node._next = (gradient_edge(self),)", "if self._nr:")
    text += lines(3, "node._nrs = (self._nr,)")
    if operator.kept:
        text += lines(2, f"node._constants = {tuple_of(kept_items(operator))}")
    text += lines(2, "node._shape = array.shape", "node._dtype = array.dtype")
    text += lines(2, "node._sequence = next_sequence()", "own_history(out, view, node)")
    text += lines(1, "if mode > 1:") + lines(2, "special(view)")
    return text + lines(1, "return out")


def twin_source(operator: Operator, direct: bool) -> str:
    """The in-place twin; `direct` where the kernel is a ufunc, which can write into an array."""
    rest = ", ".join(operator.parameters)
    text = f"def {operator.name}_({signature(operator)}):\n"
    if direct and operator.parameters == operator.operands and len(operator.parameters) == 2:
        second = operator.parameters[1]
        text += lines(1, "state = thread.state", "if state.mode < 2:")
        for test, value in (
            (f"{second}.__class__ in NUMBERS and is_own(self, state.mode)", second),
            (f"is_separate(self, {second}, state.mode)", f"{second}._array"),
        ):
            text += lines(2, f"if {test}:", "    array = self._array")
            text += call("", f"array, {value}, array") + lines(3, "bump(self)", "return self")
    return text + lines(1, f"return inplace(OPERATOR, {rest})")


def unpack_lines(operator: Operator, recording: bool) -> str:
    """The lines of a node method that bring back what was saved."""
    text = ""
    if operator.saved:
        text += lines(2, "saved = node._saved", "if saved.__class__ is not tuple:")
        text += lines(3, "saved = unpack(node, saved)")
        text += lines(
            2, tuple_of([f"{n}, {n}_version" for n in operator.saved])[1:-1] + " = saved"
        )
    for name in operator.saved:
        text += unpack_one(operator, name, recording)
    if "indices" in operator.kept:  # tensors, freed in name only
        text += lines(2, "if node._saved is None:", "    unpack(node, None)")
    if operator.kept:
        text += lines(2, tuple_of(list(operator.kept))[1:-1] + " = node._constants")
    return text


def unpack_one(operator: Operator, name: str, recording: bool) -> str:
    """The lines that check and unpack one saved value."""
    version = f"{name}_version"
    if name in operator.gradients:
        nr = operator.gradients.index(name)
        place = f", {nr}" if nr else ""
        test = f"if {version} is not None and {version}[0].value != {version}[1]:"
        text = lines(2, test) + lines(3, f"stale_result(node, {name}, {version}{place})")
        if recording:
            text += lines(2, f"if {name} is not None:")
            text += lines(3, f"{name} = retie({name}, node, {version}{place})")
        return text
    if recording:
        return lines(2, f"{name} = live({name}, {version}, node)")
    text = lines(2, f"if {name} is not None:")
    text += lines(3, f"if {name}._counter.value != {version}:")
    return text + lines(4, f"stale({name}, {version}, node)") + lines(3, f"{name} = {name}._array")


def result_lines(operator: Operator, xp: str, grad: str) -> str:
    """The lines that call the formulas."""
    calls = {
        name: f"rule_{name}({', '.join([xp, grad, *operator.uses[name]])})"
        for name in operator.formulas
    }
    if operator.variadic:
        return lines(2, f"return {next(iter(calls.values()))}")
    fast = operator.fast and xp == "raw"
    if len(calls) == 1:
        only = f"fast({', '.join([grad, '(True,)', *operator.fast_uses])})"
        return lines(2, f"return {only if fast else f'({next(iter(calls.values()))},)'}")
    text = lines(2, f"{', '.join(f'to_{n}' for n in calls)} = node._next")
    if fast:
        wanted = tuple_of([f"to_{n} is not None" for n in calls])
        return text + lines(2, f"return fast({', '.join([grad, wanted, *operator.fast_uses])})")
    text += lines(2, "return (")
    text += lines(3, *[f"{c} if to_{n} is not None else None," for n, c in calls.items()])
    return text + lines(2, ")")


def node_source(operator: Operator) -> str:
    """The node class: the formulas on arrays (`run`) and on Tensors (`read`)."""
    grad = "grads" if operator.several else "grad"
    text = f"class {operator.node}(Node):\n"
    text += lines(1, f"def _run(node, {grad}):") + unpack_lines(operator, recording=False)
    text += result_lines(operator, "raw", grad) + "\n"
    text += lines(1, f"def _read(node, {grad}):") + unpack_lines(operator, recording=True)
    return text + result_lines(operator, "recorded", grad)
