"""assert_close on pairs that are close and pairs that are not; each shows what was said."""

from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np

from tests.observe import attempt


def _say(torch: Any, pairs: list[tuple[Any, Any]], **options: Any) -> list[str]:
    close = torch.testing.assert_close
    return [attempt(lambda a=a, e=e: close(a, e, **options)) for a, e in pairs]


def close(torch: Any) -> list[str]:
    t = torch.tensor
    return _say(torch, [
        (t([1.0, 2.0]), t([1.0, 2.0 + 1e-6])), (t(1), t(1)), (t([True]), t([True])),
        (t([1.0], requires_grad=True), t([1.0])), (torch.ones(0), torch.ones(0)),
        (t([float("inf")]), t([float("inf")])), (torch.ones(2, 3), torch.ones(3, 2).t()),
        (1.0, 1.0 + 1e-9), (2, 2), (1j, 1j), (True, True), (None, None), (np.float64(1), 1.0),
        (np.ones(2), np.ones(2)), ([t(1.0), {"a": t(2)}], (t(1.0), {"a": t(2)})),
        (range(3), [0, 1, 2]), (torch.nn.Parameter(torch.ones(2)), torch.ones(2)),
    ])  # fmt: skip


def tensors(torch: Any) -> list[str]:
    t = torch.tensor
    return _say(torch, [
        (t([1.0, 2.0]), t([1.0, 3.0])), (torch.ones(2), torch.zeros(2)), (t([1, 2]), t([1, 3])),
        (torch.ones(2, 3), torch.ones(2, 3) + torch.eye(2, 3) / 8),
        (t([True, False]), t([True, True])), (t([1 + 1j]), t([1 + 2j])),
        (t([1], dtype=torch.uint8), t([255], dtype=torch.uint8)), (t([1.0]), t([2.0])),
        (t([1.0], dtype=torch.float64), t([1.25], dtype=torch.float64)),
        (t([1.0], dtype=torch.float16), t([1.01], dtype=torch.float16)),
        (t([1.0], dtype=torch.bfloat16), t([1.1], dtype=torch.bfloat16)),
        (torch.zeros(3, 2).t(), torch.arange(6.0).view(3, 2).t()),
    ])  # fmt: skip


def tensors_without_dimensions(torch: Any) -> list[str]:
    t = torch.tensor
    pairs = [(t(1.0), t(2.0)), (t(1), t(3)), (t(True), t(False)), (t(1 + 1j), t(1 - 1j))]
    return _say(torch, pairs)


def infinities_and_nans(torch: Any) -> list[str]:
    t, inf, nan = torch.tensor, float("inf"), float("nan")
    pairs = [
        (t([nan]), t([nan])), (t(nan), t(1.0)), (t([inf, 1.0]), t([1.0, 1.0])),
        (t([1.0, 1.0]), t([inf, 1.0])), (t([1.0, nan, 3.0]), t([1.0, 2.0, 3.0])),
        (t([1.0, inf]), t([1.0, -inf])), (nan, nan), (inf, 1.0), (1.0, inf), (1.0, 0.0),
    ]  # fmt: skip
    return _say(torch, pairs) + _say(torch, pairs, equal_nan=True)


def attributes(torch: Any) -> list[str]:
    ones = torch.ones
    double = torch.float64
    return [
        *_say(torch, [(ones(2), ones(3)), (ones(0), ones(0, 2)), (ones(2), ones(2, dtype=double)),
                      (ones(1, dtype=torch.float16), ones(2, dtype=double)),
                      (torch.tensor([True]), torch.tensor([1]))]),
        *_say(torch, [(ones(2), ones(2, dtype=double)), (ones(2), torch.zeros(2, dtype=double)),
                      (ones(2), torch.zeros(2, dtype=torch.int64)), (1, 1.0),
                      (torch.tensor([1], dtype=torch.int32), torch.tensor([2]))],
              check_dtype=False),
        *_say(torch, [(ones(2, 3), ones(3, 2).t())], check_stride=True),
    ]  # fmt: skip


