"""Pickles of weights, read by a machine that knows nothing else.

Note [No code]: a pickle is a program for a stack machine, and Python's runs whatever functions it
names. This one has the instructions that weights need. A name gives a thing from the list
(`_allowed`) and nothing is imported for it. Calls go to `_CALLS`, which looks at the arguments
before it makes anything, or to what the user put on the list.

Note [Measure]: an instruction of few bytes could make large things over and over: what calls copy
is counted and may be no more than the pickle is long. Walks are loops, not recursion. Keys of
dictionaries are looked through before they are hashed: hashing descends by recursion, visits
shared parts again and again, and many keys of one hash take quadratic time.
"""

import struct
from _codecs import encode
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

from seegrad.arrays.size import Size
from seegrad.device import device
from seegrad.ops.once import warn
from seegrad.serialization import _allowed, _texts
from seegrad.serialization._rebuilding import FUNCTIONS, numbers
from seegrad.serialization._texts import told

__all__ = ["read_weights"]

PROTOCOL = 2
OTHER_PROTOCOL = (
    "Detected pickle protocol {} in the checkpoint, which was not the default pickle protocol "
    "used by `torch.load` (2). The weights_only Unpickler might not support all instructions "
    "implemented by this protocol, please file an issue for adding support if you encounter this."
)
MOST_PARTS_OF_A_KEY = 1000
MOST_KEYS_OF_A_HASH = 100
MARK = object()


class Refused(Exception):
    """The pickle is damaged, or wants what weights do not need."""


def read_weights(pickle: bytes, storage_of: Callable[[Any], Any]) -> Any:
    """The object in a pickle of weights; nothing that the file names is run.

    Args: `storage_of` finds the storage for a reference.
    Raises: UnpicklingError for anything but weights and what users have listed.
    """
    machine = Machine(pickle, storage_of)
    try:
        return machine.run()
    except Refused as error:
        raise _texts.of_pickle(str(error)) from error


