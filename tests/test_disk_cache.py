"""What is kept on disk between processes: read if it is the one that was written, and made anew if not."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, scalar_dtypes

from outlines_cont import disk_cache, errors
from outlines_cont.disk_cache import Arrays, kept
from outlines_cont.files import in_place_of

ARRAYS = {"order": np.arange(50), "classes": np.array([[1.5, 2.5]]), "none": np.empty((0, 3), np.int32)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path / "made" / "here"))
    monkeypatch.setattr(errors, "_warned", set())
    return tmp_path / "made" / "here"


def never() -> Arrays:
    raise AssertionError("made again")


def once() -> Arrays:
    return {name: array.copy() for name, array in ARRAYS.items()}


def same(made: Arrays, wanted: Arrays = ARRAYS) -> bool:
    return made.keys() == wanted.keys() and all(
        made[name].dtype == wanted[name].dtype
        and made[name].shape == wanted[name].shape
        and made[name].tobytes() == wanted[name].tobytes()
        for name in wanted
    )


def the_file(folder: Path) -> Path:
    [path] = folder.iterdir()
    return path


def test_what_was_made_is_read_by_its_kind_and_key(folder: Path):
    assert same(kept("a", "k", once)) and same(kept("a", "k", never))
    for kind, key in [("b", "k"), ("a", "other")]:
        with pytest.raises(AssertionError, match="made again"):
            kept(kind, key, never)
    the_file(folder)  # and nothing half written


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    made=st.dictionaries(
        st.text("ab", max_size=3),
        arrays(scalar_dtypes(), st.just(()) | array_shapes(min_side=0, max_side=4)),
        max_size=4,
    )
)
def test_arrays_of_any_type_and_shape_come_back(folder: Path, made: Arrays):
    shutil.rmtree(folder, ignore_errors=True)
    assert same(kept("a", "k", lambda: dict(made)), made) and same(kept("a", "k", never), made)


def test_objects_are_no_arrays_to_keep(folder: Path):
    with pytest.raises(TypeError, match="arrays of object cannot be kept"):
        kept("a", "k", lambda: {"x": np.array([None])})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_file_that_is_not_the_one_that_was_written_is_made_anew(folder: Path, data: st.DataObject):
    kept("a", "k", once)
    path = the_file(folder)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    path.write_bytes(data.draw(st.sampled_from([flipped, whole[:at], whole[at:], whole + b"x", b""])))
    assert path.read_bytes() == whole or same(kept("a", "k", once))
    assert path.read_bytes() == whole


def test_a_file_in_the_place_of_another_is_made_anew(folder: Path):
    kept("a", "k", once)
    path = the_file(folder)
    kept("a", "other", lambda: {"order": np.arange(3)})
    [other] = set(folder.iterdir()) - {path}
    shutil.copy(other, path)
    assert same(kept("a", "k", once)) and same(kept("a", "k", never))


def test_a_change_of_the_source_makes_it_anew(folder: Path, tmp_path: Path):
    source = tmp_path / "source.py"
    source.write_text("1")
    assert same(kept("a", "k", once, [source])) and same(kept("a", "k", never, [source]))
    source.write_text("2")
    with pytest.raises(AssertionError, match="made again"):
        kept("a", "k", never, [source])
    source.unlink()  # it cannot be told whether it changed
    assert same(kept("a", "k", once, [source]))
    the_file(folder)


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_file_that_others_may_write_is_made_anew(folder: Path, mode: int):
    kept("a", "k", once)
    the_file(folder).chmod(mode)
    assert same(kept("a", "k", once)) and same(kept("a", "k", never))
    assert the_file(folder).stat().st_mode & 0o777 == 0o644


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_another_user_is_made_anew(folder: Path):
    kept("a", "k", once)
    os.chown(the_file(folder), 12345, -1)
    assert same(kept("a", "k", once)) and the_file(folder).stat().st_uid == 0


def test_a_umask_that_shares_files_does_not_share_these(folder: Path):
    before = os.umask(0)
    try:
        assert same(kept("a", "k", once)) and same(kept("a", "k", never))
    finally:
        os.umask(before)


def in_its_place(place: Callable[[Path], object], folder: Path) -> Path:
    kept("a", "k", once)
    path = the_file(folder)
    path.unlink()
    place(path)
    return path


def test_a_pipe_or_a_link_in_its_place_is_replaced(folder: Path, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    for place in (os.mkfifo, lambda path: path.symlink_to(elsewhere), lambda path: path.symlink_to(tmp_path / "no")):
        path = in_its_place(place, folder)
        assert same(kept("a", "k", once)) and same(kept("a", "k", never))
        assert path.is_file() and not path.is_symlink()
        path.unlink()
    assert elsewhere.read_text() == "mine" and not (tmp_path / "no").exists()


def test_where_nothing_can_be_kept_one_warning_says_so_and_it_goes_on(folder: Path):
    folder.parent.write_text("a file where the folder's parent should be")
    with pytest.warns(RuntimeWarning, match=rf"nothing can be kept in {folder} .* OUTLINES_CONT_CACHE= \(empty\) none"):
        assert same(kept("a", "k", once))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(kept("a", "k", once)) and same(kept("b", "k", once))


def test_a_full_disk_costs_a_warning_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        assert same(kept("a", "k", once))
    assert list(folder.iterdir()) == []


def test_a_folder_in_its_place_costs_a_warning(folder: Path):
    in_its_place(Path.mkdir, folder)
    with pytest.warns(RuntimeWarning, match="nothing can be kept"):
        assert same(kept("a", "k", once))


def test_nothing_is_kept_where_the_switch_is_empty(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(disk_cache.SWITCH, "")
    assert same(kept("a", "k", once)) and not folder.exists()


def test_arrays_are_read_only_whoever_made_them(folder: Path):
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            kept("a", "k", once)["order"][0] = 1


def test_the_usual_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert disk_cache.folder() == tmp_path / "outlines_cont"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(kept("a", "k", once))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # is to be ignored, says its specification
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert disk_cache.folder() == tmp_path / "home" / ".cache" / "outlines_cont"
    monkeypatch.setenv(disk_cache.SWITCH, "~/there")
    assert disk_cache.folder() == tmp_path / "home" / "there"


def test_what_was_longest_unused_is_deleted_beyond_the_limit(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(disk_cache, "LIMIT", 4 * 10_500)
    folder.mkdir(parents=True)
    (folder / "somebody's.txt").write_bytes(bytes(10**6))
    (folder / f".{'0' * 16}.tmp").write_bytes(b"half")  # a process was killed
    for age, key in enumerate("abcd"):
        before = set(folder.iterdir())
        kept(key, "k", lambda: {"x": np.zeros(10_000, np.uint8)})
        [new] = set(folder.iterdir()) - before
        os.utime(new, (1000 + age, 1000 + age))
    kept("a", "k", never)  # used again, so b is the oldest
    with in_place_of(folder / "at work"):
        [at_work] = set(folder.glob(".*.tmp"))
        kept("e", "k", lambda: {"x": np.zeros(10_000, np.uint8)})
        names = {path.name.split("-")[0] for path in folder.iterdir()}
    assert names == {"a", "c", "d", "e", "somebody's.txt", at_work.name}


def test_threads_and_forked_processes_read_and_write_at_once(folder: Path):
    right: list[bool] = []

    def work() -> None:
        for turn in range(20):
            for path in folder.glob("*") if turn % 3 == 0 else ():
                path.unlink(missing_ok=True)
            right.append(same(kept("a", str(turn % 4), once)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    children = []
    for _ in range(3):
        if not (child := os.fork()):
            status = 1
            try:
                status = 0 if all(same(kept("a", str(turn % 4), once)) for turn in range(20)) else 1
            finally:
                os._exit(status)
        children.append(child)
    for thread in threads:
        thread.join()
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    assert right == [True] * 80


CONSTRAINED = """
import hashlib, os, random, signal, sys
if "killed" in sys.argv:  # when its file is written, and has not taken its place
    os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
