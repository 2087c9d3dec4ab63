"""What `save` and `load` say: errors, warnings, settings; PyTorch's answers are recorded."""

import io
import os
import pickle
import warnings
from collections import OrderedDict, defaultdict, deque
from typing import Any

from tests.observe import attempt
from tests.serialization.making import archive, name, program, tensor, text


class _Mine:
    """A class of this program."""


class _Runs:
    """Runs something when it is unpickled."""

    def __reduce__(self) -> Any:
        return os.getcwd, ()


def _saved(torch: Any, value: Any, **options: Any) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(value, file, **options)
    file.seek(0)
    return file


def _tells(torch: Any, file: Any, **options: Any) -> str:
    return attempt(lambda: torch.load(file, **options))


def _hand(torch: Any, body: bytes, **options: Any) -> str:
    return _tells(torch, archive(program(body), {"data/0": b"\0" * 24}), **options)


def not_on_the_list(torch: Any) -> Any:
    values = [_Mine(), _Runs(), defaultdict(int, a=1), deque([1]), frozenset([1]), range(3),
              slice(2), torch.nn.ReLU(), torch.Generator(), b""]  # fmt: skip
    return [_tells(torch, _saved(torch, one)) for one in values]


def what_is_not_safe(torch: Any) -> Any:
    ask = torch.serialization.get_unsafe_globals_in_checkpoint
    values = [_Mine(), _Runs(), [torch.ones(1)], {"a": torch.nn.Linear(1, 1), "b": {1, 2j}}]
    return [sorted(ask(_saved(torch, one))) for one in values]


def what_users_list(torch: Any) -> Any:
    lists = torch.serialization
    file = _saved(torch, [_Mine(), range(2), slice(1)])
    seen = [_tells(torch, file)[:20]]
    with lists.safe_globals([_Mine, range]):
        file.seek(0)
        seen.append("slice" in _tells(torch, file))
        with lists.safe_globals([(slice, "builtins.slice")]):
            file.seek(0)
            mine, *others = torch.load(file)
            seen.append([type(mine) is _Mine, repr(others)])
    file.seek(0)
    seen.append(_tells(torch, file)[:20])
    return seen


INSTRUCTIONS = {
    "call of a number": b"K\x01K\x02\x85R",
    "attributes of a number": b"K\x01}b",
    "attributes of a list": b"]}b",
    "instance of a number": b"K\x01)\x81",
    "append to a number": b"K\x01K\x02a",
    "item of a number": b"K\x01K\x02K\x03s",
    "reference to a text": text("a") + b"Q",
    "reference to another thing": text("a") + b"\x85Q",
    "unknown": b"\xff",
    "of another language": b"(ios\nsystem\n",
    "extension": b"\x82\x01",
    "eval": name("builtins.eval") + text("1") + b"\x85R",
    "attribute of a function": b"ctorch._utils\n_rebuild_tensor_v2.__globals__\n",
    "blocked": name("sys.exit") + b")R",
    "large number": b"\x8b\x00\x01\x00\x00" + b"\x01" * 256,
    "bytes of Python 3": b"C\x01a",
}


def instructions(torch: Any) -> Any:
    return {what: _hand(torch, body) for what, body in INSTRUCTIONS.items()}


def protocols(torch: Any) -> Any:
    value = {"a": [1, 2.5, "x", (1,), None, True]}
    return [_tells(torch, archive(pickle.dumps(value, n))) for n in range(6)]


def tensors(torch: Any) -> Any:
    return [
        _hand(torch, tensor()),
        _hand(torch, tensor(size=(9, 3))),
        _hand(torch, tensor(offset=5)),
        _hand(torch, tensor(offset=-1)),
        _hand(torch, tensor(stride=(1,))),
        _hand(torch, tensor(count=7)),
        _hand(torch, tensor(key="1")),
        _hand(torch, tensor(key="../up")),
        _hand(torch, tensor(size=(0, 3), offset=4096)),
        _hand(torch, tensor(size=(2, 2), stride=(0, 0))),
        _hand(torch, tensor(kind=name("torch.LongStorage"), count=3, size=(3,), stride=(1,),
                            tail=b"\x88" + name("collections.OrderedDict") + b")R")),
    ]  # fmt: skip


def locations(torch: Any) -> Any:
    asked: list[Any] = []

    def ask(storage: Any, location: str) -> Any:
        asked.append([type(storage).__name__, location, len(storage)])
        return storage

    here, there = program(tensor()), program(tensor(location="cuda:0"))
    device = torch.device
    maps = ["cpu", "cuda", "cuda:0", "mps", "xyz", device("cpu"), device("cuda"), {"cpu": "cpu"},
            {"cuda:0": "cpu"}, {"cpu": "cuda:0"}, ask, lambda *_: None, None, 5]  # fmt: skip
    data = {"data/0": b"\0" * 24}
    seen = [[_tells(torch, archive(one, data), map_location=place) for place in maps]
            for one in (here, there)]  # fmt: skip
    return [seen, asked]


def places_by_name(torch: Any) -> Any:
    files = torch.serialization
    storage = torch.ones(1).untyped_storage()
    restore = files.default_restore_location
    return [files.location_tag(storage), attempt(lambda: len(restore(storage, "cpu"))),
            attempt(lambda: restore(storage, "xyz"))]  # fmt: skip


