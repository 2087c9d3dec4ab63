"""Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from collections import OrderedDict
from typing import Any

from tests.observe import attempt


def _three(torch: Any) -> list[Any]:
    return [torch.nn.ReLU(), torch.nn.Tanh(), torch.nn.Sigmoid()]


def sequential(torch: Any) -> Any:
    nn, s = torch.nn, torch.nn.Sequential(*_three(torch))
    shown = [nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh())), s[0], s[-1], s[1:], s[True],
             len(s), s.append(nn.ReLU()), s.insert(1, nn.GELU()), s.insert(-1, nn.Mish()),
             s.extend([nn.ReLU()]), s.pop(0), s + nn.Sequential(nn.ReLU()), s * 2, 2 * s,
             list(s), nn.ReLU() in s, s[0] in s]  # fmt: skip
    del s[0]
    shown.append(repr(s))
    del s[0:2]
    s[0] = nn.Identity()
    shown.append(repr(s))
    s += nn.Sequential(nn.ReLU())
    s *= 2
    return [repr(part) for part in (*shown, s)]


def sequential_misuse(torch: Any) -> Any:
    nn, s = torch.nn, torch.nn.Sequential(*_three(torch))
    return [attempt(f) for f in (
        lambda: s[5], lambda: s["a"], lambda: s.insert(9, nn.GELU()), lambda: s.insert(0, 3),
        lambda: s.append(3), lambda: s + 3, lambda: s * 0, lambda: s * "a",
        lambda: s.__setitem__(99, nn.Identity()), lambda: nn.Sequential([nn.ReLU()]),
        lambda: nn.Sequential({"a": nn.ReLU()}), lambda: nn.Sequential()(3),
        lambda: nn.Sequential(3), lambda: nn.Sequential(None), lambda: s.__iadd__(3),
        lambda: s.extend(3))]  # fmt: skip


def module_list(torch: Any) -> Any:
    nn, several = torch.nn, torch.nn.ModuleList(_three(torch))
    shown = [several[0], several[-1], several[1:], several.insert(1, nn.GELU()),
             several.extend([nn.ReLU()]), several + [nn.ReLU()], several.pop(0),
             several.pop(slice(0, 2)), list(reversed(several)), len(several)]  # fmt: skip
    del several[0]
    several[0] = nn.Mish()
    several += [nn.Mish(), nn.Linear(1, 1)]
    shown += [repr(several), nn.ModuleList([nn.Sequential(nn.ReLU())] * 3)]
    wrong = [attempt(f) for f in (
        lambda: several[9], lambda: several[-9], lambda: several.append(3),
        lambda: several.extend(3), lambda: nn.ModuleList(3), lambda: several(3))]  # fmt: skip
    return [*(repr(part) for part in shown), wrong, [n for n in dir(several) if n.isdigit()]]


def module_dict(torch: Any) -> Any:
    nn, d = torch.nn, torch.nn.ModuleDict({"a": torch.nn.ReLU(), "b": torch.nn.Tanh()})
    shown = [d["a"], d.pop("a"), list(d.keys()), list(d.items()), list(d.values()),
             d.update({"c": nn.Mish()}), d.update([("e", nn.ReLU())]), "c" in d, len(d),
             list(d), nn.ModuleDict(OrderedDict(z=nn.ReLU(), a=nn.ReLU()))]  # fmt: skip
    wrong = [attempt(f) for f in (
        lambda: d["z"], lambda: d.update(3), lambda: d.update([3]),
        lambda: d.update([(1, 2, 3)]), lambda: d.update([("q",)]),
        lambda: d.update([("q", 3)]), lambda: d.__setitem__("keys", nn.ReLU()),
        lambda: d.__setitem__(3, nn.ReLU()), lambda: d.__delitem__("q"))]  # fmt: skip
    d.clear()
    return [*(repr(part) for part in shown), wrong, repr(d)]


def parameter_list(torch: Any) -> Any:
    nn = torch.nn
    several = nn.ParameterList([torch.zeros(2), nn.Parameter(torch.ones(1)), 3])
    shown = [several[0], several[-1], several[0:2], several.append(torch.zeros(3)),
             several.append("x"), several.extend(nn.ParameterList([torch.zeros(1)])),
             len(several), list(several)]  # fmt: skip
    several[0] = torch.ones(5)
    several += [3]
    wrong = [attempt(f) for f in (
        lambda: several[77], lambda: several[-77], lambda: several.extend(3),
        lambda: nn.ParameterList(3), lambda: several(3), lambda: several["a"],
        lambda: several.__setitem__(77, 3))]  # fmt: skip
    return [*(repr(part) for part in (*shown, several)), wrong, list(several.state_dict()),
            len(list(several.parameters()))]  # fmt: skip


def parameter_dict(torch: Any) -> Any:
    nn, one = torch.nn, torch.ones(1)
    d = nn.ParameterDict({"b": torch.zeros(2), "a": nn.Parameter(one), "c": 3})
    shown = [repr(d), d["a"], d["b"], d.pop("a"), list(d), list(d.values()), list(d.items()),
             d.get("z"), d.get("z", 3), d.setdefault("z", one), d.setdefault("z"), d.popitem(),
             d.copy(), d.fromkeys(["a", "b"], one), d.update({"m": torch.ones(2)}),
             d | {"w": one}, {"w": one} | d, len(d), list(reversed(d)), "a" in d, "b" in d,
             nn.ParameterDict([("b", one), ("a", one)]),
             nn.ParameterDict(OrderedDict(b=1))]  # fmt: skip
    wrong = [attempt(f) for f in (
        lambda: d["q"], lambda: d.update(3), lambda: d.update([3]), lambda: d.update([(1,)]),
        lambda: d(3), lambda: d.__delitem__("zz"),
        lambda: nn.ParameterDict().__setitem__("a.b", one),
        lambda: nn.ParameterDict().__setitem__("keys", one),
        lambda: nn.ParameterDict().__setitem__(3, 3))]  # fmt: skip
    del d["b"]
    d.clear()
    return [*(repr(part) for part in shown), wrong, repr(d)]
