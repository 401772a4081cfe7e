"""`SlotModel`: a language model made of an engine with slots. The KV tree, its lock, budget and counts are here."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any, Literal
from weakref import WeakSet

import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.engines.protocol import Engine, KeptRow, R, checked_forward, missing_members
from outlines_cont.engines.stats import Stats
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.errors import ContextFull
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.forward import read_logits, read_whole
from outlines_cont.kv.needs import Counts, Need, check_needs, distinct_needs, for_each
from outlines_cont.kv.pool import SlotPool, Torn
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.processes import ProcessBound, whole_at_fork
from outlines_cont.waiting import told

_models: WeakSet[SlotModel] = WeakSet()


class SlotModel(ProcessBound):
    """An engine with slots behind the protocol `LanguageModel`: it reads needs, and keeps keys and values.

    One engine may be used from many threads: its passes run one at a time.

    Args:
        engine: what computes passes.
        vocabulary: the bytes of every token: as many as the engine gives logits. ValueError for another number.
        encoder: text ↔ token ids.
        kv_budget: how many bytes keys and values may take; "auto" is half of what the device has free.
        tokenizer: what users know as the model's tokenizer.
        store: an `outlines_cont.store.KVStore`, in which keys and values of other processes are found.
        trees: those of another model, whose memory it shares, instead of a budget.

    Attributes:
        engine, vocabulary, encoder, tokenizer, store: as given.
        context_length: the most tokens that a row may have; None if the engine does not say.
        stats: what was computed, counted.
        tree: the KV tree.
    """

    _instead = "make one in each process"

    def __init__(
        self,
        engine: Engine,
        vocabulary: Vocabulary,
        encoder: Encoder,
        kv_budget: int | Literal["auto"] | None = "auto",
        tokenizer: Any = None,
        store: Any = None,
        trees: dict[int, Tree] | None = None,
    ):
        if len(vocabulary) != engine.n_vocab:
            raise ValueError(
                f"{name_of(engine)} gives {engine.n_vocab} logits, and the vocabulary has {len(vocabulary)} tokens"
            )
        self.engine, self.vocabulary, self.encoder, self.tokenizer = engine, vocabulary, encoder, tokenizer
        self.context_length: int | None = engine.context_length
        self.stats = Stats(self)
        self._lock = _lock_of(engine)
        self._fresh: ContextVar[bool] = ContextVar("fresh", default=False)  # of a thread, or of a task in it
        self._check = getattr(engine, "check", None)
        self._forward = checked_forward(engine)
        self._version = engine.version()
        self._identities: dict[int, str] = {}  # by version, once they have been asked for
        if trees is None:
            trees = {self._version: Tree(_budget(kv_budget, self.device), _checked_pool(engine))}
        self._trees = trees  # by the number of the engine's version
        self.tree = next(iter(trees.values()))
        self.tree = self._tree_of(self._version)
        self.store, self._read_needs = store, self.read_plainly
        if store is not None:
            from outlines_cont.store.reads import StoredReads

            self._read_needs = StoredReads(self, store).read
        _models.add(self)

    def beside(self, engine: Engine) -> SlotModel:
        """A model of another engine with this vocabulary, whose trees lie in the same memory: one that computes with
        the same parameters, under another setting, and gives each its own version."""
        with self._lock:
            shared = {"tokenizer": self.tokenizer, "trees": self._trees, "store": self.store}
            return SlotModel(engine, self.vocabulary, self.encoder, **shared)

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
        >>> one, other = oc.stepping.Need((0, 921, 263)), oc.stepping.Need((0, 921, 263, 272), wanted=(2, 3))
        >>> logits, claims = model.read([one, other])
        >>> logits.shape, [claim.depth for claim in claims]
        (torch.Size([2, 1536]), [3, 4])
        """
        given, (needs, places) = needs, distinct_needs(needs)
        check_needs(needs, len(self.vocabulary.tokens), self.context_length, getattr(self.engine, "larger_context", ""))
        if self._check is not None:
            self._check()
        if not needs:
            return self._no_logits(), []
        claims: list[Claim | None] = [None] * len(needs)
        with self._lock, plain_arithmetic(self.engine.device.type):
            self._check_version()
            keeps = self._keeps
            if not keeps:
                logits, counts = read_whole(self._forward, needs, getattr(self.engine, "alone", False))
            elif self._fresh.get():
                logits, counts = self._read_once([need for need in needs if need.wanted])
            else:
                while True:
                    with suppress(Torn):
                        logits, claims, counts = self._read_needs(self.tree, needs)
                        break
                    self._check_version()
            if places:
                counts.reused += self._asked(given) - self._asked(needs) if keeps else 0
                logits, claims = for_each(needs, places, logits, claims)
            for name in ("tokens", "passes", "reused", "reread", "restored"):
                setattr(self.stats, name, getattr(self.stats, name) + getattr(counts, name))
            for need, claim in zip(given, claims, strict=True):
                need.computed[:] = [] if claim is None else [claim]
            return logits if len(logits) else self._no_logits(), claims

    def read_plainly(self, tree: Tree, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None], Counts]:
        """`read_logits` of the engine. Where its memory is full, other trees of this engine give way."""
        with suppress(ContextFull):
            return read_logits(self._forward, tree, needs)
        for model in list(_models):
            if model.engine is self.engine and model.tree is not tree:
                model.tree.evict()
        return read_logits(self._forward, tree, needs)

    def _read_once(self, needs: Sequence[Need]) -> tuple[Tensor, Counts]:
        """`read_plainly` in a tree of its own. All in it is given back at once: no other reading can evict it."""
        tree = Tree(None, self.engine.pool())
        try:
            logits, _, counts = self.read_plainly(tree, needs)
            return logits, counts
        finally:
            tree.clear()

    def _asked(self, needs: Sequence[Need]) -> int:
        """How many positions some needs ask for, of those that are read."""
        return sum(need.length for need in needs if need.wanted or (self._stores and need.keep < need.length))

    def _no_logits(self) -> Tensor:
        return torch.empty(0, len(self.vocabulary), dtype=self.dtype, device=self.device)

    @property
    def device(self) -> torch.device:
        """The device of the model's token ids, and of the tensors of its states.

        >>> model.device
        device(type='cpu')
        """
        return self.engine.device

    @property
    def dtype(self) -> torch.dtype:
        """The number format of its parameters.

        >>> model.dtype
        torch.float32
        """
        return self.engine.dtype

    # --- keys and values

    @property
    def _keeps(self) -> bool:
        """Whether the engine keeps anything, since the last look at its version."""
        return getattr(self.engine, "keeps", True)

    @property
    def keeps(self) -> bool:
        """Whether the tree keeps what is read now: not under `fresh()`, and not where the engine cannot keep it exactly
        (a transformers model of the tier `recompute`, and every one while forward hooks are there that were not there
        when it was wrapped).

        >>> model.keeps
        True
        """
        with self._lock:
            self._check_version()
        return self._stores

    @property
    def _stores(self) -> bool:
        """`keeps`, since the last look at the engine's version."""
        return self._keeps and not self._fresh.get()

    @property
    def asynchronous(self) -> bool:
        """Whether `read` may come back while the device computes: on all devices but the CPU, unless the engine says
        otherwise.

        >>> model.asynchronous
        False
        """
        told = getattr(self.engine, "asynchronous", None)
        return self.device.type != "cpu" if told is None else told

    def claimed(self, row: R) -> R:
        """The row, which from now on holds whatever the tree holds of its beginning.

        >>> row = model.state("The sky is").rows[0][0]
        >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=1)
        >>> model.claimed(row).claim.depth
        6
        """
        if row.dead or not self._stores:
            return row
        claim = self.tree.find(row.ids, row.claim)  # with what other trees of the memory have of the row beside it
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
        claims = [None if row.dead or not self._keeps else self.tree.find(row.ids, row.claim) for row in rows]
        return [claim.depth if claim else 0 for claim in claims]

    def kept_logits(self, row: KeptRow, positions: Iterable[int]) -> dict[int, Tensor]:
        """The logits `[V]` after these positions of a row, where they are still kept. Nothing is computed.

        >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=1)
        >>> list(model.kept_logits(state.rows[0][0], [5]))
        [5]
        """
        with self._lock:
            self._check_version()
        claim = None if row.dead or not self._keeps else self.tree.find(row.ids, row.claim)
        if claim is None:
            return {}
        kept = self.tree.kept_logits_along(claim, [position + 1 for position in positions])
        return {depth - 1: logits for depth, logits in kept.items()}

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Within this context (and thread, or asyncio task) every step reads all tokens of its rows again: nothing is
        taken from the KV tree or stored in it, also within a call.

        For activation hooks, patching, and everything else that makes a forward differ from the parameters' own. To
        begin with an empty tree, make another model of the same parameters: `oc.Model(model.hf, model.tokenizer)`.

        >>> new = oc.load()
        >>> with new.fresh():
        ...     state = oc.continuous(oc.generate.text(new))("The sky is", max_tokens=2)
        >>> state.kv.lengths.tolist()
        [[0]]
        """
        before = self._fresh.get()
        self._fresh.set(True)
        try:
            yield
        finally:
            self._fresh.set(before)

    def _check_version(self) -> None:
        version = self.engine.version()
        changed = version != self._version
        if changed:
            again = getattr(self.engine, "versions", set[int])()
            self._version, self._identities = version, {n: d for n, d in self._identities.items() if n in again}
        if changed or self.tree.dead:
            self.tree = self._tree_of(version)

    def _tree_of(self, version: int) -> Tree:
        """The tree of a version of the engine's. Those of versions that cannot come again are dropped."""
        again = {version, *getattr(self.engine, "versions", tuple)()}
        beside = next(iter(self._trees.values()), self.tree)
        for number, tree in [*self._trees.items()]:
            if number not in again or tree.dead:
                del self._trees[number]
                tree.drop() if hasattr(self.engine, "versions") else tree.clear()
        if version not in self._trees:
            shared = None if beside.memory.dead else beside
            self._trees[version] = Tree(beside.budget, None if shared else self.engine.pool(), shared)
        return self._trees[version]

    @property
    def kv_budget(self) -> int | None:
        """The most bytes that the tree's keys and values may take; None for no bound. (Free slots may take a tenth
        more.)

        Beyond it, keys and values of states that no call is using are given up, least recently used first, and computed
        again when they are needed. `state.kv.lengths` shows this; nothing else changes. Keys and values that a running
        step needs are always kept. The default is half of the device's free memory.

        >>> small = oc.load(kv_budget=1 << 20)
        >>> state = oc.continuous(oc.generate.text(small))("The sky is", max_tokens=2)
        >>> small.kv_budget = 0
        >>> state.kv.lengths.tolist()
        [[0]]
        """
        return self.tree.budget

    @kv_budget.setter
    def kv_budget(self, budget: int | None) -> None:
        with self._lock:
            self._check_version()  # another model may have made the memory anew
        self.tree.budget = _budget(budget, self.device)
        self.tree.trim()

    @property
    def identity(self) -> str:
        """A digest of the vocabulary, of all values of every parameter, and of the active peft adapters and their
        strengths. It tells models apart, also across runs. The config does not count.

        It is computed at the first access, and again after the parameters have changed. If they are spread over
        processes (DTensors), all processes must access it together.

        >>> model.identity == oc.load().identity, model.identity == oc.load(dtype="bfloat16").identity
        (True, False)
        """
        with self._lock:
            self._check_version()
            if self._version not in self._identities:
                with told("computing the digest of all parameters of {}", name_of(self.engine)):
                    facts = f"{self.vocabulary.fingerprint} {self.engine.identity()}"
                self._identities[self._version] = blake2b(facts.encode(), digest_size=16).hexdigest()
            return self._identities[self._version]

    def __repr__(self) -> str:
        dtype = str(self.dtype).removeprefix("torch.")
        tier = getattr(self.engine, "tier", "KV tree" if self._keeps else "recompute")
        return f"Model({name_of(self.engine)}, {len(self.vocabulary)} tokens, {dtype}, {self.device}, {tier})"


