"""`TransformersEngine`: a decoder-only transformers model as an engine with slots."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, cast
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicSlidingWindowLayer

from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.backends import Backend, choose_backend, rows_by_themselves
from outlines_cont.engines.hf.generation_config import eos_ids, listed_eos, warn_of_ignored_settings
from outlines_cont.engines.hf.parameters import ParameterWatch, device_of, identity_of
from outlines_cont.kv.forward import KeyShift
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.processes import ProcessBound, whole_at_fork
from outlines_cont.waiting import told

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


# --- how the keys of a model change when its tokens move to other positions, found by a probe
#
# Rotary embeddings turn pairs of a key's numbers by angles that grow with the position. So a key is moved by turning it
# further. Which pairs, and how fast, differs between models, and between the layers of one: every way that the model's
# own frequencies allow is tried on some tokens that are read at several positions, where nothing stands before them.

Pairs = Literal["halves", "neighbours"]
PROBED_POSITIONS = (0, 9, 61)
PROBED_TOKENS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Rotation:
    """Turns pairs of numbers at the beginning of a key: pair i by `frequencies[i]` a position.

    pairs: pair i are the numbers i and i + n ("halves"), or 2i and 2i + 1 ("neighbours"), of n pairs.
    """

    frequencies: Tensor  # float64 [n], on the host
    pairs: Pairs

    def turned(self, keys: Tensor, by: int) -> Tensor:
        """Keys `[kv heads, tokens, head size]`, moved by so many positions."""
        n = len(self.frequencies)
        angles = self.frequencies * by
        cos, sin = (part.to(keys.device, torch.float32) for part in (angles.cos(), angles.sin()))
        turning, fixed = keys[..., : 2 * n].float(), keys[..., 2 * n :]
        first, second = turning.chunk(2, -1) if self.pairs == "halves" else (turning[..., ::2], turning[..., 1::2])
        both = first * cos - second * sin, second * cos + first * sin
        turned = torch.cat(both, -1) if self.pairs == "halves" else torch.stack(both, -1).flatten(-2)
        return torch.cat([turned.to(keys.dtype), fixed], -1)


def key_shift(hf: PreTrainedModel, backend: Backend, ids: Sequence[int]) -> KeyShift:
    """What moves the keys of this model. ValueError, with the reason, for a model whose keys nobody can move exactly.

    ids: some different token ids for the probe.
    """
    if reason := _obstacle(hf, backend):
        raise ValueError(f"{type(hf).__name__} takes no grafts: {reason}")
    line = tuple(ids[i * (i + 2) % len(ids)] for i in range(PROBED_TOKENS))
    read = [_keys_and_values(hf, line, position) for position in PROBED_POSITIONS]
    ways = [_way(type(hf).__name__, call, read, _candidates(hf, read[0][call][0])) for call in read[0]]
    return partial(_shifted, ways)


def _shifted(ways: Sequence[Rotation | None], call: int, keys: Tensor, by: int) -> Tensor:
    """The keys of one attention call, moved by so many positions."""
    way = ways[call]
    return keys if way is None or not by else way.turned(keys, by)


def _obstacle(hf: PreTrainedModel, backend: Backend) -> str:
    """Why keys cannot be moved, as far as it is known before anything is tried."""
    config = hf.config.get_text_config()
    if backend.name != "hook":
        return f"its keys and values are not kept by the attention hook ({backend})"
    if getattr(config, "kv_lora_rank", None):
        return "its attention is latent: its keys are made of what several heads share"
    if "chunked_attention" in (getattr(config, "layer_types", None) or ()):
        return "its layers attend in chunks, which begin at fixed positions"
    layers = {type(layer).__name__ for layer in DynamicCache(config=config).layers}
    if not layers <= {"DynamicLayer", "DynamicSlidingWindowLayer"}:
        return f"it caches its layers in {', '.join(sorted(layers))}"
    spread = any(type(parameter).__name__ == "DTensor" for parameter in hf.parameters())
    if spread or (getattr(hf, "tp_size", None) or 1) > 1:
        return "its heads are spread over processes (tensor parallelism)"
    return ""


def _keys_and_values(hf: PreTrainedModel, ids: tuple[int, ...], position: int) -> dict[int, tuple[Tensor, Tensor]]:
    """By attention call, the keys and values `[kv heads, tokens, head size]` of tokens of which the first one stands
    at this position, with nothing before it."""
    tree = Tree()
    pool = cast(Pool, tree.pool)
    run = TokenRun(ids, (tree.root, 0), position, slots=pool.take(len(ids)))
    attention_hook.forward(hf, tree, [run])
    slots = torch.from_numpy(cast(np.ndarray, run.slots))
    return {call: pool.read(call, slots.to(keys.device)) for call, (keys, _) in pool.buffers.items()}


def _candidates(hf: nn.Module, keys: Tensor) -> Iterator[Rotation | None]:
    """The ways in which these keys might move; None: not at all."""
    yield None
    tried: list[Tensor] = []
    for name, buffer in hf.named_buffers():
        if not name.endswith("inv_freq") or buffer.dim() != 1 or 2 * len(buffer) > keys.shape[-1]:
            continue
        frequencies = buffer.detach().double().cpu()
        if not any(frequencies.equal(other) for other in tried):
            tried.append(frequencies)
            yield Rotation(frequencies, "halves")
            yield Rotation(frequencies, "neighbours")


def _way(
    name: str, call: int, read: Sequence[dict[int, tuple[Tensor, Tensor]]], candidates: Iterator[Rotation | None]
) -> Rotation | None:
    """The way in which the keys of one attention call move. ValueError if none of the candidates is it."""
    keys, values = zip(*(each[call] for each in read), strict=True)

    def error(way: Rotation | None) -> float:
        moves = [(0, at) for at in range(1, len(keys))] + [(len(keys) - 1, 0)]
        positions = PROBED_POSITIONS
        errors = [
            _difference(_shifted([way], 0, keys[a], positions[b] - positions[a]), keys[b], values[a], values[b])
            for a, b in moves
        ]
        return max(errors)

    errors = [(error(way), place, way) for place, way in enumerate(candidates)]
    least, _, way = min(errors, key=lambda each: each[:2])
    if not least <= (1e-4 if keys[0].dtype in (torch.float32, torch.float64) else 5e-2):
        raise ValueError(
            f"{name} takes no grafts: the keys of attention call {call} at one position are not those of another "
            "position, turned by a rotary embedding of the model. (Learned positions, as those of GPT-2, are in "
            "everything that is computed from them.)"
        )
    return way


def _difference(keys: Tensor, other_keys: Tensor, values: Tensor, other_values: Tensor) -> float:
    """The largest difference, as a share of the largest number; in half precision the mean difference."""
    differences = []
    for a, b in ((keys, other_keys), (values, other_values)):
        gap, scale = (a.float() - b.float()).abs(), b.float().abs().max().clamp_min(1e-12)
        exact = keys.dtype in (torch.float32, torch.float64)
        differences.append(float((gap.max() if exact else gap.mean()) / scale))
    return max(differences)


# --- engine

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
        from outlines_cont.batch_invariance import invariant

        with self.lock:
            self.watch, self._version = ParameterWatch(hf), 0
            self._probed_hooks = self.watch.hooks()
            with told("trying out how to keep keys and values of {} exactly", self.name):
                self._probed, self.n_vocab = choose_backend(hf, self._probe_ids(), bool(self._probed_hooks))
                if batch_invariant:
                    self._probed = invariant(hf, self._probed, self._probe_ids(), self.context_length)
            self.watch.spare_what_forwards_write()
        self.eos = eos_ids(hf, tokenizer, self.n_vocab)
        self._by_themselves = rows_by_themselves(hf)
        self._serve_by(self._probed)
        self._key_shift: KeyShift | None = None
        value = getattr(hf.generation_config, "eos_token_id", None)
        self._eos_value, self._listed_eos = copy(value), listed_eos(hf)
        self._vocab_size = getattr(self._text_config, "vocab_size", None)
        warn_of_ignored_settings(hf, self.context_length)

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
        return self._now.forward(tree, runs)

    def key_shift(self) -> KeyShift:
        """What moves keys to other positions, for grafts; found by a probe when it is first asked for. ValueError, with
        the reason, for a model whose keys nobody can move."""
        if self._key_shift is None:
            with told("trying out how keys of {} move to other positions", self.name):
                self._key_shift = key_shift(self.hf, self.tier, self._probe_ids())
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
        """Another number after the parameters have changed. Forward hooks are looked at, too: while there are others
        than at first, keys and values are neither kept nor used, and afterwards they are as before."""
        if self.watch.changed():
            self._version += 1
        now = self._probed if self.watch.hooks() == self._probed_hooks else self._by_themselves
        if now is not self._now:
            self._serve_by(now)
        return self._version

    def _serve_by(self, backend: Backend) -> None:
        self._now, self.keeps, self.alone = backend, backend.keeps, backend.alone

    def identity(self) -> str:
        """A digest of all values of every parameter, and of peft's adapters."""
        return identity_of(self.hf)

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
