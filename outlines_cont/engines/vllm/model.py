"""`VLLMModel`: vLLM behind the protocol `LanguageModel`. Its cache is its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any
from weakref import ReferenceType, ref

import torch
from torch import Tensor

from outlines_cont.engines.hf.identity import identity_of
from outlines_cont.engines.protocol import Answers, KeptRow, R
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.engines.vllm.reading import read_rows, stacked
from outlines_cont.engines.vllm.requests import KEY, RequestCounts, Requests, RequestWriter
from outlines_cont.engines.vllm.starting import vllm_part
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.need import Need, check_needs
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBound


class VLLMModel(ProcessBound):
    """A model that vLLM computes, in this process.

    It is read by requests, one for each run of wanted positions. Spans of samplers that draw row by row are drawn
    inside vLLM's own batches (`row_writer`), by our law and our random numbers. vLLM does not say what it keeps of a
    row, so `state.kv_lengths` is 0; its prefix cache makes rows that go on cheap.

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
            [parameters] = self.llm.apply_model(_digest)
            digest.update(parameters.encode())
            self._identity = digest.hexdigest()
        return self._identity

    def read(self, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None]]:
        """The logits `[Σ len(wanted), V]`, and no claims. Needs that want nothing cost nothing."""
        check_needs(needs, len(self.vocabulary), self.context_length, self.larger_context)
        lines = read_rows(self.row_writer, needs)
        return stacked(lines, len(self.vocabulary), torch.float32, self.device), [None] * len(needs)

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


def _digest(module: torch.nn.Module) -> str:
    return identity_of(module, "")