def _checked_pool(engine: Engine) -> SlotPool:
    """A new pool of an engine. TypeError for what is none, unless the engine keeps nothing."""
    pool = engine.pool()
    if getattr(engine, "keeps", True) and (lacking := missing_members(pool, SlotPool)):
        raise TypeError(
            f"{type(engine).__name__}.pool() gave {shown(pool)} ({type(pool).__name__}), which has no "
            f"{', '.join(lacking)}: it must be an outlines_cont.kv.pool.SlotPool, as outlines_cont.kv.pool.Pool() is "
            "one"
        )
    return pool


def name_of(engine: Engine) -> str:
    """What an engine is called, for display."""
    return getattr(engine, "name", type(engine).__name__)


def plain_arithmetic(device_type: str) -> AbstractContextManager[Any]:
    """Without gradients, and in the model's own precision: under autocast logits differ, and keys do not fit those of
    other calls. Only what is on is switched off: all three at every step would take as long as a small layer."""
    special = torch.is_inference_mode_enabled() or torch.is_autocast_enabled(device_type)
    return _all_plain(device_type) if special else torch.no_grad()


@contextmanager
def _all_plain(device_type: str) -> Iterator[None]:
    with torch.inference_mode(False), torch.no_grad(), torch.autocast(device_type, enabled=False):
        yield


def _lock_of(engine: Engine) -> Any:
    """One lock for all models around an engine: its own, or one that is made for it."""
    if (lock := getattr(engine, "lock", None)) is not None:
        return lock
    for other in list(_models):
        if other.engine is engine:
            return other._lock
    return whole_at_fork(threading.RLock())


def _on_one_thread() -> None:
    """Torch's threads do not live on in a child, where it would wait for them for ever."""
    if _models:  # a model lives, and has computed: at the latest when it was tried
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
    if device.type == "cpu" and "SC_AVPHYS_PAGES" in getattr(os, "sysconf_names", {}):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return None
