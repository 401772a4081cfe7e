"""Constraints in transformers' `generate()`.

processor = LogitsProcessor(output_type, tokenizer)
ids = hf.generate(**inputs, logits_processor=[processor], …)
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Collection, Sequence
from enum import Enum
from typing import Any, get_args

import numpy as np
import torch
import transformers
from torch import Tensor

from outlines_cont.arguments import shown, whole_number, word
from outlines_cont.engines.protocol import missing_members
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.engine.native import engine
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.fsm.within import Within, whole_limit
from outlines_cont.generate.asked import asked_of, constraint_on
from outlines_cont.integrations.generate_calls import DRAFT, GenerateCall, GenerateCalls
from outlines_cont.kernels import bitmask
from outlines_cont.processes import whole_at_fork
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.failed_row import Errors

__all__ = ["LogitsProcessor"]

# --- `RowStates`: the states of a guide, by what each row has written
#
# A loop of somebody else moves, copies and gives up rows as it likes, and tells nobody. So the state of a row is looked
# up by the row's own token ids. A row is one that was asked about before, and one token more: its state is one
# `advance` away from that row's.

KEPT_BYTES = 1 << 26  # of rows and their places; those of the last steps are kept however long they are
KEPT_STEPS = 4
ENTRY = 192  # bytes that a row takes besides its ids: its state, the objects and the place in the dict
WORD = 4  # bytes of a token id in a key


class Ended(Enum):
    """In place of a state, where there is none."""

    STOPPED = "behind an eos"
    REFUSED = "behind a token that was not allowed"


class RowStates:
    """The states of one guide, by the token ids that lead to them; those asked for last are kept.

    Args:
        guide: whose states.
        ends: the ids that end a text.
    """

    def __init__(self, guide: FullGuide, ends: Collection[int]):
        self.guide, self.ends = guide, frozenset(ends)
        self._kept: OrderedDict[bytes, GuideState | Ended] = OrderedDict()
        self._bytes = 0
        self._lock = whole_at_fork(threading.Lock())

    def of(self, rows: np.ndarray) -> list[GuideState | Ended]:
        """The states of rows, int `[rows, n]`: one `advance` for each that is one token longer than one asked before.

        A row that is not is walked from its longest beginning that is kept.
        """
        with self._lock:
            states = [self._state(row.tobytes()) for row in rows.astype(np.int32)]
            self._forget(KEPT_STEPS * len(rows))
        return states

    def _state(self, ids: bytes) -> GuideState | Ended:
        if not ids:
            return self.guide.initial
        if ids in self._kept:
            self._kept.move_to_end(ids)
            return self._kept[ids]
        length = len(ids) - WORD
        while length and ids[:length] not in self._kept:
            length -= WORD
        state = self._kept[ids[:length]] if length else self.guide.initial
        for token in np.frombuffer(ids[length:], np.int32).tolist():
            state = self._after(state, token)
        self._kept[ids] = state
        self._bytes += ENTRY + len(ids)
        return state

    def _after(self, state: GuideState | Ended, token: int) -> GuideState | Ended:
        if isinstance(state, Ended):
            return state
        if token in self.ends:
            return Ended.STOPPED if self.guide.accepting(state) else Ended.REFUSED
        if token in self.guide.vocabulary.eos or not 0 <= token < len(self.guide.vocabulary):
            return Ended.REFUSED
        after: Any = self.guide.advance(state, token)
        return Ended.REFUSED if after is None else after

    def _forget(self, least: int) -> None:
        while self._bytes > KEPT_BYTES and len(self._kept) > least:
            ids, _ = self._kept.popitem(last=False)
            self._bytes -= ENTRY + len(ids)


# --- transformers

MOST_UNUSED = 1024  # logits that a model may have beyond the tokens of its tokenizer: embeddings are padded
CALLED = "LogitsProcessor()"
#: The bits of −inf, as an int.
_NOTHING = {torch.float32: -(1 << 23), torch.float16: -(1 << 10), torch.bfloat16: -(1 << 7)}


class LogitsProcessor(transformers.LogitsProcessor):
    """A constraint on what transformers' `generate()` writes: `hf.generate(…, logits_processor=[processor])`.

    It serves greedy decoding, sampling, beams, beam-sampling, several return sequences, batches with padding on the
    left, prompt lookup, assistant models, and models with an encoder and a decoder. The state of a row is found by the
    ids that the row itself has written, so rows may be moved, copied and given up. Tokens that may not come get −inf;
    ids that end a text are allowed exactly where it may end; behind them only they and padding are allowed.

    A processor may serve one call of `generate()` after another. In a loop of the user's (one that is not inside
    `generate()`), the first step says how long the prompts are, and `reset()` must be called before the next loop.

    Args:
        output_type: what is to be written: all that `oc.Generator` takes, guides of third parties included.
        model: whose tokens: a tokenizer, an `oc.Model`, or a `Vocabulary`. None: those of the guide, if one is given.
        prompt_length: how many ids of each row, padding included, come before the text. None: all that a call of
            `generate()` is given, or the decoder's start tokens. With fewer, the rest of the prompt is taken for the
            beginning of the text.
        max_tokens: with `whole=True`, how many ids the text and its eos may take.
        whole: the text closes within `max_tokens`. See docs/whole.md.

    Attributes:
        constraint, guide: what it stands for.

    Raises:
        TypeError: an output type or a model that is none.
        ConstraintError: nothing fits the constraint, or the vocabulary cannot spell it.

    >>> from outlines_cont.integrations.transformers import LogitsProcessor
    >>> processor = LogitsProcessor(["Paris", "Rome"], model.tokenizer)
    >>> prompt = model.tokenizer("The capital of Italy is ", return_tensors="pt")
    >>> ids = model.hf.generate(**prompt, logits_processor=[processor], num_beams=2, do_sample=False, max_new_tokens=8)
    >>> model.tokenizer.decode(ids[0, prompt.input_ids.shape[1] :], skip_special_tokens=True)
    'Rome'
    >>> processor.values(ids[:, prompt.input_ids.shape[1] :])
    ['Rome']
    """

    supports_continuous_batching = False

    def __init__(
        self,
        output_type: Any,
        model: Any = None,
        *,
        prompt_length: int | None = None,
        max_tokens: int | None = None,
        whole: bool = False,
    ):
        _refuse_swapped(output_type, model)
        asked = asked_of(output_type, CALLED)
        if asked.options.get("by") == "sequence":
            raise ValueError(f"{CALLED}: by='sequence' draws whole options, and generate() tokens: take by='token'")
        given = asked.options["guide"].vocabulary if asked.kind == "guide" else None
        vocabulary = _vocabulary(model, given)
        self.constraint: Constraint = constraint_on(vocabulary, asked)
        limit = whole_limit(CALLED, max_tokens, whole)
        self.guide: FullGuide = self.constraint.guide
        if limit is not None:
            self.guide = Within(self.constraint.closing(CALLED, ()).guide, limit)
        self.prompt_length = _checked_length(prompt_length)
        self._calls = GenerateCalls(self, may_loop=prompt_length is not None)
        self._states: dict[tuple[int, ...], RowStates] = {}
        self._begun: tuple[int, frozenset[bytes]] | None = None  # in a loop of the user's: width and prompts
        self._given_out: weakref.ref[Tensor] | None = None

    def reset(self) -> None:
        """Forget the loop of the user's that was served last: the next step is the first of another one."""
        self._begun = self._given_out = None

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """The scores `[rows, V]` with −inf for each token that may not come; those that are given stay as they are.

        input_ids: int `[rows, n]`, the whole rows, prompts included. scores: of any float type, on any device.

        Raises:
            ValueError: a loop that cannot be served; logits or eos ids that are not those of the tokenizer; a row
                for which other processors have left no token; in a loop of the user's, rows of another prompt.
            ConstraintError: the end of the prompt, from `prompt_length` on, does not fit.
        """
        if torch.compiler.is_compiling():
            raise ValueError(
                f"{self!r} inside torch.compile: it looks states up on the host. Compile model.forward, not generate()"
            )
        call = self._calls.current()
        if call == DRAFT:
            return scores
        self._check_scores(input_ids, scores)
        ids = input_ids.detach().cpu().numpy()
        start = self._start(call, ids, scores)
        if ids.shape[1] < start:  # a forced bos comes first
            return scores
        ends = self._ends(call, scores.shape[1])
        if ends not in self._states:
            self._states = {ends: RowStates(self.guide, ends)}
        states = self._states[ends].of(ids[:, start:])
        self._check_states(call, ids, start, states)
        pad = call.pad if call is not None else ()
        masks = self._masks(states, ends, pad, scores.shape[1])
        masked, all_left = _masked(scores, masks)
        if not all_left:
            self._check_left(call, masked, states)
        self._given_out = weakref.ref(masked)
        return masked

    def values(self, ids: Tensor | Sequence[Sequence[int]], errors: Errors = "raise") -> list[Any]:
        """The values of the texts that were written: what `oc.Generator` would give.

        ids: int `[rows, n]`, the new ids of each row, prompts left out: `generate(…)[:, prompt_length:]`.
        errors: "return" puts the error of a row in the place of its value.

        Raises:
            ValueError: a text that was cut short, or that its class refuses; ids that begin with the prompt.

        >>> from outlines_cont.integrations.transformers import LogitsProcessor
        >>> LogitsProcessor(int, model).values([[*model.tokenizer("34", add_special_tokens=False).input_ids, 1, 1]])
        [34]
        """
        rows: Any = ids.tolist() if isinstance(ids, Tensor) else [list(row) for row in ids]
        if word(errors, "errors", get_args(Errors)) == "raise":
            return [self._value(row, n) for n, row in enumerate(rows)]
        values: list[Any] = []
        for n, row in enumerate(rows):
            try:
                values.append(self._value(row, n))
            except ValueError as error:
                values.append(error)
        return values

    def _value(self, row: list[int], n: int) -> Any:
        vocabulary = self.guide.vocabulary
        size, special = len(vocabulary), vocabulary.special - self.constraint.marks
        end = next((i for i, token in enumerate(row) if token in special or not 0 <= token < size), len(row))
        state: GuideState | None = self.guide.initial
        for token in row[:end]:
            state = None if state is None else self.guide.advance(state, token)
        text = self.constraint.text_of(row[:end], vocabulary).decode("utf-8", "replace")
        if state is None:
            raise ValueError(f"row {n}, {shown(text)}, is no text of {self!r}: give the new ids alone, without prompts")
        if not (self.guide.complete(state) or (end < len(row) and self.guide.accepting(state))):
            if not end and any(token not in special for token in row):  # the bos of a prompt
                raise ValueError(
                    f"row {n} begins with the special token {row[0]}, and goes on: ids with their prompt? "
                    "values() takes the new ids alone, ids[:, prompt_length:]"
                )
            if not end and row:  # padding alone is where a beam search has no text
                raise ValueError(f"row {n} holds no text: num_return_sequences is more than generate() had texts")
            raise ValueError(f"row {n}, {shown(text)}, was cut short: give generate() more max_new_tokens")
        return self.constraint.parse(text)

    def __repr__(self) -> str:
        return f"LogitsProcessor({self.constraint.kind}, {len(self.guide.vocabulary)} tokens)"

    # --- what a step is told

    def _start(self, call: GenerateCall | None, ids: np.ndarray, scores: Tensor) -> int:
        """How many ids of each row come before its text."""
        width = call.width if call is not None else None
        if width is None:
            return self._start_of_loop(ids, scores)
        if self.prompt_length is None:
            assert call is not None and call.start is not None
            return call.start
        if self.prompt_length > width:
            raise ValueError(f"prompt_length={self.prompt_length}: the prompts of this call have {width} ids")
        return self.prompt_length

    def _start_of_loop(self, ids: np.ndarray, scores: Tensor) -> int:
        if self._given_out is not None and scores is self._given_out():
            raise ValueError(f"{self!r} is given its own scores: it stands twice in a list of processors; give it once")
        if self._begun is None:
            start = ids.shape[1] if self.prompt_length is None else self.prompt_length
            if start > ids.shape[1]:
                raise ValueError(f"prompt_length={start}: the rows of this loop have {ids.shape[1]} ids")
            self._begun = start, frozenset(row.tobytes() for row in ids[:, :start])
        start, prompts = self._begun
        if ids.shape[1] < start or not all(row.tobytes() in prompts for row in ids[:, :start]):
            raise ValueError(
                f"{self!r} began with prompts of {start} ids, and is now asked about rows that begin otherwise: before "
                "another loop, call reset(), or make a new processor; give every step the whole rows"
            )
        return start

    def _ends(self, call: GenerateCall | None, width: int) -> tuple[int, ...]:
        """The ids that end a text: those at which `generate()` ends a row, or else the vocabulary's."""
        vocabulary = self.guide.vocabulary
        ends = call.ends if call is not None and call.ends else vocabulary.eos
        if not ends:
            raise ValueError(f"{self!r}: no id ends a text: the tokenizer has no eos, and generate() no eos_token_id")
        for token in ends:
            if token >= width or (token < len(vocabulary) and token not in vocabulary.special):
                text = f"the text {vocabulary.tokens[token]!r}" if token < width else "none of its logits"
                raise ValueError(
                    f"generate() ends a row at the id {token}, which is {text} for the tokenizer of {self!r}. Is it "
                    "the model's? Give eos_token_id= of a special token, and stop strings as part of the pattern"
                )
        return ends

    # --- masks

    def _masks(self, states: Sequence[Any], ends: Sequence[int], pad: Sequence[int], width: int) -> np.ndarray:
        """The allowed tokens, packed: int32 `[rows or 1, (width + 31) // 32]`."""
        words = (width + 31) // 32
        live = [self.guide.initial if isinstance(state, Ended) else state for state in states]
        masks = self.guide.masks(live)
        shared = masks.strides[0] == 0 and not any(isinstance(state, Ended) for state in states)
        rows = masks[:1] if shared else masks
        packed = np.zeros((len(rows), words), np.int32)
        packed[:, : rows.shape[1]] = rows
        stop = _mask_of(ends, words)
        if {*ends} != {*self.guide.vocabulary.eos}:
            packed &= ~_mask_of((*ends, *self.guide.vocabulary.eos), words)
            may_end = [not isinstance(state, Ended) and self.guide.accepting(state) for state in states[: len(packed)]]
            packed[may_end] |= stop
        for n, state in enumerate(states[: len(packed)]):
            if isinstance(state, Ended):
                packed[n] = stop | _mask_of(pad, words) if state is Ended.STOPPED else stop
        return packed

    # --- what is checked

    def _check_scores(self, input_ids: Tensor, scores: Tensor) -> None:
        if scores.ndim != 2 or input_ids.ndim != 2 or len(scores) != len(input_ids):
            raise ValueError(
                f"{self!r} takes ids [rows, n] and scores [rows, V], not {list(input_ids.shape)} and "
                f"{list(scores.shape)}"
            )
        tokens, width = len(self.guide.vocabulary), scores.shape[1]
        if not tokens <= width <= tokens + MOST_UNUSED:
            raise ValueError(
                f"the model gives {width} logits, and the tokenizer of {self!r} has {tokens} tokens: it is not the "
                "model's. Give the tokenizer that the model was trained with, or an oc.Model"
            )

    def _check_states(self, call: GenerateCall | None, ids: np.ndarray, start: int, states: Sequence[Any]) -> None:
        first = call is not None and ids.shape[1] == call.width
        for n, state in enumerate(states):
            if first and isinstance(state, Ended):
                vocabulary = self.guide.vocabulary
                text = vocabulary.decode([token for token in ids[n, start:].tolist() if token < len(vocabulary)])
                raise ConstraintError(
                    f"row {n} begins with {text!r} after its first {start} ids (prompt_length), which does not fit "
                    f"{self!r}"
                )
            token = int(ids[n, -1]) if ids.shape[1] else -1
            if call is not None and call.singly and state is Ended.REFUSED and token not in call.pad:
                raise ValueError(
                    f"row {n} went on with the token {token}, which {self!r} had forbidden: another processor, or a "
                    "setting as remove_invalid_values, has given it a score again. Put this processor last"
                )

    def _check_left(self, call: GenerateCall | None, masked: Tensor, states: Sequence[Any]) -> None:
        """ValueError if a text cannot go on, since other processors forbid all that the constraint allows."""
        stuck = torch.isneginf(masked.amax(-1)).tolist()
        lost = np.array([left or state is Ended.REFUSED for left, state in zip(stuck, states, strict=True)])
        beams = call.beams if call is not None and len(lost) % call.beams == 0 else 1
        lost = lost.reshape(-1, beams).all(1) & np.array(stuck).reshape(-1, beams).any(1)
        live = np.array([not isinstance(state, Ended) for state in states]).reshape(-1, beams).any(1)
        if (lost & live).any():
            others = (call.forbidding if call is not None else "") or "another processor of the list"
            raise ValueError(
                f"row {int((lost & live).argmax()) * beams}: no token is left. {others} forbids every token that "
                f"{self!r} allows here"
            )


