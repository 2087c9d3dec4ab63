"""Workers of a DataLoader end when they should, and never keep anybody waiting."""

import gc
import multiprocessing
import os
import pathlib
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import seegrad as torch
import seegrad.multiprocessing as mp
from seegrad.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info
from tests.test_cli import _run, _script

pytestmark = pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
fork = multiprocessing.get_context("fork")


class Places(Dataset[Any]):
    """Its samples are their places."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, place: int) -> Any:
        return place


class Calling(Places):
    """Calls a function for each sample."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __getitem__(self, place: int) -> Any:
        return self.function(place)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    gc.collect()
    assert not multiprocessing.active_children()


def loader(dataset: Any, **options: Any) -> Any:
    return DataLoader(dataset, multiprocessing_context="fork", **{"num_workers": 1} | options)


def test_tensors_come_as_they_were() -> None:
    samples = [
        torch.ones(2, 3).t(), torch.zeros(0, 3), torch.tensor(2.0), torch.arange(3),
        torch.ones(2, dtype=torch.bfloat16), torch.randn(300, 300),
        torch.nn.Parameter(torch.ones(1)), {"text": [None, 1j]}, np.arange(3),
    ]  # fmt: skip
    (found,) = loader(samples, batch_size=9, collate_fn=list)
    for ours, theirs in zip(found, samples, strict=True):
        if isinstance(theirs, torch.Tensor):
            assert type(ours) is type(theirs)
            assert ours.dtype == theirs.dtype
            assert ours.requires_grad == theirs.requires_grad
            assert torch.equal(ours, theirs)
            ours.detach().add_(1)  # its memory is its own, and can be written to
        else:
            assert str(ours) == str(theirs)
    assert torch.equal(samples[0], torch.ones(3, 2))


def test_in_any_order_nobody_waits_for_the_first() -> None:
    done = fork.Event()

    def first_waits(place: int) -> int:
        assert place > 0 or done.wait(60)
        return place

    data = Calling(first_waits)
    walk = iter(loader(data, batch_size=None, num_workers=2, in_order=False))
    found = [next(walk) for _ in range(4)]
    assert 0 not in found
    done.set()
    assert sorted([*found, *walk]) == list(range(8))


def test_a_late_answer_is_waited_for_only_so_long() -> None:
    ready = fork.Event()
    walk = iter(loader(Calling(lambda place: ready.wait(60) and place), timeout=0.05))
    with pytest.raises(RuntimeError, match=r"^DataLoader timed out after 0.05 seconds$"):
        next(walk)
    ready.set()
    walk._loader.timeout = 60
    assert next(walk).tolist() == [0]


def test_workers_end_with_a_walk_that_ends_early() -> None:
    for batch in loader(Places(), num_workers=2):
        assert batch.tolist() == [0]
        break
    gc.collect()
    assert not multiprocessing.active_children()
    walk = iter(loader(Places(), prefetch_factor=1, batch_size=8))
    assert len(multiprocessing.active_children()) == 1
    assert next(walk).tolist() == list(range(8))
    with pytest.raises(StopIteration):
        next(walk)
    assert not multiprocessing.active_children()  # before anybody collects


def test_persistent_workers_stay() -> None:
    made = loader(Calling(lambda place: os.getpid()), batch_size=8, persistent_workers=True)
    (first,), (second,) = made, made
    assert first.unique().tolist() == second.unique().tolist() != [os.getpid()]


def test_a_walk_that_is_begun_again_forgets_the_first_one() -> None:
    made = loader(Places(), num_workers=2, persistent_workers=True)
    next(iter(made))
    assert [batch.item() for batch in made] == list(range(8))


def test_an_interrupt_reaches_the_caller() -> None:
    parent = os.getpid()

    def interrupt(place: int) -> None:
        os.kill(parent, signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)  # a terminal tells all processes

    # A shell that runs the suite in the background has switched the signal off.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(loader(Calling(interrupt)))
    finally:
        signal.signal(signal.SIGINT, before)