def numbers(torch: Any) -> list[str]:
    return _say(torch, [(1.0, 2.0), (1, 2), (1, 2.0), (1, 1.0), (1j, 2j), (True, False),
                        (np.float64(1), np.float64(2)), (np.ones(2), np.zeros(2))])  # fmt: skip


def containers(torch: Any) -> list[str]:
    t = torch.tensor
    return _say(torch, [
        ([t(1.0), t(2.0)], [t(1.0), t(3.0)]), ([t(1.0)], [t(1.0), t(2.0)]),
        ([[1.0, 2.0], [3.0, [4.0]]], [[1.0, 2.0], [3.0, [5.0]]]),
        ([torch.ones(2)], [torch.ones(3)]), ({"a": t(1.0)}, {"a": t(2.0)}),
        ({"a": t(1.0)}, {"b": t(1.0)}), ({"a": 1.0, "b": 2.0}, {"b": 2.0}), ({0: 1.0}, {0: 2.0}),
        ({"a": [1.0, {"b": t([1.0, 2.0])}]}, {"a": [1.0, {"b": t([1.0, 2.5])}]}),
        ([1.0], [t(1.0)]),
    ])  # fmt: skip


def unlike(torch: Any) -> list[str]:
    t = torch.tensor
    return _say(torch, [
        (1.0, t(1.0)), (t(1.0), 1.0), (t([1.0]), [1.0]), ([1.0], t([1.0])), ("a", "a"),
        (np.ones(2), torch.ones(2)), ({1.0}, {1.0}), ({"a": 1.0}, [1.0]), (None, t(1.0)),
    ])  # fmt: skip


def tolerances(torch: Any) -> list[str]:
    t = torch.tensor
    pairs = [(t(1.0), t(2.0)), (1.0, 2.0), (t([10]), t([12])), (t([1.0, 2.0]), t([1.5, 2.0]))]
    return [
        *_say(torch, pairs, rtol=0, atol=0.4),
        *_say(torch, pairs, rtol=0.4, atol=0),
        *_say(torch, pairs, rtol=0.6, atol=0),
        *_say(torch, pairs, rtol=0, atol=0),
        *_say(torch, pairs[:1], rtol=0.1),
        *_say(torch, pairs[:1], atol=0.1),
    ]


def messages(torch: Any) -> list[str]:
    pairs = [(torch.tensor(1.0), torch.tensor(2.0)), ([1.0], [2.0]), ([1.0], [1.0, 2.0])]
    return [
        *_say(torch, pairs, msg="they differ"),
        *_say(torch, pairs, msg=lambda usual: f"Look:\n{usual}!"),
        *_say(torch, [(torch.nn.Parameter(torch.ones(2)), torch.ones(2))], allow_subclasses=False),
    ]


def more_containers(torch: Any) -> list[str]:
    t = torch.tensor
    Pair = namedtuple("Pair", "left right")
    return _say(torch, [
        (Pair(t(1.0), t(2.0)), Pair(t(1.0), t(3.0))), (Pair(1, 2), (1, 2)), ([], []), ({}, {}),
        (OrderedDict(a=1.0), {"a": 1.0}), ({"b": 1.0, "a": 2.0}, {"a": 3.0, "b": 4.0}),
        ({1: 1.0, "a": 2.0}, {1: 1.0, "a": 3.0}), ([[]], [[1.0]]), ([None, 1], [None, 2]),
        (["a"], ["a"]), ([1.0, "a"], [1.0, "a"]), ((1.0, [2.0, (3.0,)]), (1.0, [2.0, (4.0,)])),
        ({"a": {"b": {"c": t([1, 2])}}}, {"a": {"b": {"c": t([1, 3])}}}), ([1.0], (1.0,)),
        ({"a": 1}, {"a": 1, "b": 2, "c": 3}), ([[1.0]], [[t(1.0)]]), ([object()], [object()]),
        (b"a", b"a"), ([1.0], np.array([1.0])), (np.array([1.0]), [1.0]),
    ])  # fmt: skip


