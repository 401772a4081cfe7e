"""`TransformersModel`: a transformers model with its tokenizer and its KV tree, behind the protocol `LanguageModel`."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.engines.hf.device import device_of
from outlines_cont.engines.hf.full_forward import recomputed
from outlines_cont.engines.hf.generation_config import eos_ids, listed_eos, warn_of_ignored_settings
from outlines_cont.engines.hf.parameters import ParameterWatch
from outlines_cont.engines.protocol import KeptRow, R
from outlines_cont.engines.stats import Stats
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.change_guard import Torn
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.need import Need, check_needs
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.processes import ProcessBound, whole_at_fork

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_locks: WeakKeyDictionary[PreTrainedModel, Any] = WeakKeyDictionary()


class TransformersModel(ProcessBound):
    """A decoder-only transformers model behind the protocol `LanguageModel`: it reads needs, and keeps keys and values.

    One model may be used from many threads: its forwards run one at a time.

    Attributes:
        hf: the transformers model.
        tokenizer: the transformers tokenizer.
        vocabulary: the bytes of every token.
        encoder: text ↔ token ids.
        context_length: the most tokens that a row may have; None if the config does not say.
        stats: what was computed, counted.
        tier: how keys and values are kept.
        tree: the KV tree.
    """

    _instead = "make one in each process"

    def __init__(
        self, hf: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, kv_budget: int | Literal["auto"] | None = "auto"
    ):
        if not hasattr(hf, "get_output_embeddings") or getattr(hf.config, "is_encoder_decoder", False):
            right = f": oc.load({hf!r}) loads both by their name" if isinstance(hf, str) else ""
            right = ": Model(hf_model, hf_tokenizer), the model first" if hasattr(hf, "get_vocab") else right
            raise TypeError(f"Model takes a decoder-only transformers model, not {type(hf).__name__}{right}")
        if not hasattr(tokenizer, "eos_token_id"):
            name = isinstance(tokenizer, str)
            right = f": AutoTokenizer.from_pretrained({tokenizer!r}) loads one" if name else ""
            raise TypeError(
                f"Model(hf, tokenizer) takes a tokenizer of transformers, not {type(tokenizer).__name__}{right}"
            )
        self.hf = hf
        self.tokenizer = tokenizer
        self._text_config = hf.config.get_text_config()
        self.stats = Stats(self)
        self._lock = _lock_of(hf)
        self._fresh: ContextVar[bool] = ContextVar("fresh", default=False)  # of a thread, or of a task in it
        from outlines_cont.engines.hf.backends import choose_backend, logit_count  # with transformers' models: seconds

        with self._lock:
            count = logit_count(hf)
            self.vocabulary = Vocabulary.of(tokenizer, size=count, eos=eos_ids(hf, tokenizer, count))
            self._version = ParameterWatch(hf)
            self.tier = choose_backend(hf, self._probe_ids())
            self._version.spare_what_forwards_write()
        self._identity: str | None = None  # once it has been asked for
        self._listed_eos, self._vocab_size = listed_eos(hf), getattr(self._text_config, "vocab_size", None)
        self.encoder = Encoder(tokenizer, self.vocabulary)
        self.context_length: int | None = _context_length(self._text_config)
        self.tree = Tree(_budget(kv_budget, self.device))
        warn_of_ignored_settings(hf, self.context_length)

    # --- logits

    def read(self, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None]]:
        """The logits `[Σ len(wanted), V]`, and for each need a claim on the keys and values of the tokens it read.

        All needs are read in one pass, and what they share is computed once, whatever each of them wants. A need that
        wants nothing fills the tree. Keys and values stay as long as somebody holds the claims, or a state of the rows.
        The logits may be those that the tree remembers: whoever writes to them takes `Model.logits` instead.

        Where nothing is kept (see `keeps`) there are no claims, and needs that want nothing cost nothing.

        Raises:
            TypeError: something else than Needs; ids, head or wanted that are no tuples; token ids that are no ints.
            ValueError: positions that a need does not have, or not in ascending order; token ids outside the
                vocabulary; a row longer than the context.

        >>> f = oc.generate.text(model).begin(["The sky is", "Mira is a"])
        >>> logits, claims = model.read(f.pending)
        >>> logits.shape, [claim.depth for claim in claims]
        (torch.Size([2, 1536]), [6, 4])
        >>> logits, claims = model.read([oc.Need((0, 921, 263)), oc.Need((0, 921, 263, 272), wanted=(2, 3))])
        >>> logits.shape, [claim.depth for claim in claims]
        (torch.Size([2, 1536]), [3, 4])
        """
        check_needs(needs, len(self.vocabulary), self.context_length)
        self._check_vocabulary()
        if not needs:
            return self._no_logits(), []
        claims: list[Claim | None] = [None] * len(needs)
        with self._lock, _plain_arithmetic(self.device.type):
            self._version.check()
            if self.tier.forward is None:
                logits, counts = recomputed(self.hf, needs, self.tier.alone)
            elif not self.keeps:
                wanting = [need for need in needs if need.wanted]
                logits, _, counts = read_logits(self.tier.forward, Tree(), wanting)
            else:
                while True:
                    self._check_version()
                    with suppress(Torn):
                        logits, claims, counts = read_logits(self.tier.forward, self.tree, needs)
                        break
            for name in ("tokens", "passes", "reused", "reread"):
                setattr(self.stats, name, getattr(self.stats, name) + getattr(counts, name))
            for need, claim in zip(needs, claims, strict=True):
                need.computed[:] = [] if claim is None else [claim]
            return logits if len(logits) else self._no_logits(), claims

    def _no_logits(self) -> Tensor:
        return torch.empty(0, len(self.vocabulary), dtype=self.dtype, device=self.device)

    def _probe_ids(self) -> list[int]:
        """Some token ids for the probe of the backends: of text as far as there is text, and the padding id."""
        pad = getattr(self._text_config, "pad_token_id", None)
        text = [int(token) for token in self.vocabulary.text_ids[:20]] or [0]
        return [*text, pad] if isinstance(pad, int) and 0 <= pad < len(self.vocabulary) else text

    def _check_vocabulary(self) -> None:
        """ValueError if the model has other tokens, or another eos, than when it was wrapped.

        The vocabulary is a value. The guides of generators and the constraint states of spans are made for it, so it
        cannot follow.
        """
        changes = []
        if (size := getattr(self._text_config, "vocab_size", None)) != self._vocab_size:
            changes.append(f"vocab_size={size}, and had {self._vocab_size}")
        if listed_eos(self.hf) != self._listed_eos:
            eos, had = eos_ids(self.hf, self.tokenizer, len(self.vocabulary)), [*self.vocabulary.eos]
            if eos != had:
                changes.append(f"the eos ids {eos}, and had {had}")
        if changes:
            raise ValueError(
                f"{type(self.hf).__name__} has {'; '.join(changes)} when this Model was made: its generators and "
                "states belong to the old vocabulary. Wrap it anew: oc.Model(model.hf, model.tokenizer)"
            )

    @property
    def device(self) -> torch.device:
        """Where the model takes its token ids, and where tensors of its states lie.

        >>> model.device
        device(type='cpu')
        """
        return device_of(self.hf)

    @property
    def dtype(self) -> torch.dtype:
        """The number format of its parameters.

        >>> model.dtype
        torch.float32
        """
        return self.hf.dtype

    # --- keys and values

    @property
    def keeps(self) -> bool:
        """Whether the tree keeps what is read now: not under `fresh()`, and never in a model of the tier `recompute`.

        >>> model.keeps
        True
        """
        return self.tier.forward is not None and not self._fresh.get()

    @property
    def asynchronous(self) -> bool:
        """Whether `read` may come back while the device computes: on all devices but the CPU.

        >>> model.asynchronous
        False
        """
        return self.device.type != "cpu"

    def claimed(self, row: R) -> R:
        """The row, which from now on holds whatever the tree holds of its beginning.

        >>> row = model.state("The sky is").rows[0][0]
        >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=1)
        >>> model.claimed(row).claim.depth
        6
        """
        if row.dead or not self.keeps:
            return row
        claim = self.tree.find(row.ids, row.claim)
        if claim is not row.claim:
            row.hold(claim)
        return row

    def kv_lengths(self, rows: Iterable[KeptRow]) -> list[int]:
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
        """Within this context (and thread, or asyncio task) nothing is taken from the KV tree or stored in it.

        For activation hooks, patching, and everything else that makes a forward differ from the parameters' own.

        >>> new = oc.load()
        >>> with new.fresh():
        ...     state = oc.continuous(oc.generate.text(new))("The sky is", max_tokens=2)
        >>> state.kv_lengths.tolist()
        [[0]]
        """
        before = self._fresh.get()
        self._fresh.set(True)
        try:
            yield
        finally:
            self._fresh.set(before)

    def _check_version(self) -> None:
        changed = self._version.changed()
        if changed:
            self._identity = None
        if changed or self.tree.dead:
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

    @property
    def identity(self) -> str:
        """A digest of the vocabulary, of all values of every parameter, and of which adapters of peft are on and how
        strong they are: tells models apart, also across runs. What the config says does not count.

        It is taken when it is first asked for, and again after the parameters have changed. If they are spread over
        processes (DTensors), all of these must ask for it together.

        >>> model.identity == oc.load().identity, model.identity == oc.load(dtype="bfloat16").identity
        (True, False)
        """
        with self._lock:
            self._check_version()
            if self._identity is None:
                from outlines_cont.engines.hf.identity import identity_of  # with accelerate, which takes a while

                self._identity = identity_of(self.hf, self.vocabulary.fingerprint)
            return self._identity

    def __repr__(self) -> str:
        dtype = str(self.hf.dtype).removeprefix("torch.")
        return f"Model({type(self.hf).__name__}, {len(self.vocabulary)} tokens, {dtype}, {self.device}, {self.tier})"


def _plain_arithmetic(device_type: str) -> AbstractContextManager[Any]:
    """Without gradients, and in the model's own precision: under autocast logits differ, and keys do not fit those of
    other calls. Only what is on is switched off: all three at every step would take as long as a small layer."""
    special = torch.is_inference_mode_enabled() or torch.is_autocast_enabled(device_type)
    return _all_plain(device_type) if special else torch.no_grad()


@contextmanager
def _all_plain(device_type: str) -> Iterator[None]:
    with torch.inference_mode(False), torch.no_grad(), torch.autocast(device_type, enabled=False):
        yield


def _context_length(text_config: Any) -> int | None:
    """The most tokens of a row, as far as the config says."""
    names = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
    lengths = (getattr(text_config, name, None) for name in names)
    return next((length for length in lengths if isinstance(length, int) and length > 0), None)


def _lock_of(hf: PreTrainedModel) -> Any:
    """One lock for all Models around a transformers model, and for all transformers models that share its config, in
    which our attention is switched on."""
    for other, lock in list(_locks.items()):
        if other.config is hf.config:
            return _locks.setdefault(hf, lock)
    return _locks.setdefault(hf, whole_at_fork(threading.RLock()))


def _on_one_thread() -> None:
    """Torch's threads do not live on in a child, where it would wait for them for ever."""
    if _locks:  # a model lives, and has computed: when it was wrapped it was tried
        torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_on_one_thread)


def _budget(budget: Any, device: torch.device) -> int | None:
    """Bytes of keys and values; "auto" is half of what the device has free now."""
    if budget is None or (isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0):
        return budget
    if not isinstance(budget, str) or budget != "auto":
        raise ValueError(f"kv_budget={shown(budget)}: it is a number of bytes, None for no bound, or 'auto'")
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0] // 2
    if device.type == "cpu" and "SC_AVPHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return None