def test_batches_that_were_ready_come_before_the_news_of_a_death() -> None:
    def die(place: int) -> int:
        if place == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return place

    walk = iter(loader(Calling(die), num_workers=2, prefetch_factor=2))
    assert [next(walk).item() for _ in range(5)] == list(range(5))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="exited unexpectedly"):
            next(walk)


def test_what_cannot_be_sent_is_an_error() -> None:
    one = torch.ones(1, requires_grad=True) * 2
    for value, text in ((one, "Cowardly refusing"), (lambda: 1, "Can't (pickle|get) local")):
        with pytest.raises((RuntimeError, AttributeError), match=text):
            next(iter(loader(Calling(lambda place, v=value: v), batch_size=None)))


def test_an_error_of_a_local_class_is_one_of_its_base() -> None:
    class Local(LookupError):
        pass

    def fail(place: int) -> None:
        raise Local("here")

    with pytest.raises(LookupError, match="Caught Local in DataLoader worker process 0") as caught:
        next(iter(loader(Calling(fail))))
    assert caught.type is LookupError
    assert "in fail" in str(caught.value)


def _walk_and_die(pipe: Any) -> None:
    """Starts a worker that holds the pipe too, and dies without a word."""
    walk = iter(loader(Places(), num_workers=2))
    next(walk)
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_do_not_outlive_their_parent() -> None:
    reading, writing = fork.Pipe(duplex=False)
    parent = fork.Process(target=_walk_and_die, args=(writing,))
    parent.start()
    writing.close()
    assert reading.poll(30), "a worker still holds the other end"
    parent.join()
    assert parent.exitcode == -signal.SIGKILL


class Halves(IterableDataset[Any]):
    """Each worker gives its part."""

    def __iter__(self) -> Iterator[int]:
        info = get_worker_info()
        assert info is not None
        return iter(range(info.id, 6, info.num_workers))


def test_workers_are_spawned() -> None:
    made = DataLoader(Halves(), 2, num_workers=2, multiprocessing_context="spawn")
    assert [batch.tolist() for batch in made] == [[0, 2], [1, 3], [4], [5]]


def test_queues_send_tensors_without_history() -> None:
    queue: Any = mp.SimpleQueue()
    queue.put([torch.ones(2), torch.ones(1, requires_grad=True)])
    ones, leaf = queue.get()
    assert ones.tolist() == [1, 1]
    assert leaf.requires_grad
    with pytest.raises(RuntimeError, match=r"^Cowardly refusing to serialize non-leaf tensor"):
        queue.put(torch.ones(1, requires_grad=True) * 2)


def _fail(number: int, how: str) -> None:
    if number == 1:
        if how == "raise":
            raise ValueError("one")
        os._exit(3) if how == "exit" else os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(("how", "kind", "text"), [
    ("raise", mp.ProcessRaisedException, r"\n\n-- Process 1 terminated with the following error:\n"
                                         r"Traceback [\s\S]*ValueError: one\n$"),
    ("exit", mp.ProcessExitedException, "^process 1 terminated with exit code 3$"),
    ("kill", mp.ProcessExitedException, "^process 1 terminated with signal SIGKILL$"),
])  # fmt: skip
def test_processes_that_fail(how: str, kind: Any, text: str) -> None:
    assert mp.start_processes(_fail, ("no",), 1, start_method="fork") is None
    with pytest.raises(kind, match=text) as caught:
        mp.start_processes(_fail, (how,), 2, start_method="fork")
    assert caught.value.error_index == 1


def test_a_script_spawns_processes_that_know_what_torch_is(tmp_path: pathlib.Path) -> None:
    _script(tmp_path, """
        import torch
        from torch.utils.data import DataLoader, Dataset

        class Rows(Dataset):
            def __len__(self):
                return 2
            def __getitem__(self, place):
                return torch.ones(2) * place

        if __name__ == "__main__":
            for batch in DataLoader(Rows(), num_workers=1, multiprocessing_context="spawn"):
                print(batch.tolist(), torch.__name__)
    """)  # fmt: skip
    ended = _run("script.py", folder=tmp_path)
    assert (ended.stdout, ended.stderr) == ("[[0.0, 0.0]] seegrad\n[[1.0, 1.0]] seegrad\n", "")