def more_values(torch: Any) -> list[str]:
    t, inf, nan = torch.tensor, float("inf"), float("nan")
    return _say(torch, [
        (np.bool_(True), np.bool_(False)), (np.int64(1), 2), (np.float32(1), np.float32(2)),
        (t([complex(nan, 1)]), t([complex(1, nan)])), (t([complex(inf, 0)]), t([complex(inf, 0)])),
        (t([0.0]), t([1e-6])), (t([0.0]), t([1e-4])), (0, 1), (0.0, 0.0), (-0.0, 0.0), (1, -1),
        (complex(1, nan), complex(1, nan)), (np.array([1, 2]), np.array([1, 3])), (1e300, -1e300),
        (np.array(1.0), np.array(2.0)), (np.array([1.0]), np.array([[1.0]])), (inf, -inf),
        (t([255], dtype=torch.uint8), t([0], dtype=torch.uint8)), (np.ones(2), np.ones(2, "f4")),
        (t([-128], dtype=torch.int8), t([127], dtype=torch.int8)), (t([[1.0, 2.0], [3.0, 4.0]]),
        t([[1.0, 2.0], [3.0, 5.0]])), (t([1.0, 2.0, 3.0]), t([3.0, 2.0, 1.0])),
        (torch.ones(2, requires_grad=True) * 2, torch.ones(2)), (torch.ones(1, 1), torch.ones(1)),
    ])  # fmt: skip


def more_options(torch: Any) -> list[str]:
    t, nan = torch.tensor, float("nan")
    ones, P = torch.ones, torch.nn.Parameter
    return [
        *_say(torch, [(P(ones(2)), P(ones(2))), (P(ones(2)), ones(2)), (ones(2), P(ones(2))),
                      ([P(ones(2))], [ones(2)]), ([1.0], (1.0,)), (1, 1.0)],
              allow_subclasses=False),
        *_say(torch, [([nan], [nan]), ({"a": t([nan])}, {"a": t([nan])}), (nan, 1.0),
                      (complex(nan, 0), complex(nan, 0)), (t([1j * nan]), t([1j * nan]))],
              equal_nan=True),
        *_say(torch, [(ones(2), ones(2)), (1.0, 1.5)], rtol=0.5, atol=0.5),
        *_say(torch, [(ones(2, 3), ones(3, 2).t()), (ones(2), ones(4)[::2])], check_stride=True),
        *_say(torch, [(ones(2), ones(2, dtype=torch.float16)), (t(1), t(True)),
                      (t([1]), t([1.5])), (np.ones(2), np.ones(2, "f4"))], check_dtype=False),
        *_say(torch, [(ones(2), ones(2))], check_device=False, check_layout=False),
        *_say(torch, [(t([10]), t([12]))], rtol=0.1, atol=1),
        *_say(torch, [({"a": 1.0}, {"a": 2.0}), ({"a": 1.0}, {"b": 2.0})], msg=str.upper),
        attempt(lambda: torch.testing.assert_close(ones(1))),
        attempt(lambda: torch.testing.assert_close(1.0, 1.0, rtol=-1, atol=0)),
        attempt(lambda: torch.testing.assert_close(1.0, 2.0, msg="")),
    ]  # fmt: skip


def derived_classes(torch: Any) -> list[str]:
    T = type("Length", (torch.Tensor,), {})
    a, b = torch.ones(2).as_subclass(T), torch.ones(2)
    pairs = [(a, a + 0), (a, b), (b, a), (a, a + 1)]
    return [*_say(torch, pairs), *_say(torch, pairs, allow_subclasses=False)]
