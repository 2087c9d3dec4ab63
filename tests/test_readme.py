"""What the two READMEs show is what is printed, by seegrad and by PyTorch."""

import doctest
import pathlib
import re

import pytest

from tests.sources import ROOT

FILES = ["README.md", "README.ko.md"]
LOCAL_LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


class _Sentences(doctest.OutputChecker):
    """Of an error PyTorch's sentence is compared; notes of seegrad's own may follow it."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        is_error = re.match(r"\w+Error: ", want) is not None
        return got.startswith(want) if is_error else super().check_output(want, got, optionflags)


def _run(text: str, name: str) -> None:
    """Runs the examples of a text, the output compared to the character."""
    test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, name, name, 0)
    assert len(test.examples) > 20
    said: list[str] = []
    runner = doctest.DocTestRunner(_Sentences(), verbose=False)
    runner.run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", FILES)
def test_tour(name: str) -> None:
    _run(_text(name), name)


@pytest.mark.oracle
def test_tour_on_pytorch() -> None:
    pytest.importorskip("torch")
    _run(_text("README.md").replace("import seegrad as torch", "import torch"), "README.md")


@pytest.mark.parametrize("name", FILES)
def test_links_lead_somewhere(name: str) -> None:
    broken = [link for link in LOCAL_LINK.findall(_text(name)) if not (ROOT / link).exists()]
    assert not broken


@pytest.mark.parametrize("name", FILES)
def test_folders_named_are_there(name: str) -> None:
    named = re.findall(r"`((?:src|docs|examples)/[\w./]+)`", _text(name))
    assert named
    assert all(pathlib.Path(ROOT, path).exists() for path in named)


def _examples(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", _text(name), re.DOTALL)


def test_both_languages_show_the_same() -> None:
    assert _examples(FILES[0]) == _examples(FILES[1])