class Machine:
    """The stack, the memo and the place in the pickle."""

    def __init__(self, pickle: bytes, storage_of: Callable[[Any], Any]) -> None:
        self._pickle = pickle
        self._at = 0
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._storage_of = storage_of
        self._listed = _allowed.added()
        self._left = len(pickle)
        self._hashes: dict[int, tuple[Any, Counter[int]]] = {}

    def run(self) -> Any:
        """The object that the pickle ends with."""
        while True:
            code = self._bytes(1)
            if code == b".":
                return self._pop()
            action = _ACTIONS.get(code)
            if action is None:
                raise Refused(f"Unsupported operand {code[0]}")
            action(self)

    # Reading

    def _bytes(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._pickle):
            raise Refused("The pickle ends in the middle of an instruction")
        found = self._pickle[self._at : end]
        self._at = end
        return found

    def _number(self, form: struct.Struct) -> Any:
        return form.unpack(self._bytes(form.size))[0]

    def _text(self, size: int) -> str:
        try:
            return self._bytes(size).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise Refused(f"A text is not UTF-8: {error}") from None

    def _line(self) -> str:
        end = self._pickle.find(b"\n", self._at)
        if end < 0:
            raise Refused("The pickle ends in the middle of a name")
        line = self._text(end - self._at)
        self._at = end + 1
        return line

    # The stack

    def _push(self, value: Any) -> None:
        self._stack.append(value)

    def _pop(self) -> Any:
        if not self._stack or self._stack[-1] is MARK:
            raise Refused("The pickle takes more from the stack than there is")
        return self._stack.pop()

    def _pop_many(self, count: int) -> tuple[Any, ...]:
        return tuple([self._pop() for _ in range(count)][::-1])

    def _pop_mark(self) -> list[Any]:
        values: list[Any] = []
        while self._stack:
            value = self._stack.pop()
            if value is MARK:
                return values[::-1]
            values.append(value)
        raise Refused("The pickle goes back to a mark that is not there")

    def _top(self) -> Any:
        value = self._pop()
        self._stack.append(value)
        return value

    # Instructions

    def proto(self) -> None:
        """The version of the language."""
        version = self._bytes(1)[0]
        if version != PROTOCOL:
            warn(OTHER_PROTOCOL.format(version))

    def get(self, form: struct.Struct) -> None:
        """A thing from the memo."""
        place = self._number(form)
        if place not in self._memo:
            raise Refused(f"There is nothing at place {place} of the memo")
        self._push(self._memo[place])

    def name(self) -> None:
        """A thing from the list."""
        module = self._line()
        self._push(_allowed.looked_up(module, self._line(), self._listed))

    def reference(self) -> None:
        """A storage."""
        parts = self._pop()
        if not isinstance(parts, tuple):
            raise Refused(f"persistent_load id must be tuple or int, but got {type(parts)}")
        if not parts or parts[0] != "storage":
            raise Refused(
                "Only persistent_load of storage is allowed, but got "
                f"{type(parts[0]) if parts else 'nothing'}"
            )
        self._push(self._storage_of(parts))

    def append(self, values: list[Any]) -> None:
        """Puts things at the end of a list."""
        target = self._top()
        if type(target) is not list and not self._is_listed(type(target)):
            raise Refused(f"Can only append to lists, but got {type(target)}")
        target.extend(values)

    def set_items(self, values: list[Any]) -> None:
        """Puts keys and values into a dictionary."""
        target = self._top()
        if type(target) not in (dict, OrderedDict, Counter) and not self._is_listed(type(target)):
            raise Refused(
                "Can only SETITEM for dict, collections.OrderedDict, collections.Counter, but got "
                f"{type(target)}"
            )
        if len(values) % 2:
            raise Refused("A key has no value")
        for key, value in zip(values[::2], values[1::2], strict=True):
            self.admit(target, key)
            target[key] = value

    def call(self) -> None:
        """Calls a function of the list."""
        args = self._pop()
        function = self._pop()
        if not isinstance(args, tuple):
            raise Refused(f"A call takes a tuple of arguments, not {type(args)}")
        self._push(self.called(function, args))

    def called(self, function: Any, args: tuple[Any, ...]) -> Any:
        """What a function of the list makes of arguments."""
        known = _CALLS.get(id(function))
        if known is not None:
            return called(known, (self, *args))
        if not self._is_listed(function):
            raise Refused(f"Trying to call reduce for unrecognized function {told(function)}")
        return function(*args)

    def new(self) -> None:
        """Makes an instance of a class that the user put on the list."""
        args = self._pop()
        cls = self._pop()
        if not isinstance(cls, type) or not self._is_listed(cls) or not isinstance(args, tuple):
            raise Refused(
                "Can only create new object for nn.Parameter or classes allowlisted via "
                f"`add_safe_globals` but got {told(cls)}"
            )
        self._push(cls.__new__(cls, *args))

    def build(self) -> None:
        """Gives an instance its attributes."""
        state = self._pop()
        made = self._top()
        if type(made) is OrderedDict and isinstance(state, dict):
            self.charge(len(state))
            vars(made).update(state)
        elif self._is_listed(type(made)):
            set_state(made, state)
        else:
            raise Refused(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                f"`add_safe_globals`, but got {type(made)}"
            )

    # The limits that Note [Measure] speaks of

    def _is_listed(self, thing: Any) -> bool:
        return any(thing is one for one in self._listed.values())

    def charge(self, amount: int) -> None:
        """Counts what a call copies."""
        self._left -= amount
        if self._left < 0:
            raise Refused("The pickle makes more than it holds")

    def admit(self, target: Any, key: Any) -> None:
        """Looks through what is to be a key of a dictionary or an element of a set."""
        if key.__class__ in (str, bytes, bool, float) or key is None:
            return
        waiting, parts = [key], 0
        while waiting:
            part = waiting.pop()
            parts += 1
            if isinstance(part, tuple):
                waiting.extend(part)
            if parts + len(waiting) > MOST_PARTS_OF_A_KEY:
                raise Refused("The key of a dictionary has too many parts")
            if isinstance(part, int) and part.bit_length() > 64:
                raise Refused("The key of a dictionary is too large a number")
        try:
            value = hash(key)
        except TypeError as error:
            raise Refused(str(error)) from None
        if key.__class__ is int:
            return
        _, counts = self._hashes.setdefault(id(target), (target, Counter()))
        counts[value] += 1
        if counts[value] > MOST_KEYS_OF_A_HASH:
            raise Refused("Too many keys of a dictionary have the same hash")


