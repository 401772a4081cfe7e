"""What is kept on disk between processes."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outlines_cont import disk_cache

ARRAYS = {"order": np.arange(50), "classes": np.array([[1.5, 2.5]])}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path / "made" / "here"))
    return tmp_path / "made" / "here"


def never() -> dict[str, np.ndarray]:
    raise AssertionError("made again")


def same(arrays: dict[str, np.ndarray]) -> bool:
    return arrays.keys() == ARRAYS.keys() and all(np.array_equal(arrays[name], ARRAYS[name]) for name in ARRAYS)


def test_what_was_made_is_read_by_its_kind_and_key(folder: Path):
    assert same(disk_cache.kept("a", "k", lambda: dict(ARRAYS))) and same(disk_cache.kept("a", "k", never))
    for kind, key in [("b", "k"), ("a", "other")]:
        with pytest.raises(AssertionError, match="made again"):
            disk_cache.kept(kind, key, never)
    assert len(list(folder.iterdir())) == 1  # and nothing half written


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_file_that_is_not_the_one_that_was_written_is_made_anew(folder: Path, data: st.DataObject):
    disk_cache.kept("a", "k", lambda: dict(ARRAYS))
    [path] = folder.iterdir()
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    path.write_bytes(data.draw(st.sampled_from([flipped, whole[:at], whole + b"x", b""])))
    assert same(disk_cache.kept("a", "k", lambda: dict(ARRAYS)))
    assert path.read_bytes() == whole


def test_nothing_is_kept_where_the_switch_is_empty(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(disk_cache.SWITCH, "")
    assert same(disk_cache.kept("a", "k", lambda: dict(ARRAYS))) and not folder.exists()


def test_a_folder_that_cannot_be_written_costs_a_warning(folder: Path):
    folder.parent.write_text("a file where the folder's parent should be")
    with pytest.warns(RuntimeWarning, match=r"nothing can be kept in .* OUTLINES_CONT_CACHE= \(empty\) none"):
        assert same(disk_cache.kept("a", "k", lambda: dict(ARRAYS)))


def test_arrays_are_read_only_whoever_made_them(folder: Path):
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            disk_cache.kept("a", "k", lambda: {"order": np.arange(3)})["order"][0] = 1


def test_the_usual_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert disk_cache.folder() == tmp_path / "outlines_cont"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(disk_cache.kept("a", "k", lambda: dict(ARRAYS)))