from outlines_cont.fsm.guide import regex
from outlines_cont.fsm.vocabulary import Vocabulary

r = random.Random(0)
words = [bytes(r.choices(b"abc 012", k=r.randrange(2, 9))) for _ in range(20000)]
tokens = [b"<eos>", *(bytes([b]) for b in range(256)), *words]
g = regex("[a-c0-9 ]{3,40}x", Vocabulary(tokens, eos=[0]))
digest, state = hashlib.sha256(), g.initial
for _ in range(5):
    digest.update(g.mask(state).tobytes())
    state = g.advance(state, 1 + ord("b"))
print(digest.hexdigest())
"""


def test_four_processes_begin_at_once_and_one_is_killed_in_the_middle(folder: Path):
    def begun(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", CONSTRAINED, *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    processes = [begun("killed"), *(begun() for _ in range(3))]
    answers = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [-signal.SIGKILL] + [0] * 3
    assert len({answer for answer in answers[1:]}) == 1 and answers[1][1] == ""
    assert begun().communicate() == answers[1]  # and keeps what the others left to the one that was killed
    written = {path: path.stat().st_ino for path in folder.glob("*.kept")}
    assert {path.name.split("-")[0] for path in written} == {"engine", "trie"}
    assert begun().communicate() == answers[1]
    assert {path: path.stat().st_ino for path in folder.glob("*.kept")} == written, "made again, though it was there"