def called(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The result of a function of ours; that arguments do not fit is said as of the pickle."""
    try:
        return function(*args)
    except (TypeError, OverflowError, RecursionError) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


def set_state(made: Any, state: Any) -> None:
    """Gives an instance its attributes, as pickle does."""
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
        return
    parts = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    vars(made).update(parts[0] or {})
    for name, value in (parts[1] or {}).items():
        setattr(made, name, value)


# What may be called, each with the machine before its arguments


def new_ordered(machine: Machine, items: Any = ()) -> Any:
    """`OrderedDict()`, or of pairs."""
    return new_mapping(machine, OrderedDict(), items)


def new_counter(machine: Machine, items: Any = ()) -> Any:
    """`Counter()`, or of a dictionary of counts."""
    return new_mapping(machine, Counter(), items)


def new_mapping(machine: Machine, made: Any, items: Any) -> Any:
    """Pairs, put into a dictionary one by one."""
    pairs = list(items.items()) if isinstance(items, dict) else items
    if not isinstance(pairs, (list, tuple)):
        raise TypeError(f"a dictionary is made of pairs, not of {type(items)}")
    machine.charge(len(pairs))
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError("a dictionary is made of pairs")
        machine.admit(made, pair[0])
        made[pair[0]] = pair[1]
    return made


def new_set(machine: Machine, items: Any = ()) -> set[Any]:
    """`set()` of a list."""
    if not isinstance(items, (list, tuple)):
        raise TypeError(f"a set is made of a list, not of {type(items)}")
    machine.charge(len(items))
    made: set[Any] = set()
    for item in items:
        machine.admit(made, item)
        made.add(item)
    return made


def new_complex(machine: Machine, real: Any = 0.0, imag: Any = 0.0) -> complex:
    """`complex()` of two numbers."""
    if not isinstance(real, (int, float)) or not isinstance(imag, (int, float)):
        raise TypeError("a complex number is made of two numbers")
    return complex(real, imag)


def new_bytes(machine: Machine, text: Any, encoding: Any = "latin1") -> bytes:
    """`_codecs.encode()` of a text: how bytes are written."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise TypeError("bytes are made of a text in latin1")
    machine.charge(len(text))
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise Refused(f"Bytes from a text that holds others: {error}") from None


def new_bytearray(machine: Machine, content: Any = b"", encoding: Any = None) -> bytearray:
    """`bytearray()` of bytes."""
    if isinstance(content, str):
        content = new_bytes(machine, content, encoding)
    if not isinstance(content, bytes):
        raise TypeError(f"a bytearray is made of bytes, not of {type(content)}")
    machine.charge(len(content))
    return bytearray(content)


def new_size(machine: Machine, sizes: Any = ()) -> Size:
    """`torch.Size()` of a tuple."""
    return Size(numbers(sizes))


def new_device(machine: Machine, kind: Any, index: Any = None) -> device:
    """`torch.device()` of its name."""
    if not isinstance(kind, str):
        raise TypeError(f"a device is made of its name, not of {type(kind)}")
    return device(kind) if index is None else device(kind, index)


def rebuilt(function: Any) -> Callable[..., Any]:
    """A function of `_rebuilding`, which looks at its arguments itself."""
    return lambda machine, *args: function(*args)


def parameter_with_state(machine: Machine, data: Any, flag: Any, hooks: Any, state: Any) -> Any:
    """A parameter on which users hung something."""
    charge_state(machine, state)
    return FUNCTIONS["torch._utils._rebuild_parameter_with_state"](data, flag, hooks, state)


def charge_state(machine: Machine, state: Any) -> None:
    """Counts the attributes that are copied to a tensor."""
    for part in state if isinstance(state, tuple) else (state,):
        machine.charge(len(part) if isinstance(part, dict) else 1)


def rebuilt_of_class(machine: Machine, func: Any, new_type: Any, args: Any, state: Any) -> Any:
    """A tensor of a class of its own: the function that makes it is of the list too."""
    if not isinstance(args, tuple):
        raise TypeError(f"a call takes a tuple of arguments, not {type(args)}")
    charge_state(machine, state)
    build = FUNCTIONS["torch._tensor._rebuild_from_type_v2"]
    return build(lambda *these: machine.called(func, these), new_type, args, state)


_CALLS: dict[int, Callable[..., Any]] = {
    **{id(function): rebuilt(function) for function in FUNCTIONS.values()},
    id(FUNCTIONS["torch._tensor._rebuild_from_type_v2"]): rebuilt_of_class,
    id(FUNCTIONS["torch._utils._rebuild_parameter_with_state"]): parameter_with_state,
    id(OrderedDict): new_ordered,
    id(Counter): new_counter,
    id(set): new_set,
    id(complex): new_complex,
    id(encode): new_bytes,
    id(bytearray): new_bytearray,
    id(Size): new_size,
    id(device): new_device,
}

_U1, _U2, _U4 = struct.Struct("<B"), struct.Struct("<H"), struct.Struct("<I")
_I4, _F8 = struct.Struct("<i"), struct.Struct(">d")


def pushing(make: Callable[[Machine], Any]) -> Callable[[Machine], None]:
    """An instruction that puts a value on the stack."""
    return lambda machine: machine._push(make(machine))


def putting(form: struct.Struct) -> Callable[[Machine], None]:
    """An instruction that notes the top of the stack in the memo."""

    def put(machine: Machine) -> None:
        machine._memo[machine._number(form)] = machine._top()

    return put


def long_number(machine: Machine) -> int:
    """A whole number of as many bytes as the first one says."""
    return int.from_bytes(machine._bytes(machine._bytes(1)[0]), "little", signed=True)


_ACTIONS: dict[bytes, Callable[[Machine], None]] = {
    b"\x80": Machine.proto,
    b"(": pushing(lambda machine: MARK),
    b"N": pushing(lambda machine: None),
    b"\x88": pushing(lambda machine: True),
    b"\x89": pushing(lambda machine: False),
    b"K": pushing(lambda machine: machine._number(_U1)),
    b"M": pushing(lambda machine: machine._number(_U2)),
    b"J": pushing(lambda machine: machine._number(_I4)),
    b"\x8a": pushing(long_number),
    b"G": pushing(lambda machine: machine._number(_F8)),
    b"X": pushing(lambda machine: machine._text(machine._number(_U4))),
    b"U": pushing(lambda machine: machine._text(machine._number(_U1))),
    b")": pushing(lambda machine: ()),
    b"]": pushing(lambda machine: []),
    b"}": pushing(lambda machine: {}),
    b"t": pushing(lambda machine: tuple(machine._pop_mark())),
    b"\x85": pushing(lambda machine: machine._pop_many(1)),
    b"\x86": pushing(lambda machine: machine._pop_many(2)),
    b"\x87": pushing(lambda machine: machine._pop_many(3)),
    b"h": lambda machine: machine.get(_U1),
    b"j": lambda machine: machine.get(_U4),
    b"q": putting(_U1),
    b"r": putting(_U4),
    b"c": Machine.name,
    b"Q": Machine.reference,
    b"a": lambda machine: machine.append([machine._pop()]),
    b"e": lambda machine: machine.append(machine._pop_mark()),
    b"s": lambda machine: machine.set_items(list(machine._pop_many(2))),
    b"u": lambda machine: machine.set_items(machine._pop_mark()),
    b"R": Machine.call,
    b"\x81": Machine.new,
    b"b": Machine.build,
}