def arguments(torch: Any) -> Any:
    def good() -> Any:
        return archive(program(tensor()), {"data/0": b"\0" * 24})

    return [
        _tells(torch, good(), weights_only=True, pickle_module=pickle),
        _tells(torch, good(), pickle_module=pickle),
        _tells(torch, good(), encoding="latin1"),
        _tells(torch, good(), weights_only=False),
        _tells(torch, good(), weights_only=None),
        _tells(torch, good(), mmap=True),
        [_tells(torch, f) for f in (5, None, b"x.pt", [1])],
        _tells(torch, "no-such-file.pt"),
        [attempt(lambda f=f: torch.save(1, f)) for f in (None, 5, b"x.pt")],
        attempt(lambda: torch.save(1, "no-such-folder/x.pt")),
        attempt(lambda: torch.save((i for i in ()), io.BytesIO())),
    ]


def environment(torch: Any) -> Any:
    names = ("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
    before = {one: os.environ.pop(one, None) for one in names}
    seen = []
    try:
        for values in (("1", ""), ("", "1"), ("true", "yes"), ("2", "no")):
            os.environ.update(zip(names, values, strict=True))
            for options in ({}, {"weights_only": False}, {"weights_only": True}):
                file = _saved(torch, [1, _Mine()] if values[1] == "" else 1)
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", "load.weights_only=False. runs")
                    seen.append(_tells(torch, file, **options))
            file = _saved(torch, 1)
            seen.append(_tells(torch, file, pickle_module=pickle))
    finally:
        for one in names:
            del os.environ[one]
        os.environ.update({one: value for one, value in before.items() if value is not None})
    return seen


def order_of_bytes(torch: Any) -> Any:
    files = torch.serialization
    kinds = files.LoadEndianness
    seen: list[Any] = [str(files.get_default_load_endianness()), [str(one) for one in kinds]]
    body, data = program(tensor()), {"data/0": b"\0\0\x80?" + b"\0" * 20}
    try:
        for kind in (kinds.BIG, kinds.LITTLE, kinds.NATIVE, None):
            files.set_default_load_endianness(kind)
            seen.append(_tells(torch, archive(body, data)))
    finally:
        files.set_default_load_endianness(None)
    for said in ("little", "big", "middle"):
        seen.append(_tells(torch, archive(body, {**data, "byteorder": said.encode()})))
    return [*seen, attempt(lambda: files.set_default_load_endianness("big"))]


def settings(torch: Any) -> Any:
    files = torch.serialization
    seen = [files.get_crc32_options(), attempt(lambda: files.set_default_mmap_options(5))]
    files.set_crc32_options(False)
    seen.append(files.get_crc32_options())
    seen.append(_tells(torch, _saved(torch, torch.arange(3))))
    files.set_crc32_options(True)
    with files.skip_data():
        seen.append(_tells(torch, _saved(torch, [1, "a"])))
        file = _saved(torch, torch.ones(3))
    return [*seen, _tells(torch, file)]


def two_types(torch: Any) -> Any:
    x, other = torch.ones(2), torch.ones(2, dtype=torch.int32)
    return [attempt(lambda: _saved(torch, [x, x.view(torch.int32)])),
            attempt(lambda: _saved(torch, [x, x.untyped_storage()])),
            attempt(lambda: torch.load(_saved(torch, [x, other])))]  # fmt: skip


def hooks(torch: Any) -> Any:
    x = torch.ones(1, requires_grad=True)
    x.register_hook(print)
    p = torch.nn.Parameter(torch.ones(1))
    p.register_hook(print)
    p.grad = torch.ones(1)
    found = torch.load(_saved(torch, [x, p]))
    return [repr(found), [one.grad is None for one in found], [one._version for one in found]]


def ordered_attributes(torch: Any) -> Any:
    made = OrderedDict(a=1)
    made._metadata = {"version": 2}  # type: ignore[attr-defined]
    return vars(torch.load(_saved(torch, made)))


def old_storages(torch: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that they are deprecated is said once a process
        return _old_storages(torch)


def _old_storages(torch: Any) -> Any:
    x = torch.arange(4)
    storage = x[1:].storage()
    storage[0] = 7
    untyped, made = storage.untyped(), torch.UntypedStorage([1, 2])
    return [
        [repr(storage), x.tolist(), storage.tolist(), len(storage), storage.nbytes(), storage[1]],
        [storage.type(), storage.pickle_storage_type(), repr(untyped), repr(torch.FloatStorage)],
        [isinstance(storage, one) for one in (torch.LongStorage, torch.FloatStorage)],
        [repr(torch.FloatStorage([1, 2])), torch.is_storage(storage), torch.is_storage(untyped)],
        [x.storage_type().__name__, repr(made), torch.UntypedStorage(3).nbytes()],
        [repr(storage.clone().fill_(2)), storage.element_size(), str(storage.device)],
        [repr(storage.dtype), storage.is_shared(), untyped[:3].tolist(), made[1], list(made)],
        [attempt(lambda: storage[:2]), x.untyped_storage() == x[1:].untyped_storage()],
    ]
