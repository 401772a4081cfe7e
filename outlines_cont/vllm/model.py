"""`VLLMModel`: vLLM behind the protocol `LanguageModel`. Its cache is its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any
from weakref import ReferenceType, ref

import torch
from torch import Tensor

from outlines_cont import tiny
from outlines_cont.arguments import shown
from outlines_cont.engines.hf.parameters import identity_of
from outlines_cont.engines.protocol import Answers, KeptRow, R, RowWriter
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.engines.text_side import text_of
from outlines_cont.fsm.tokenizer_bytes import backend
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.needs import Need, check_needs
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBound
from outlines_cont.state.model import Model
from outlines_cont.vllm.requests import KEY, RequestCounts, Requests, RequestWriter, processor_for
from outlines_cont.vllm.starting import check_names, check_options, check_vllm, eos_ids, start, vllm_part

# --- needs → logits, by requests: each run of positions that follow each other is one request, which is fed its tokens


@dataclass(eq=False)
class ReadRun:
    """Some positions of a row that follow each other; lines: the logits after their tokens, those that are certain."""

    tokens: tuple[int, ...]
    first: int
    last: int
    lines: list[Tensor]
    shown: Tensor | None = None  # the logits that were shown last: certain once a token after them is reported
    shown_length: int = 0

    @property
    def length(self) -> int:
        """How many tokens the next request begins with."""
        return self.first + len(self.lines) + 1

    @property
    def done(self) -> bool:
        """Whether all its lines are certain."""
        return len(self.lines) == self.last - self.first + 1

    def answer(self, length: int, line: Tensor) -> int | None:
        """The token after its first ones, so many; None at its end."""
        self.shown, self.shown_length = line, length
        return self.tokens[length] if length <= self.last else None

    def report(self, length: int) -> None:
        """A row of so many tokens, its end included, is reported."""
        if self.shown is not None and self.shown_length < length:
            self.lines.append(self.shown)
            self.shown = None


def runs_of(needs: Sequence[Need]) -> list[list[ReadRun]]:
    """The runs of each need, in the order of its positions.

    >>> from outlines_cont.vllm.model import runs_of
    >>> needs = [oc.stepping.Need((5, 6, 7, 8, 9), wanted=(0, 1, 4)), oc.stepping.Need((5,))]
    >>> [[(run.first, run.last) for run in runs] for runs in runs_of(needs)]
    [[(0, 1), (4, 4)], []]
    """
    runs = []
    for need in needs:
        tokens = need.tokens if need.wanted else ()
        groups = groupby(enumerate(need.wanted), lambda pair: pair[1] - pair[0])
        positions = [[position for _, position in group] for _, group in groups]
        runs.append([ReadRun(tokens, each[0], each[-1], []) for each in positions])
    return runs


def read_rows(writer: Callable[[Answers], RowWriter], needs: Sequence[Need]) -> list[Tensor]:
    """The logits `[V]` after each wanted position, in the order of the needs."""
    runs = [run for each in runs_of(needs) for run in each]
    alike: dict[tuple[tuple[int, ...], int], list[ReadRun]] = {}
    for run in runs:
        alike.setdefault((run.tokens[: run.last + 1], run.first), []).append(run)
    open_runs: dict[int, ReadRun] = {}

    def answers(asked: Sequence[tuple[int, int]], logits: Tensor) -> list[int | None]:
        rows = zip(asked, logits, strict=True)
        return [open_runs[handle].answer(length, line) for (handle, length), line in rows]

    requests = writer(answers)
    with requests.lock:
        try:
            waiting = [each[0] for each in alike.values()]
            while waiting or open_runs:
                for run in waiting:  # anew, where a token of the row is the one at which requests end
                    open_runs[requests.add(run.tokens[: run.length])] = run
                waiting = []
                for handle, report in requests.step().items():
                    run = open_runs[handle]
                    run.report(report.length)
                    if report.over:
                        del open_runs[handle]
                        if not run.done:
                            waiting.append(run)
        finally:
            requests.close()
    for first, *others in alike.values():
        for run in others:
            run.lines = first.lines
    return [line for run in runs for line in run.lines]


# --- model


class VLLMModel(ProcessBound):
    """A model that vLLM computes, in this process.

    It is read by requests, one for each run of wanted positions. Spans of samplers that draw row by row are drawn
    inside vLLM's own batches (`row_writer`), by our law and our random numbers. vLLM does not say what it keeps of a
    row, so `state.kv.lengths` is 0; its prefix cache makes rows that go on cheap.

    Attributes:
        llm: vLLM's `LLM`.
        vocabulary, encoder, tokenizer: the text side.
        context_length: one token less than vLLM's `max_model_len`: vLLM wants room for a token after each row.
        stats: token positions computed and reused, passes and requests. What vLLM computes again after it gave way to
            other rows is not counted, and it says nothing of bytes (None).
    """

    _instead = "load it in each process"

    def __init__(
        self,
        llm: Any,
        desk: list[ReferenceType[Requests]],
        vocabulary: Vocabulary,
        encoder: Encoder,
        tokenizer: Any = None,
    ):
        parameters_of = vllm_part("vllm.sampling_params", "SamplingParams")
        kinds = vllm_part("vllm.sampling_params", "RequestOutputKind")
        self.llm, self.vocabulary, self.encoder, self.tokenizer = llm, vocabulary, encoder, tokenizer
        config = llm.llm_engine.model_config
        self.context_length: int | None = config.max_model_len - 1
        self.dtype: torch.dtype = config.dtype
        self.device = torch.device(llm.llm_engine.vllm_config.device_config.device)
        end = vocabulary.eos[0] if vocabulary.eos else len(vocabulary) - 1

        def parameters(key: str, length: int) -> Any:
            return parameters_of(
                temperature=0.0,
                max_tokens=config.max_model_len - length,
                ignore_eos=True,
                stop_token_ids=[end],
                detokenize=False,
                output_kind=kinds.DELTA,
                extra_args={KEY: key},
            )

        self.requests = Requests(llm.llm_engine, parameters, end)
        desk.append(ref(self.requests))
        self._identity: str | None = None

    @property
    def stats(self) -> RequestCounts:
        """What was computed."""
        return self.requests.stats

    @property
    def larger_context(self) -> str:
        """How users get a larger context."""
        return "oc.load(…, engine='vllm', max_model_len=…) makes it larger, where the model allows it"

    @property
    def identity(self) -> str:
        """A digest of the vocabulary and of the parameters as vLLM holds them: equal among its models."""
        if self._identity is None:
            digest = blake2b(f"vLLM {self.vocabulary.fingerprint}".encode(), digest_size=16)
            [parameters] = self.llm.apply_model(identity_of)
            digest.update(parameters.encode())
            self._identity = digest.hexdigest()
        return self._identity

    def read(self, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None]]:
        """The logits `[Σ len(wanted), V]`, and no claims. Needs that want nothing cost nothing."""
        check_needs(needs, len(self.vocabulary), self.context_length, self.larger_context)
        lines = read_rows(self.row_writer, needs)
        empty = torch.empty(0, len(self.vocabulary), dtype=torch.float32, device=self.device)
        return torch.stack(lines) if lines else empty, [None] * len(needs)

    def row_writer(self, answers: Answers) -> RequestWriter:
        """A writer of rows inside vLLM's batches; see `RowWriter`."""
        return self.requests.writer(answers)

    def claimed(self, row: R) -> R:
        """The row as it is: vLLM keeps what it likes."""
        return row

    def kv_lengths(self, rows: Iterable[KeptRow]) -> list[int]:
        """0 for each row: vLLM does not say what it keeps."""
        return [0 for _ in rows]

    def __repr__(self) -> str:
        dtype = str(self.dtype).removeprefix("torch.")
        return f"Model(vLLM, {len(self.vocabulary)} tokens, {dtype}, {self.device}, a cache of its own)"