def _mask_of(ids: Sequence[int], words: int) -> np.ndarray:
    """The mask that allows these ids: int32 `[words]`."""
    mask, held = np.zeros(words, np.int32), np.array([token for token in ids if token < 32 * words], np.int32)
    engine().set_bits(mask, words, held, len(held))
    return mask


def _masked(scores: Tensor, masks: np.ndarray) -> tuple[Tensor, bool]:
    """New scores, −inf where a token is not allowed and else as they were; and whether each row has others than −inf.

    masks: int32 `[rows or 1, (V + 31) // 32]`.
    """
    if scores.device.type != "cpu" or scores.requires_grad or scores.dtype not in _NOTHING:
        masked = bitmask.apply(scores.clone(), torch.from_numpy(masks).to(scores.device))
        return masked, not torch.isneginf(masked.amax(-1)).any()
    scores = scores.contiguous()
    masked = torch.empty_like(scores)
    given = scores.data_ptr(), masked.data_ptr(), scores.itemsize, *scores.shape, _NOTHING[scores.dtype]
    stuck = engine().keep_allowed(*given, masks.ctypes.data, masks.shape[1] if len(masks) > 1 else 0)
    return masked, not stuck


def _vocabulary(model: Any, of_guide: Vocabulary | None) -> Vocabulary:
    """The tokens of a model, of its tokenizer, or of a guide."""
    right = "a tokenizer, an oc.Model or a Vocabulary"
    if model is None:
        if of_guide is None:
            raise TypeError(f"{CALLED} takes {right} second: only a guide has a vocabulary of its own")
        return of_guide
    if isinstance(model, Vocabulary):
        vocabulary = model
    elif not isinstance(model, type) and not missing_members(model):
        vocabulary = model.vocabulary
    elif hasattr(model, "get_output_embeddings"):
        raise TypeError(f"{CALLED} takes {right}, not a bare {type(model).__name__}: give its tokenizer")
    elif hasattr(model, "get_vocab") and not isinstance(model, type):
        size, eos = (None, None) if of_guide is None else (len(of_guide), of_guide.eos)
        vocabulary = Vocabulary.of(model, size, eos)
    else:
        raise TypeError(f"{CALLED} takes {right} second, not {shown(model)}")
    if of_guide is not None and of_guide != vocabulary:
        raise ValueError(f"{CALLED}: a guide over another vocabulary, {of_guide!r}, than {vocabulary!r}")
    return vocabulary


def _checked_length(length: Any) -> int | None:
    if length is not None and (length := whole_number(length, "prompt_length", "an int ≥ 0 or None")) < 0:
        raise ValueError(f"prompt_length={length}: it must be an int ≥ 0 or None")
    return length


def _refuse_swapped(output_type: Any, model: Any) -> None:
    """TypeError for a model or a tokenizer in the place of the output type."""
    is_tokenizer = hasattr(output_type, "get_vocab")
    if is_tokenizer or hasattr(output_type, "get_output_embeddings") or not missing_members(output_type):
        wanted = "int" if model is None else getattr(model, "__name__", shown(model))
        given = "tokenizer" if is_tokenizer else "model"
        raise TypeError(f"{CALLED}: the output type comes first, then whose tokens: LogitsProcessor({wanted}, {given})")
