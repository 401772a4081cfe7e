"""What a follower does: obey the commands of rank 0 until it ends."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import torch
import torch.distributed as dist

from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.hf.ranks.packed_pass import FollowingPools, LayoutMessage
from outlines_cont.engines.hf.ranks.stream import CommandStream


class Follower:
    """One rank's shard of the model, and what it does at each command."""

    def __init__(self, engine: TransformersEngine, stream: CommandStream):
        self._engine, self._stream, self._pools = engine, stream, FollowingPools()

    def follow(self) -> NoReturn:
        """Obey until rank 0 ends; then SystemExit with code 0. What fails here is told to rank 0, and raised."""
        number = 0
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all: rank 0 decides
        self._stream.beat()
        try:
            while True:
                name, (notes, payload), number = self._stream.receive()
                for note in notes:
                    self._pools.obey(note)
                if name == "end":
                    break
                self._obey(name, payload, number)
                self._stream.done(number)
        except BaseException as error:
            self._stream.fail(error)
            raise
        self._stream.answer(number, None)
        with suppress(Exception):
            dist.destroy_process_group()
        sys.exit(0)

    def _obey(self, name: str, payload: Any, number: int) -> None:
        if name == "pass":
            self._compute(payload)
        elif name == "identity":
            self._engine.identity_with(payload)
        else:
            self._stream.answer(number, applied(self._engine, payload))

    def _compute(self, packed: LayoutMessage) -> None:
        with torch.inference_mode(False), torch.no_grad():
            attention_hook.compute(self._engine.hf, self._pools.of(packed), packed.layout(), packed.wanted)


def applied(engine: TransformersEngine, fn: Callable[[Any], Any]) -> tuple[bool, str]:
    """Run a function of the model on this rank: whether the parameters have changed, and what went wrong, in words."""
    before, error = engine.version(), ""
    try:
        fn(engine.hf)
    except Exception as wrong:
        error = f"{type(wrong).__name__}: {wrong}"
    return engine.version() != before, error
