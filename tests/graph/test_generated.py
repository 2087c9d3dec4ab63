"""What is generated from the table compiles, reads well, and computes the same on all paths."""

import dis
import importlib
import inspect
import pkgutil
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad import rules
from seegrad.arrays import raw
from seegrad.graph.tensor import Number
from seegrad.operators.general import general
from seegrad.operators.numbers import plan_of
from seegrad.operators.recording import recorded
from seegrad.operators.register import source_of, twin_text
from seegrad.rules.spec import REGISTRY, Operator

ALL = sorted(REGISTRY)
ELEMENTWISE = [n for n in ALL if REGISTRY[n].kind == "elementwise" and REGISTRY[n].formulas]
# Whose gradient raises, whose operands are no float tensors, whose gradients are complex.
ODD = {"floor_divide", "heaviside", "where", "complex", "igamma", "igammac", "special_zeta"}
# The operators of tensors alone, which can be called without knowing what their numbers mean.
PURE = [n for n in ELEMENTWISE if REGISTRY[n].parameters == REGISTRY[n].operands and n not in ODD]
WITH_NUMBER = [n for n in PURE if len(REGISTRY[n].operands) == 2 and plan_of(REGISTRY[n])]
INPLACE = [n for n in PURE if hasattr(seegrad.Tensor, n + "_")]
BEGINS = {"acosh": 1.0}  # where the values begin, if not at 0


def operands(operator: Operator, count: int | None = None) -> list[Any]:
    """Leaves whose values every operator accepts."""
    random = np.random.default_rng(len(operator.name))
    begin = BEGINS.get(operator.name, 0.0)
    arrays = [begin + random.uniform(0.1, 0.9, (2, 3)) for _ in operator.operands[:count]]
    return [seegrad.tensor(array, requires_grad=True) for array in arrays]


def first(result: Any) -> Any:
    """The first output, the one with a gradient."""
    return result[0] if isinstance(result, tuple) else result


def described(node: Any) -> tuple[Any, ...]:
    """What a node is: its name, edges, saved values and constants."""
    saved = [value_of(part) for part in node._saved[::2]]
    return node.name(), [type(n).__name__ for n in node._next], node._nrs, saved, node._constants


def value_of(part: Any) -> Any:
    """A saved value, however it is kept."""
    array = getattr(part, "_array", part)
    return array.tolist() if isinstance(array, np.ndarray) else array


def gradients(node: Any) -> list[Any]:
    """The gradients of the inputs for a gradient of ones and twos."""
    grad = np.linspace(1.0, 2.0, 6).reshape(2, 3)
    return [None if g is None else np.asarray(g).tolist() for g in node._run(grad)]


# Source


@pytest.mark.parametrize("name", ALL)
def test_source_compiles(name: str) -> None:
    operator = REGISTRY[name]
    text = source_of(name) + ("\n" + twin_text(operator) if operator.inplace else "")
    found = compile(text, name, "exec")
    defined = {const.co_name for const in found.co_consts if isinstance(const, types.CodeType)}
    assert name in defined
    assert (operator.node in defined) == bool(operator.formulas)


def test_source_reads_as_one_would_write_it() -> None:
    text = source_of("mul")
    assert text.startswith("def mul(self, other):\n")
    assert "        raw_self = self._array\n" in text
    assert "    return general(OPERATOR, self, other)\n" in text
    assert "class MulBackward0(Node):\n    def _run(node, grad):\n" in text
    assert all(len(line) < 200 and "\t" not in line for line in text.splitlines())


def test_source_of_what_is_not_there() -> None:
    with pytest.raises(KeyError, match="there is no operator named 'mull'"):
        source_of("mull")


def test_generated_lines_are_in_tracebacks() -> None:
    x = seegrad.ones(2, requires_grad=True)
    y = x * seegrad.ones(2)
    node: Any = y.grad_fn
    assert inspect.getsource(type(node)._run).lstrip().startswith("def _run(node, grad):")


# The namespaces of formulas


def functions_of_rules() -> Iterator[tuple[str, types.CodeType]]:
    """The code of every function in the modules of rules, and of every formula."""
    for found in pkgutil.iter_modules(rules.__path__):
        module = importlib.import_module(f"{rules.__name__}.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, types.FunctionType):
                yield f"{found.name}.{name}", value.__code__
    for operator in REGISTRY.values():
        for name, formula in operator.formulas.items():
            yield f"{operator.name}.{name}", formula.__code__


def names_asked_of_xp(code: types.CodeType) -> set[str]:
    """The attributes of the namespace that some code uses, nested functions included."""
    names, before = set(), None
    for instruction in dis.get_instructions(code):
        if before == "xp" and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            names.add(str(instruction.argval))
        loads = instruction.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))
        before = instruction.argval if loads else None
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names |= names_asked_of_xp(const)
    return names


