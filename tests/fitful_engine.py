"""An engine that draws rows inside, and does all that vLLM may do, at random.

It shows logits that it throws away, computes rows anew, leaves rows out of a pass, ends requests, and changes places in
its batch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

import outlines_cont as oc
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.vllm.requests import KEY, BatchPlaces, Requests


class FitfulModel:
    """A language model with a cache of its own, whose rows are written by requests to a `FitfulEngine`."""

    keeps = False

    def __init__(self, reference: oc.Model, seed: int, most: int = 64):
        self.vocabulary, self.encoder, self.context_length = (
            reference.vocabulary,
            reference.encoder,
            reference.context_length,
        )
        self.device, self.dtype, self.identity = reference.device, reference.dtype, f"fitful {reference.identity}"
        self.engine_of_rows = FitfulEngine(reference, seed, most)
        end = reference.vocabulary.eos[0]
        self.requests = Requests(
            self.engine_of_rows, lambda key, length: SimpleNamespace(end=end, extra_args={KEY: key}), end
        )
        self.engine_of_rows.requests = self.requests
        self.stats = self.requests.stats
        self._reference = reference

    def read(self, needs: Sequence[Any], /) -> tuple[Tensor, list[Claim | None]]:
        bare = [oc.stepping.Need(need.tokens, need.wanted) for need in needs]
        return self._reference.read(bare)[0].clone(), [None] * len(needs)

    def row_writer(self, answers: Any) -> Any:
        return self.requests.writer(answers)

    def claimed(self, row: Any) -> Any:
        return row

    def kv_lengths(self, rows: Any) -> list[int]:
        return [0 for _ in rows]


class FitfulEngine:
    """vLLM's `LLMEngine`, as far as requests use it: `add_request`, `abort_request`, `step`."""

    def __init__(self, reference: oc.Model, seed: int, most: int):
        self.reference, self.draws, self.most = reference, random.Random(seed), most
        self.requests: Any = None
        self.rows: dict[str, Any] = {}
        self.places: BatchPlaces[str] = BatchPlaces()
        self.batch: list[str | None] = []
        self.thrown_away = 0

    def add_request(self, key: str, prompt: dict[str, list[int]], parameters: Any) -> None:
        tokens = prompt["prompt_token_ids"]
        assert self.reference.context_length is not None and 0 < len(tokens) < self.reference.context_length
        self.rows[key] = SimpleNamespace(prompt=tokens, output=[], parameters=parameters, new=[], held=False)

    def abort_request(self, keys: list[str]) -> None:
        for key in keys:
            del self.rows[key]

    def step(self) -> list[Any]:
        """A pass: some rows are in it, and of these some are asked for nothing."""
        chosen = [key for key in self.rows if self.draws.random() < 0.8][: self.most] or [*self.rows][:1]
        self._place(chosen)
        asked = [(request.value, request.length) for _, request in self.places]
        assert sorted(key for key, _ in asked) == sorted(chosen)
        kept = {key: self.draws.random() < 0.7 for key, _ in asked}
        lines = []
        for key, length in asked:
            tokens = (*self.rows[key].prompt, *self.rows[key].output)
            assert length == len(tokens)
            if not kept[key]:  # the logits after a part of the row, as where a prompt comes in parts
                self.thrown_away += 1
                tokens = tokens[: self.draws.randint(1, len(tokens))]
            lines.append(self.reference.logits([oc.stepping.Need(tuple(tokens), (len(tokens) - 1,))])[0])
        answers = self.requests.answers(asked, torch.stack(lines))
        reports = []
        for (key, _), token in zip(asked, answers, strict=True):
            if kept[key] and key in self.rows:
                reports.append(self._reported(key, token))
        return [report for report in reports if report is not None]

    def _reported(self, key: str, token: int) -> Any:
        row = self.rows[key]
        row.output.append(token)
        over = token == row.parameters.end or self.draws.random() < 0.02  # or its space is at an end
        if over:
            del self.rows[key]
        return SimpleNamespace(
            request_id=key, finished=over, num_cached_tokens=0, outputs=[SimpleNamespace(token_ids=[token])]
        )

    def _place(self, chosen: list[str]) -> None:
        """Put these rows into the batch as vLLM does: some leave, some come, and two change places."""
        removed = [i for i, key in enumerate(self.batch) if key is not None and key not in chosen]
        for i in removed:
            self.batch[i] = None
        added, free = [], [i for i, key in enumerate(self.batch) if key is None]
        for key in chosen:
            if key in self.batch:
                continue
            place = free.pop(0) if free else len(self.batch)
            self.batch[place : place + 1] = [key]
            row = self.rows[key]
            added.append((place, row.parameters.extra_args[KEY], row.prompt, row.output))
            if place in removed:
                removed.remove(place)
        moved = []
        live = [i for i, key in enumerate(self.batch) if key is not None]
        if len(live) > 1 and self.draws.random() < 0.5:
            one, other = self.draws.sample(live, 2)
            self.batch[one], self.batch[other] = self.batch[other], self.batch[one]
            moved.append((one, other, True))
        for i, key in enumerate(self.batch):  # the last ones fill the gaps
            last = len(self.batch) - 1
            if key is None and i < last and self.batch[last] is not None:
                self.batch[i], self.batch[last] = self.batch[last], None
                moved.append((last, i, False))
        self.places.update(removed, added, moved)
