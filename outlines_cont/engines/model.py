"""A transformers model, its tokenizer and its KV tree: prompts → states, rows → logits."""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import logging

from outlines_cont import tiny
from outlines_cont.engines.backends import choose_backend
from outlines_cont.engines.device import device_of
from outlines_cont.engines.encoding import Encoder
from outlines_cont.engines.full_forward import recomputed
from outlines_cont.engines.parameters import ParameterWatch
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.change_guard import Torn
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.query import Query
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.state.rescore import rescored
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState

_locks: WeakKeyDictionary[PreTrainedModel, Any] = WeakKeyDictionary()
# What a model and its tokenizer are both loaded with.
SHARED_OPTIONS = frozenset(
    (
        "revision",
        "token",
        "trust_remote_code",
        "subfolder",
        "cache_dir",
        "local_files_only",
        "force_download",
        "proxies",
    )
)


Prompts = str | Sequence[str] | Sequence[int] | Sequence[Sequence[int]] | Tensor


@dataclass
class Stats:
    """What the model was asked to do since `reset()`.

    tokens: token positions computed for the first time; passes: forward calls; reused: positions that were needed and
    not computed again; reread: tokens sent once more only because the logits after them were not kept;
    kv_bytes: bytes of the keys and values that live states hold in the tree now; kv_allocated: bytes of the tree's
    buffers, free slots included.

    >>> new = oc.load()
    >>> oc.generate.text(new, oc.samplers.greedy())("The sky is", max_tokens=2)
    ' blue.'
    >>> new.stats.tokens, new.stats.passes  # the six of the prompt at once, then " blue"; nobody has read the "."
    (7, 2)
    """

    _model: Model
    tokens: int = 0
    passes: int = 0
    reused: int = 0
    reread: int = 0

    @property
    def kv_bytes(self) -> int:
        return self._model.tree.bytes

    @property
    def kv_allocated(self) -> int:
        return self._model.tree.allocated

    def reset(self) -> None:
        self.tokens = self.passes = self.reused = self.reread = 0

    def __repr__(self) -> str:
        counts = f"tokens={self.tokens}, passes={self.passes}, reused={self.reused}, reread={self.reread}"
        return f"Stats({counts}, kv_bytes={self.kv_bytes})"