def test_names_in_formulas_are_in_both_namespaces() -> None:
    asked: dict[str, list[str]] = {}
    for where, code in functions_of_rules():
        for name in names_asked_of_xp(code):
            asked.setdefault(name, []).append(where)
    assert {"exp", "sum_to", "new_zeros", "masked_fill"} <= {*asked, "sum_to"}
    missing = {
        name: places[0]
        for name, places in asked.items()
        if not (hasattr(raw, name) and hasattr(recorded, name))
    }
    assert missing == {}


@pytest.mark.parametrize("name", ALL)
def test_every_operator_is_recorded_and_has_a_kernel(name: str) -> None:
    assert callable(getattr(raw, name))
    assert callable(getattr(recorded, name))
    assert hasattr(recorded, name + "_") == REGISTRY[name].inplace


def test_unknown_names_say_so() -> None:
    with pytest.raises(AttributeError, match="there is no operator named 'mull'"):
        recorded.mull


# One result by every path


@pytest.mark.parametrize("name", PURE)
def test_hot_path_is_the_general_path(name: str) -> None:
    operator, inputs = REGISTRY[name], operands(REGISTRY[name])
    hot, slow = first(getattr(recorded, name)(*inputs)), first(general(operator, *inputs))
    assert np.array_equal(hot._array, slow._array, equal_nan=True)
    assert hot.dtype is slow.dtype
    assert described(hot.grad_fn) == described(slow.grad_fn)
    assert gradients(hot.grad_fn) == gradients(slow.grad_fn)


@pytest.mark.parametrize("name", PURE)
def test_one_operand_alone_may_need_a_gradient(name: str) -> None:
    operator = REGISTRY[name]
    for wanted in operator.formulas:
        inputs = [
            one if operand == wanted else one.detach()
            for operand, one in zip(operator.operands, operands(operator), strict=True)
        ]
        hot, slow = first(getattr(recorded, name)(*inputs)), first(general(operator, *inputs))
        assert described(hot.grad_fn) == described(slow.grad_fn)
        assert gradients(hot.grad_fn) == gradients(slow.grad_fn)


@pytest.mark.parametrize("name", PURE)
def test_nothing_is_recorded_without_need(name: str) -> None:
    inputs = operands(REGISTRY[name])
    with seegrad.no_grad():
        assert first(getattr(recorded, name)(*inputs)).grad_fn is None
    detached = [one.detach() for one in inputs]
    assert first(getattr(recorded, name)(*detached)).grad_fn is None


@pytest.mark.parametrize("number", [2, 0.75])
@pytest.mark.parametrize("name", WITH_NUMBER)
def test_number_as_second_operand(name: str, number: float) -> None:
    operator = REGISTRY[name]
    (x,) = operands(operator, 1)
    quick, slow = getattr(recorded, name)(x, number), general(operator, x, number)
    assert np.array_equal(quick._array, slow._array, equal_nan=True)
    assert quick.dtype is slow.dtype
    assert (quick.grad_fn is None) == (slow.grad_fn is None)
    if quick.grad_fn is not None:
        assert described(quick.grad_fn) == described(slow.grad_fn)
        assert gradients(quick.grad_fn) == gradients(slow.grad_fn)


@pytest.mark.parametrize("name", PURE)
def test_formulas_read_the_same_on_arrays_and_on_tensors(name: str) -> None:
    inputs = operands(REGISTRY[name])
    node: Any = first(getattr(recorded, name)(*inputs)).grad_fn
    grad = np.linspace(1.0, 2.0, 6).reshape(2, 3)
    read = node._read(seegrad.tensor(grad))
    for found, expected in zip(read, node._run(grad), strict=True):
        assert np.allclose(found._array, expected, rtol=1e-15, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", INPLACE)
def test_twin_writes_what_the_operator_returns(name: str) -> None:
    operator = REGISTRY[name]
    for recording in (False, True):
        inputs = operands(operator)
        expected = first(getattr(recorded, name)(*inputs))
        with seegrad.set_grad_enabled(recording):
            target = recorded.clone(inputs[0])
            address = target._array.__array_interface__["data"]
            result = getattr(recorded, name + "_")(target, *inputs[1:])
        assert result is target
        assert target._array.__array_interface__["data"] == address
        assert np.allclose(target._array, expected._array, rtol=1e-15, atol=0, equal_nan=True)
        assert target._version == 1
        if recording:
            node = operator.written.node if operator.written else expected.grad_fn.name()
            assert type(target.grad_fn).__name__ == node
            found, wanted = gradients(target.grad_fn), gradients(expected.grad_fn)
            assert np.allclose(found, wanted, rtol=1e-13, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", INPLACE)
def test_refused_twin_writes_nothing(name: str) -> None:
    operator = REGISTRY[name]
    inputs = operands(operator)
    before = inputs[0].tolist()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        getattr(recorded, name + "_")(*inputs)
    assert inputs[0].tolist() == before
    assert inputs[0]._version == 0


def test_numbers_are_saved_as_they_are() -> None:
    (x,) = operands(REGISTRY["mul"], 1)
    node: Any = (x * 3).grad_fn
    assert isinstance(node._saved[0], Number)
    assert node._saved[2] is None
    assert node._saved_other.item() == 3