# --- `load(…, engine="vllm")`: a folder or a hub id that vLLM computes

#: Options that the tokenizer is loaded with, too.
SHARED_OPTIONS = ("revision", "trust_remote_code", "hf_token")


def load_vllm(name_or_path: str | Path | None, kv_budget: Any, options: dict[str, Any]) -> Model:
    """The model in a folder, or of a hub id, computed by vLLM in this process.

    Raises:
        LibraryError: vLLM is missing, or of a version that is not served.
        TypeError, ValueError: an option that vLLM does not take, or that cannot be served exactly; a tokenizer that is
            not the model's.
        FileNotFoundError: no such folder.
    """
    source = os.path.expanduser(tiny.PATH if name_or_path is None else name_or_path)
    if kv_budget != "auto":
        raise TypeError(
            f"load({source!r}, engine='vllm', kv_budget={shown(kv_budget)}): vLLM has a cache of its own; its size is "
            "kv_cache_memory_bytes=… or gpu_memory_utilization=…"
        )
    check_options(source, options)
    if source[0] in "./~" and not Path(source).is_dir():
        raise FileNotFoundError(f"load({source!r}): there is no such folder")
    check_vllm()
    given = options.pop("tokenizer", None)
    check_names(source, options)
    tokenizer = _tokenizer(source, given, options)
    if name_or_path is None:
        options.setdefault("dtype", "float32")
    desk: list[Any] = []
    llm = start(source, processor_for(desk), options)
    config = llm.llm_engine.model_config
    _, vocabulary, encoder = text_of(tokenizer, config.get_vocab_size(), eos_ids(config, tokenizer))
    return Model(VLLMModel(llm, desk, vocabulary, encoder, tokenizer))


def _tokenizer(source: str, given: Any, options: dict[str, Any]) -> Any:
    """The model's tokenizer, or the one that a user gives, if it has the same tokens under their ids."""
    from transformers import AutoTokenizer

    passed_on = {{"hf_token": "token"}.get(name, name): options[name] for name in SHARED_OPTIONS if name in options}
    try:
        models_own = AutoTokenizer.from_pretrained(source, **passed_on)
    except (OSError, ValueError) as error:
        if given is None:
            raise ValueError(f"load({source!r}): there is no tokenizer: {str(error).splitlines()[0]}") from error
        models_own = None
    if given is None:
        return models_own
    if isinstance(given, (str, Path)):
        given = AutoTokenizer.from_pretrained(given, **passed_on)
    if models_own is not None:
        check_same_tokens(given, models_own)
    return given


def check_same_tokens(given: Any, models_own: Any) -> None:
    """ValueError for a tokenizer that has another token under some id than the model's own, the first of them."""
    ours, theirs = backend(models_own), backend(given)
    for token in range(ours.get_vocab_size(with_added_tokens=True)):
        if (name := theirs.id_to_token(token)) != (right := ours.id_to_token(token)):
            raise ValueError(
                f"the tokenizer is not that of the model: its token {token} is {shown(name)}, and the model's is "
                f"{shown(right)}"
            )