class Model:
    """A decoder-only transformers model and its tokenizer.

    `model.hf`, `model.tokenizer` and `model.vocabulary` are what it wraps; `model.stats` counts what it computed. One
    model may be used from many threads: its forwards run one at a time.

    >>> oc.Model(model.hf, model.tokenizer, kv_budget=None).vocabulary
    Vocabulary(1536 tokens, eos=(1,), 4 special)
    """

    def __init__(
        self, hf: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, kv_budget: int | Literal["auto"] | None = "auto"
    ):
        if not hasattr(hf, "get_output_embeddings") or getattr(hf.config, "is_encoder_decoder", False):
            raise TypeError(f"Model takes a decoder-only transformers model, not {type(hf).__name__}")
        self.hf = hf
        self.tokenizer = tokenizer
        text_config = hf.config.get_text_config()
        self.vocabulary = Vocabulary.of(tokenizer, size=_logit_count(hf), eos=_eos(hf, tokenizer))
        self.encoder = Encoder(tokenizer, self.vocabulary)
        names = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
        self.context_length: int | None = next((n for name in names if (n := getattr(text_config, name, None))), None)
        self.stats = Stats(self)
        self._lock = _lock_of(hf)
        self._fresh = threading.local()
        pad = getattr(text_config, "pad_token_id", None)
        probe = [int(i) for i in self.vocabulary.text_ids[:20]]
        with self._lock:
            if isinstance(pad, int) and 0 <= pad < len(self.vocabulary):
                probe.append(pad)
            self.tier = choose_backend(hf, probe)
            self._version = ParameterWatch(hf)
        self.tree = Tree(_budget(kv_budget, self.device))

    # --- states

    def state(self, prompts: Prompts, special: bool = False) -> SequenceState:
        """Prompts → a state `(B, 1, T)` in which nothing is generated yet.

        `prompts`: a str, a list of them, token ids, a list of those, or an int tensor `[T]` or `[B, T]`. A str is
        encoded as the tokenizer encodes a prompt, its bos included; special tokens spelled in it are plain text
        unless `special=True`. Token ids are taken as they are.

        >>> model.state(["The sky is", "Mira"]).shape, model.state([0, 921, 263]).tolist()
        ((2, 1, 6), [['Mira is']])
        >>> model.state("<|end|>").shape, model.state("<|end|>", special=True).shape
        ((1, 1, 6), (1, 1, 2))
        """
        rows = [self._prompt(prompt, special) for prompt in self._listed(prompts)]
        return SequenceState(self, [[replace(row, lineage=(b,))] for b, row in enumerate(rows)], samples=1)

    def chat(self, messages: Sequence[dict[str, str]] | Sequence[Sequence[dict[str, str]]]) -> SequenceState:
        """A conversation, or a list of them → a state, through the tokenizer's chat template, ready for the answer.

        The special tokens are those of the template; what the messages contain is plain text.

        >>> question = model.chat([{"role": "user", "content": "What is the capital of France?"}])
        >>> question.text(special=True)
        [['<|begin|><|user|>What is the capital of France?<|end|><|assistant|>']]
        >>> oc.generate.text(model, oc.samplers.greedy())(question)
        'Paris'
        """
        if not isinstance(messages, (list, tuple)) or not messages:
            raise ValueError(f"chat() takes a list [{{'role': 'user', 'content': …}}, …], not {messages!r}")
        chats: Any = [messages] if isinstance(messages[0], dict) else messages
        for message in (message for chat in chats for message in chat):
            if not isinstance(message, dict) or not {"role", "content"} <= message.keys() or message["content"] is None:
                raise ValueError(f"a message of chat() is {{'role': …, 'content': …}}, not {message!r}")
        return self.state([self.encoder.chat(cast(Any, chat)) for chat in chats])

    def _listed(self, prompts: Prompts) -> list[Any]:
        if isinstance(prompts, str):
            return [prompts]
        if hasattr(prompts, "tolist"):  # a tensor or an array
            prompts = cast(Any, prompts).tolist()
        if not isinstance(prompts, (list, tuple)):
            raise TypeError(f"a prompt is a str, token ids or a list of either, not {type(prompts).__name__}")
        if not prompts:
            raise ValueError("there are no prompts in the list; pass at least one")
        if any(isinstance(prompt, str | list | tuple) or getattr(prompt, "ndim", 0) for prompt in prompts):
            return [cast(Any, p).tolist() if getattr(p, "ndim", 0) else p for p in prompts]
        return [list(prompts)]

    def _prompt(self, prompt: Any, special: bool) -> Row:
        if isinstance(prompt, str):
            ids, added = self.encoder.start(prompt, special=special)
            bos = len(self.encoder.prefix) if added else 0
        else:
            if not isinstance(prompt, (list, tuple)):
                raise TypeError(f"a prompt is a str or token ids; {prompt!r} ({type(prompt).__name__}) is neither")
            if any(isinstance(token, (str, dict)) for token in prompt):
                right = (
                    "prompts are one flat list" if isinstance(prompt[0], str) else "for messages, model.chat(messages)"
                )
                raise TypeError(f"a prompt is a str or token ids, not the list {prompt!r}: {right}")
            ids, bos = [self._checked(token) for token in prompt], 0
        return self.claimed(Row().append(ids, kind="prompt", bos=bos))

    def _checked(self, token: Any) -> int:
        if isinstance(token, bool) or not hasattr(token, "__index__"):
            raise TypeError(f"a prompt is a str or token ids; {token!r} ({type(token).__name__}) is neither")
        token = operator.index(token)
        if not 0 <= token < len(self.vocabulary):
            raise ValueError(f"token id {token} is outside the vocabulary of {len(self.vocabulary)} tokens")
        return token

    # --- logits

    def logits(self, queries: Sequence[Query]) -> Tensor:
        """The logits `[Σ len(wanted), V]` that the queries ask for, in their order.

        >>> f = oc.generate.text(model).begin(["The sky is", "Mira is a"])
        >>> model.logits(f.pending).shape
        torch.Size([2, 1536])
        """
        return self.read(queries)[0].clone()

    def read(self, queries: Sequence[Query]) -> tuple[Tensor, list[Claim | None]]:
        """The logits `[Σ len(wanted), V]`, and for each query a claim on the keys and values of the tokens it read.

        The logits may be those that the tree remembers: whoever writes to them takes `logits()` instead.

        >>> f = oc.generate.text(model).begin(["The sky is", "Mira is a"])
        >>> logits, claims = model.read(f.pending)
        >>> logits.shape, [claim.depth for claim in claims]
        (torch.Size([2, 1536]), [6, 4])
        """
        if not queries:
            return torch.empty(0, len(self.vocabulary), device=self.device), []
        for query in queries:
            last = len(query.head) + len(query.ids) - 1
            ascending = len(query.wanted) == 1 or list(query.wanted) == sorted(set(query.wanted))
            if not query.wanted or query.wanted[0] < 0 or not ascending:
                raise ValueError(f"wanted={query.wanted}: positions of a query, ascending, and at least one")
            if query.wanted[-1] > last:
                raise ValueError(f"wanted={query.wanted}: the last position of the query is {last}")
        longest = max(query.wanted[-1] + 1 for query in queries)
        if self.context_length is not None and longest > self.context_length:
            raise ValueError(f"a row of {longest} tokens was given to a model whose context is {self.context_length}")
        claims: list[Claim | None] = [None] * len(queries)
        # as it was loaded: autocast would give other logits, and keys that do not fit those of other calls
        with self._lock, torch.inference_mode(False), torch.no_grad(), torch.autocast(self.device.type, enabled=False):
            self._version.check()
            if self.tier.forward is None:
                logits, counts = recomputed(self.hf, queries, self.tier.alone)
            elif getattr(self._fresh, "on", False):
                logits, _, counts = read_logits(self.tier.forward, Tree(), queries)
            else:
                while True:
                    self._check_version()
                    with suppress(Torn):
                        logits, claims, counts = read_logits(self.tier.forward, self.tree, queries)
                        break
            for name in ("tokens", "passes", "reused", "reread"):
                setattr(self.stats, name, getattr(self.stats, name) + getattr(counts, name))
            return logits, claims

    @property
    def device(self) -> torch.device:
        """Where the model takes its token ids, and where tensors of its states lie.

        >>> model.device
        device(type='cpu')
        """
        return device_of(self.hf)

    # --- keys and values

    def claimed(self, row: Row) -> Row:
        """The row with a claim on whatever the tree holds of its beginning.

        >>> row = model.state("The sky is").rows[0][0]
        >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=1)
        >>> model.claimed(row).claim.depth
        6
        """
        if row.dead or self.tier.forward is None:
            return row
        claim = self.tree.find(row.ids, row.claim)
        return row if claim is row.claim else replace(row, claim=claim)

    def kv_lengths(self, rows: Iterable[Row]) -> list[int]:
        """How many leading tokens of each row have their keys and values in the tree now.

        >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=1)
        >>> model.kv_lengths(model.state("The sky is").rows[0])
        [6]
        """
        with self._lock:
            self._check_version()
        claims = [None if row.dead or self.tier.forward is None else self.tree.find(row.ids, row.claim) for row in rows]
        return [claim.depth if claim else 0 for claim in claims]

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Within this context (and thread) nothing is taken from the KV tree or stored in it.

        For activation hooks, patching, and everything else that makes a forward differ from the parameters' own.

        >>> new = oc.load()
        >>> with new.fresh():
        ...     state = oc.continuous(oc.generate.text(new))("The sky is", max_tokens=2)
        >>> state.kv_lengths.tolist()
        [[0]]
        """
        before = getattr(self._fresh, "on", False)
        self._fresh.on = True
        try:
            yield
        finally:
            self._fresh.on = before

    def _check_version(self) -> None:
        if self._version.changed() or self.tree.dead:
            self.tree.clear()
            self.tree = Tree(self.tree.budget)

    @property
    def kv_budget(self) -> int | None:
        """How many bytes the tree's keys and values may take; None for no bound. (Free slots come to a tenth on top.)

        Beyond it the claims of values that are not in use are evicted, least recently used first, and their keys and
        values are computed again when they are needed: `state.kv_lengths` says so, and nothing else changes. What a
        running step needs is kept whatever it takes. At first it is half of what the device has free.

        >>> small = oc.load(kv_budget=1 << 20)
        >>> state = oc.continuous(oc.generate.text(small))("The sky is", max_tokens=2)
        >>> small.kv_budget = 0
        >>> state.kv_lengths.tolist()
        [[0]]
        """
        return self.tree.budget

    @kv_budget.setter
    def kv_budget(self, budget: int | None) -> None:
        self.tree.budget = _budget(budget, self.device)
        self.tree.trim()

    # --- scores

    def rescore(self, state: SequenceState) -> SequenceState:
        """See `SequenceState.rescore`.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> model.rescore(state).weights.round(decimals=2).tolist()
        [[-1.05]]
        """
        rows, held = rescored(self.read, [row for group in state.rows for row in group])
        claimed = iter([self.claimed(row) for row in rows])
        del held  # until now it kept the new keys and values alive
        return SequenceState(self, [[next(claimed) for _ in group] for group in state.rows], samples=state.shape[1])

    @property
    def identity(self) -> str:
        """A digest of the vocabulary and of a few numbers of every parameter: tells models apart, also across runs.

        >>> model.identity == oc.load().identity, model.identity == oc.load(dtype="bfloat16").identity
        (True, False)
        """
        digest = blake2b(self.vocabulary.fingerprint.encode(), digest_size=16)
        for name, parameter in self.hf.named_parameters():
            sample = parameter.detach().flatten()[:16].float().cpu().numpy()
            digest.update(f"{name} {tuple(parameter.shape)}".encode() + sample.tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        dtype = str(self.hf.dtype).removeprefix("torch.")
        return f"Model({type(self.hf).__name__}, {len(self.vocabulary)} tokens, {dtype}, {self.device}, {self.tier})"


def load(
    name_or_path: str | Path | None = None, kv_budget: int | Literal["auto"] | None = "auto", **kwargs: Any
) -> Model:
    """The model that ships with the package, or one from a folder or a hub id.

    `kv_budget`: see `Model.kv_budget`. `kwargs` (dtype, device_map, revision …) go to transformers' `from_pretrained`.

    >>> oc.load(dtype="bfloat16").hf.dtype
    torch.bfloat16
    >>> oc.load("./nowhere")
    Traceback (most recent call last):
        ...
    FileNotFoundError: load('./nowhere'): there is no such folder
    """
    if not isinstance(name_or_path, (str, Path, type(None))):
        kind = type(name_or_path).__name__
        raise TypeError(
            f"load() takes a folder or a hub id, not {kind}; for objects you hold, Model(hf_model, hf_tokenizer)"
        )
    source = tiny.PATH if name_or_path is None else name_or_path
    if not str(source) or (str(source)[0] in "./~" and not Path(source).is_dir()):
        raise FileNotFoundError(f"load({str(name_or_path)!r}): there is no such folder")
    kwargs.setdefault("dtype", torch.float32 if name_or_path is None else "auto")
    with _quiet() if name_or_path is None else nullcontext():
        hf = AutoModelForCausalLM.from_pretrained(source, **kwargs)
    passed_on = {k: v for k, v in kwargs.items() if k in SHARED_OPTIONS}
    return Model(hf.eval(), AutoTokenizer.from_pretrained(source, **passed_on), kv_budget)


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bar for what takes a tenth of a second."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _logit_count(hf: PreTrainedModel) -> int:
    head = hf.get_output_embeddings()
    return head.weight.shape[0] if head is not None else hf.config.get_text_config().vocab_size


def _eos(hf: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """Every id that ends a text: the tokenizer's and those that the model's generation config lists."""
    listed: Any = getattr(hf.generation_config, "eos_token_id", None)
    listed = [] if listed is None else [listed] if isinstance(listed, int) else list(listed)
    eos = cast(int | None, tokenizer.eos_token_id)
    own = [] if eos is None else [eos]
    return sorted({*own, *(token for token in listed if token < _logit_count(hf))})


def _lock_of(hf: PreTrainedModel) -> Any:
    """One lock for all Models around a transformers model, and for all models that share its config: our attention is
    switched on there."""
    for other, lock in list(_locks.items()):
        if other.config is hf.config:
            return _locks.setdefault(hf, lock)
    return _locks.setdefault(hf, threading.RLock())


def _budget(budget: Any, device: torch.device) -> int | None:
    """Bytes of keys and values; "auto" is half of what the device has free now."""
    if budget is None or (isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0):
        return budget
    if budget != "auto":
        raise ValueError(f"kv_budget={budget!r}: it is a number of bytes, None for no bound, or 'auto'")
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0] // 2
    if device.type == "cpu" and "SC_AVPHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return None
