"""`TransformersEngine`: a decoder-only transformers model as an engine with slots."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from copy import copy
from types import NoneType
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicSlidingWindowLayer

from outlines_cont.engines.hf.backends import Backend, choose_backend, rows_by_themselves
from outlines_cont.engines.hf.generation_config import eos_ids, listed_eos, warn_of_ignored_settings
from outlines_cont.engines.hf.parameters import ParameterWatch, device_of
from outlines_cont.kv.forward import KeyShift
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.processes import ProcessBound, whole_at_fork
from outlines_cont.waiting import told

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


PROBE_IDS = 20

_locks: WeakKeyDictionary[PreTrainedModel, Any] = WeakKeyDictionary()


class TransformersEngine(ProcessBound):
    """A decoder-only transformers model behind the protocol `Engine`.

    Its backend is tried on a small tree of rows with a known answer, of tokens of the tokenizer.

    batch_invariant: whether a row's logits depend on its tokens alone, bit for bit, and not on how they were read and
    on what was read beside them (docs/engines.md).

    Attributes:
        hf: the transformers model.
        watch: sees when it changes.
        batch_invariant: as given.
        adapters: which of peft's adapters are active, whatever the model is set to; None: those that it is set to.
        n_vocab, eos, context_length, keeps, alone, name, lock: as of any engine; keeps and alone since the last look at
            `version`.

    Raises:
        TypeError: something else than a decoder-only transformers model and its tokenizer.
        ValueError: a model that cannot be served exactly, with the reason.

    >>> model.engine.tier.name, model.engine.n_vocab, model.engine.eos
    ('hook', 1536, [1])
    """

    _instead = "make one in each process"

    def __init__(self, hf: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, batch_invariant: bool = False):
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
        self.hf, self._tokenizer = hf, tokenizer
        self._text_config = hf.config.get_text_config()
        self.name, self.lock = type(hf).__name__, _lock_of(hf)
        self.context_length: int | None = _context_length(self._text_config)
        self.batch_invariant = batch_invariant
        from outlines_cont.adapters import AdapterSettings

        self.adapters: tuple[str, ...] | None = None
        with self.lock:
            self.watch = ParameterWatch(hf)
            self._settings = AdapterSettings(hf, self.watch)
            self._probed_hooks = self.watch.hooks()
            with told("trying out how to keep keys and values of {} exactly", self.name):
                self._probed, self.n_vocab = self.tried()
            self._settings.spare_what_forwards_write()
        self.eos = eos_ids(hf, tokenizer, self.n_vocab)
        self._by_themselves = rows_by_themselves(hf)
        self._serve_by(self._probed)
        self._key_shift: KeyShift | None = None
        value = getattr(hf.generation_config, "eos_token_id", None)
        self._eos_value, self._listed_eos = copy(value), listed_eos(hf)
        self._vocab_size = getattr(self._text_config, "vocab_size", None)
        warn_of_ignored_settings(hf, self.context_length)

    def tried(self) -> tuple[Backend, int]:
        """How keys and values are kept, and how many logits there are, by a probe."""
        backend, n_vocab = choose_backend(self.hf, self._probe_ids(), bool(self._probed_hooks))
        if self.batch_invariant:
            from outlines_cont.batch_invariance import invariant

            backend = invariant(self.hf, backend, self._probe_ids(), self.context_length)
        return backend, n_vocab

    def _probe_ids(self) -> list[int]:
        """Some token ids for the probe of the backends: from all over the vocabulary, without special and other added
        tokens as far as there are others; and the padding id."""
        tokenizer: Any = self._tokenizer
        sizes = (getattr(self._text_config, "vocab_size", None), len(tokenizer))
        size = min(size for size in sizes if isinstance(size, int) and size > 0)
        added = {*getattr(tokenizer, "all_special_ids", ()), *getattr(tokenizer, "get_added_vocab", dict)().values()}
        text = [token for token in range(size) if token not in added] or [0]
        ids = text[:: max(1, len(text) // PROBE_IDS)][:PROBE_IDS]
        pad = getattr(self._text_config, "pad_token_id", None)
        return [*ids, pad] if isinstance(pad, int) and 0 <= pad < size else ids

    def __repr__(self) -> str:
        return f"TransformersEngine({self.name}, {self.tier})"

    @property
    def tier(self) -> Backend:
        """How keys and values are kept now: as the probe has found, or, while the model has other forward hooks than
        when it was wrapped, not at all."""
        with self.lock:
            self.version()
            return self._now

    @property
    def device(self) -> torch.device:
        """Where the model takes its token ids."""
        return device_of(self.hf)

    @property
    def dtype(self) -> torch.dtype:
        """The number format of its parameters."""
        return self.hf.dtype

    def pool(self) -> Pool:
        """Slots of tensors."""
        return Pool()

    def forward(self, tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        """One pass over the runs."""
        if self.adapters is None:
            return self._now.forward(tree, runs)
        with self._settings.under(self.adapters):
            return self._now.forward(tree, runs)

    def key_shift(self) -> KeyShift:
        """What moves keys to other positions, for grafts; found by a probe when it is first asked for. ValueError, with
        the reason, for a model whose keys nobody can move."""
        if self._key_shift is None:
            from outlines_cont.grafts.key_shift import key_shift

            tier = self.tier
            say = told("trying out how keys of {} move to other positions", self.name)
            with say, self._settings.under(self.adapters):
                self._key_shift = key_shift(self.hf, tier, self._probe_ids())
        return self._key_shift

    @property
    def window(self) -> int | None:
        """How many tokens the narrowest sliding window of its layers sees; None if it has none. Chunks are none."""
        if "chunked_attention" in (getattr(self._text_config, "layer_types", None) or ()):
            return None
        layers = DynamicCache(config=self._text_config).layers
        windows = (layer.sliding_window for layer in layers if isinstance(layer, DynamicSlidingWindowLayer))
        return min(windows, default=None)

    def version(self) -> int:
        """Another number after the parameters have changed. While they do not, each setting of peft's adapters has a
        number of its own. Forward hooks are looked at, too: while there are others than at first, keys and values are
        neither kept nor used, and afterwards they are as before."""
        with self.lock:
            self._settings.look()
            now = self._probed if self.watch.hooks() == self._probed_hooks else self._by_themselves
            if now is not self._now:
                self._serve_by(now)
            return self._settings.number(self.adapters)

    def versions(self) -> set[int]:
        """The numbers that `version` may give again."""
        return self._settings.numbers

    def _serve_by(self, backend: Backend) -> None:
        self._now, self.keeps, self.alone = backend, backend.keeps, backend.alone

    def identity(self) -> str:
        """A digest of all values of every parameter, and of peft's active adapters."""
        return self._settings.identity(self.adapters)

    def kv_layout(self) -> str:
        """What keys and values depend on besides parameters and tokens: see `outlines_cont.store.copies`."""
        from outlines_cont.store.of_transformers import layout

        return layout(self)

    def copied(self, tree: Tree, slots: np.ndarray) -> dict[str, Tensor]:
        """Keys and values in slots, copied: see `outlines_cont.store.copies`."""
        from outlines_cont.store.of_transformers import copied

        return copied(cast(Pool, tree.pool), slots)

    def put(self, tree: Tree, run: TokenRun, copies: dict[str, Tensor], start: int) -> None:
        """Fill the slots of a run with copies: see `outlines_cont.store.copies`."""
        from outlines_cont.store.of_transformers import put

        put(self, tree, run, copies, start)

    def check(self) -> None:
        """ValueError if dropout is on, and if the model has other tokens, or another eos, than when it was wrapped.

        The vocabulary is a value. The guides of generators and the constraint states of spans are made for it, so it
        cannot follow.
        """
        self.watch.check()
        changes = []
        if (size := getattr(self._text_config, "vocab_size", None)) != self._vocab_size:
            changes.append(f"vocab_size={size}, and had {self._vocab_size}")
        value = getattr(self.hf.generation_config, "eos_token_id", None)
        same = isinstance(value, (int, list, tuple, NoneType)) and value == self._eos_value
        if not same and listed_eos(self.hf) != self._listed_eos:
            eos = eos_ids(self.hf, self._tokenizer, self.n_vocab)
            if eos != self.eos:
                changes.append(f"the eos ids {eos}, and had {self.eos}")
        if changes:
            raise ValueError(
                f"{type(self.hf).__name__} has {'; '.join(changes)} when this Model was made: its generators and "
                "states belong to the old vocabulary. Wrap it anew: oc.Model(model.hf, model.tokenizer)"
            )


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
