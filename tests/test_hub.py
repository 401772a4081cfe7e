"""Hub ids: what is there is loaded, also after it is gone; a hub that nobody reaches is named soon."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import gguf_files
import pytest

import outlines_cont as oc
from outlines_cont import hub

NAME = "somebody/tiny"
FILES = Path(oc.tiny.PATH)
COMMIT = "0" * 40


class Hub(BaseHTTPRequestHandler):
    """The hub of one model, as far as it is asked for files."""

    busy: int  # how many requests it turns away before it answers

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        if Hub.busy:
            Hub.busy -= 1
            self.answer(503, b"")
            return
        owner, _, name = self.path.partition("/resolve/")
        file = FILES / name.partition("/")[2]
        if owner.strip("/") == NAME and file.is_file():
            self.answer(200, file.read_bytes())
        else:
            self.answer(404, b"", ("X-Error-Code", "EntryNotFound"))

    def answer(self, status: int, data: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        tag = f'"{sha256(data).hexdigest()}"'
        for name, value in (("X-Repo-Commit", COMMIT), ("ETag", tag), ("Content-Length", str(len(data))), *headers):
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A hub that nobody reaches: for how long somebody has waited for it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    waited: list[float] = []
    at(monkeypatch, address)
    monkeypatch.setattr("time.sleep", waited.append)
    return waited


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    """A hub on this machine."""
    Hub.busy = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        at(monkeypatch, f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()
        thread.join()


def at(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """From now on the hub is there."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    template = address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_hub_that_nobody_reaches_is_named_soon(away: list[float], tmp_path: Path) -> None:
    """It took 46 seconds of waiting."""
    right = r"nothing of this hub id is kept on this machine, and the hub cannot be reached \(Connect"
    with pytest.raises(FileNotFoundError, match=right) as told:
        oc.load(NAME, cache_dir=tmp_path)
    assert str(told.value).startswith(f"load('{NAME}'): there is no such folder") and sum(away) <= 2


def test_so_is_that_of_a_tokenizer(away: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=rf"load\('{NAME}'\): .* cannot be reached"):
        oc.load(gguf_files.shipped(tmp_path), tokenizer=NAME)
    assert sum(away) <= 2


@pytest.mark.parametrize("busy", [0, 1, 2])
def test_what_is_there_is_loaded(near: Any, tmp_path: Path, busy: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also from a hub that turns somebody away at first; and from the cache, once the hub is gone."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    Hub.busy = busy
    model = oc.load(NAME, cache_dir=tmp_path, dtype="float32")
    assert model.identity == oc.load().identity
    near.shutdown()
    near.server_close()
    monkeypatch.setattr(hub, "_no_connection", lambda *_: pytest.fail("the hub was asked for what is kept"))
    assert oc.load(NAME, cache_dir=tmp_path, dtype="float32").identity == model.identity


def test_what_is_not_there_is_told_in_the_words_of_transformers(near: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such model was had from the hub"):
        oc.load("nobody/tiny", cache_dir=tmp_path)
