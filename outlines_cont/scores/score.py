"""`score()`: the model's own log-probabilities of texts that rows could go on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from math import fsum, inf
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, get_args, overload

import torch
from torch import Tensor

from outlines_cont.arguments import brief, flag, shown, whole_number, word
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.errors import ConstraintError
from outlines_cont.explained import explained
from outlines_cont.generate.asked import checked_model
from outlines_cont.generate.call_options import Seam, checked_seam
from outlines_cont.kernels.laws import log_sum_exp
from outlines_cont.kv.given_tokens import GivenTexts, Ids, logprobs_of
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.scores.texts import (
    Text,
    Texts,
    byte_count,
    character_count,
    listed_texts,
    spelled_texts,
    texts_of_rows,
    with_reopened,
)
from outlines_cont.state.model import prompt_state
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import told

# --- texts longer than a model's context: the windows in which their tokens are scored


class TextWindow(NamedTuple):
    """Tokens that are scored, and maybe the stop after them, and the tokens before them that the model reads."""

    context: Ids
    ids: Ids
    stop: bool

    @property
    def count(self) -> int:
        """How many log-probabilities it gives."""
        return len(self.ids) + self.stop


def checked_windows(windows: Any, context_length: int | None) -> int | None:
    """How many tokens each further window scores, or None. ValueError if that is not from 1 to the context's length."""
    if windows is None:
        return None
    right = "how many tokens each further window scores, an int from 1 to the model's context length, or None"
    windows = whole_number(windows, "windows", right)
    if windows < 1 or (context_length is not None and windows > context_length):
        raise ValueError(f"windows={shown(windows)}: it must be {right} (here {context_length})")
    return windows


def text_windows(context: Ids, ids: Ids, stop: bool, length: int | None, step: int | None) -> list[TextWindow]:
    """The windows of a text after a context: the whole, where it fits, or where there is no step.

    The first one reads from the beginning and scores what it has room for. Each further one scores `step` tokens more,
    the last one what is left, and reads as many tokens before them as it has room for. The last token that is scored
    is not read, so a window has `length` tokens and one more.
    """
    count = len(ids) + stop
    if length is None or step is None or len(context) + count - 1 <= length:
        return [TextWindow(context, ids, stop)]
    tokens = context + ids
    windows = []
    begin, end = 0, max(length + 1 - len(context), 0)
    if not end:  # the context alone is longer
        end = step
    while begin < count:
        end = min(end, count)
        first = max(len(context) + end - 1 - length, 0)
        windows.append(TextWindow(tokens[first : len(context) + begin], ids[begin:end], end > len(ids)))
        begin, end = end, end + step
    return windows


# --- score

LOGITS_AT_ONCE = 1 << 26  # more are read in parts: in float32 these take a quarter of a GiB

ScoreNormalization = Literal["sum", "mean", "bytes", "characters", "unconditional"]


class ScoreOptions(TypedDict, total=False):
    """The options of `score`, without `detail`."""

    stop: bool
    normalize: ScoreNormalization
    windows: int | None
    seam: Seam


class TokenScore(NamedTuple):
    """A token of a text, its bytes and its log-probability; the stop is no token and has no bytes.

    greedy: whether the model finds no other token likelier there; of the stop, whether an eos is the likeliest token.
    """

    token: int | None
    bytes: bytes
    logprob: float
    greedy: bool


class Scored(NamedTuple):
    """scores: float64 `(B, S, K)`; tokens: B × S × K nested lists of what each text's log-probability is the sum of."""

    scores: Tensor
    tokens: list[list[list[tuple[TokenScore, ...]]]]

    @property
    def greedy(self) -> Tensor:
        """Whether greedy decoding writes the text: every token, and the stop if it counts. bool `(B, S, K)`.

        False of dead rows, and where a row has fewer texts.

        >>> state = model.state("Mira is a painter from Lisbon.\\nQ: What is Mira's job?\\nA:")
        >>> oc.score(state, [" painter", " sailor"], detail=True).greedy.tolist()
        [[[True, False]]]
        """
        flags = [[[all(token.greedy for token in text) for text in texts] for texts in rows] for rows in self.tokens]
        return torch.tensor(flags, device=self.scores.device).view(self.scores.shape) & (self.scores != -inf)


@overload
def score(
    state: SequenceState, texts: Texts, *, detail: Literal[False] = False, **others: Unpack[ScoreOptions]
) -> Tensor: ...


@overload
def score(state: SequenceState, texts: Texts, *, detail: Literal[True], **others: Unpack[ScoreOptions]) -> Scored: ...


@explained
def score(
    state: SequenceState,
    texts: Texts,
    *,
    stop: bool = False,
    normalize: ScoreNormalization = "sum",
    windows: int | None = None,
    seam: Seam = "auto",
    detail: bool = False,
) -> Tensor | Scored:
    """Log-probability of each of K texts after each row: float64 `(B, S, K)`, in nats; −inf after dead rows.

    These are the model's own log-probabilities, from unmasked logits at temperature 1, of the tokens of `state + text`;
    where a choice among the texts of a row would take tokens of the row back (`seam`), of these tokens and the text,
    spelled together. All texts of all rows are read as one tree: shared beginnings are computed once, and keys and
    values that the state has are reused.

    Args:
        state: the rows before the texts; every live row has at least one token.
        texts: a list of K texts for all rows, or a str, which is a list of one. Or a list for each batch row, B lists
            of texts; or for each row, B lists of S lists. K is then the largest number of texts of a row, and −inf
            fills the places of rows with fewer. Instead of a str, a text may be a list of token ids, or an int tensor
            of them; lists of equal length may be one tensor, `[K, T]`, `[B, K, T]` or `[B, S, K, T]`.
        stop: include the end of the text, with the probability of all eos tokens together.
        normalize: "sum": the log-probability itself. "mean": divided by the number of tokens, the stop included (0 for
            an empty text without stop). "bytes" and "characters": divided by those of the text, or by 1 if it has none.
            "unconditional": minus the log-probability of the same tokens (and stop) at the beginning of a document:
            after the tokenizer's bos, or, if it adds none, after an eos, which separates documents. That is the
            pointwise mutual information of row and text, so no answer wins only because it is common. NaN if both are
            −inf.
        windows: how to score a text that is too long for the model's context. None: an error. An int w: in windows as
            long as the context. The first window reads the row and scores as many tokens as fit. Each further window
            scores the next w tokens, after as many of the tokens before them as fit. A small w gives tokens more
            context, and costs more, because each window reads a whole context.
        seam: what becomes of the last tokens of a row, as for a choice among its texts (`continuous`): "auto", the
            default, "heal" or "keep". They stay where a text is given as ids.
        detail: return `Scored(scores, tokens)`. `tokens[b][s][k]` are `TokenScore(token, bytes, logprob, greedy)`, not
            normalized, with the stop last, as the token None; for dead rows they are empty. `scored.greedy` `(B, S, K)`
            shows which texts greedy decoding would write.

    Raises:
        TypeError: a state, texts or `stop` of a wrong type.
        ValueError: no texts, a wrong number of lists, an unknown token id, a row without tokens, a row and a text that
            exceed the model's context, a text that the tokenizer cannot spell, or "unconditional" with neither bos nor
            eos.
        ConstraintError: `stop=True` for a model without eos.

    "mean" and "unconditional": Brown et al. 2020, "Language Models are Few-Shot Learners" (arXiv:2005.14165), section
    2.4, the latter with "Answer: " as the beginning. "unconditional" also: Holtzman et al. 2021, "Surface Form
    Competition" (arXiv:2104.08315). They advise a premise of the domain as the beginning:
    `score(state, texts) - score(model.state(premise), texts)`. Windows: Press et al. 2020, "Shortformer"
    (arXiv:2012.15832), section 2: w = the length of the context gives nonoverlapping windows, w = 1 slides by one
    token.

    >>> state = model.state("Mira is a painter from Lisbon.\\nQ: What is Mira's job?\\nA:")
    >>> oc.score(state, [" painter", " sailor"]).round(decimals=1).tolist()
    [[[-0.2, -8.4]]]
    >>> questions = model.state(["Mira is a painter.\\nQ: What is Mira's job?\\nA:", "The sky is"])
    >>> oc.score(questions, [[" painter", " sailor", " tall"], [" blue", " wet"]]).round(decimals=1).tolist()
    [[[-0.2, -8.3, -12.1]], [[-0.8, -14.1, -inf]]]
    """
    _check(state, stop, normalize)
    flag(detail, "detail")
    model = state.model
    step = checked_windows(windows, model.context_length)
    listed, most = texts_of_rows(texts, state)
    reopened, taken_back = with_reopened(state, listed, checked_seam(seam))
    spelled = spelled_texts(reopened, listed, taken_back, step is not None)
    scoring = _ScoreCall(reopened, listed, spelled, most, stop, normalize, step)
    with told("scoring {:,} texts after each row", most):
        scoring.read(state, likeliest=detail)
    scores = torch.tensor(scoring.grid(scoring.normalized, -inf), dtype=torch.float64, device=model.device)
    scores = scores.view(*state.shape[:2], scoring.most)
    return Scored(scores, scoring.grid(scoring.detailed, ())) if detail else scores


def _check(state: SequenceState, stop: bool, normalize: ScoreNormalization) -> None:
    if not isinstance(state, SequenceState):
        raise TypeError(f"score() takes a SequenceState, not {type(state).__name__}: model.state(prompts) makes one")
    check_options(state.model, stop, normalize)


def check_options(model: LanguageModel, stop: bool, normalize: ScoreNormalization) -> None:
    """What is wrong with the options of `score`, if anything is: its TypeError, ValueError or ConstraintError."""
    word(normalize, "normalize", get_args(ScoreNormalization))
    if not isinstance(stop, bool):
        raise TypeError(f"stop={shown(stop)}: it is True, to count in that a text ends with eos, or False")
    if stop and not model.vocabulary.eos:
        raise ConstraintError(f"stop=True: {model.vocabulary!r} has no eos, so no text ends")


class Line(NamedTuple):
    """What is kept of a line of logits: of some tokens, and of the stop as None, the log-probabilities; and the
    likeliest token, if that was asked for."""

    logprobs: dict[int | None, float]
    likeliest: int | None


class _ScoreCall:
    """One call of `score`: the texts of every row, their windows, and the lines of logits before their tokens.

    Attributes:
        texts, spelled: of each row, as they were given, and as token ids (None of a dead row).
        most: K, the most texts of a row.
        start: what a document begins with, if scores are normalized by that; else empty.
        tree: what is to be read.
        lines: of the tree, once it is read.
    """

    def __init__(
        self,
        state: SequenceState,
        texts: list[list[list[Text]]],
        spelled: list[list[list[Ids] | None]],
        most: int,
        stop: bool,
        normalize: ScoreNormalization,
        step: int | None,
    ):
        self.state, self.model, self.texts, self.spelled = state, state.model, texts, spelled
        self.most, self.stop, self.normalize, self.step = most, stop, normalize, step
        self.start: Ids = self.model.encoder.blank if normalize == "unconditional" else ()
        self.windows: dict[tuple[Ids, Ids], list[TextWindow]] = {}
        self.tree = self._tree()
        self.lines: list[Line] = []

    def _tree(self) -> GivenTexts:
        wanted: dict[Ids, dict[Ids, bool]] = {}
        for rows, spellings in zip(self.state.rows, self.spelled, strict=True):
            for row, listed in zip(rows, spellings, strict=True):
                for ids in listed or ():
                    for context in (row.ids, self.start) if self.start else (row.ids,):
                        self._want(wanted, context, ids)
        claims = {row.ids: row.claim.exact_part() for rows in self.state.rows for row in rows if row.claim}
        tree = GivenTexts(max(LOGITS_AT_ONCE // len(self.model.vocabulary), 1))
        for context, texts in wanted.items():
            tree.add(context, texts, claims.get(context))
        return tree

    def _want(self, wanted: dict[Ids, dict[Ids, bool]], context: Ids, ids: Ids) -> None:
        if (context, ids) in self.windows:
            return
        windows = text_windows(context, ids, self.stop, self.model.context_length, self.step)
        self.windows[context, ids] = windows
        for window in windows:
            texts = wanted.setdefault(window.context, {})
            texts[window.ids] = texts.get(window.ids, False) or window.stop

    def read(self, given: SequenceState, likeliest: bool) -> None:
        """Read the tree, in parts, and let the rows that the caller has hold what of it is theirs.

        likeliest: whether to note the likeliest token of each line.
        """
        held: list[Claim | None] = []  # until the end: later parts go on from earlier ones
        for needs in _parts(self.tree):
            logits, claims = read(self.model, needs)
            held += claims
            following = self.tree.following[len(self.lines) : len(self.lines) + len(logits)]
            self.lines += _lines(logits, following, self.model.vocabulary.eos, likeliest)
        for rows in given.rows:
            for row in rows:
                self.model.claimed(row)  # while `held` keeps its keys and values alive

    def _events(self, context: Ids, ids: Ids) -> Iterator[tuple[int | None, Line]]:
        """Each token of a text after a context, and the stop, with the line before it."""
        for window in self.windows[context, ids]:
            path = self.tree.paths[window.context][window.ids]
            for line, token in zip(path[: window.count], (*window.ids, None), strict=False):
                yield token, self.lines[line]

    def _total(self, context: Ids, ids: Ids) -> float:
        return fsum(line.logprobs[token] for token, line in self._events(context, ids))

    def normalized(self, context: Ids, text: Text, ids: Ids) -> float:
        """The score of a text after a context."""
        total = self._total(context, ids)
        if self.normalize == "mean":
            return total / max(len(ids) + self.stop, 1)
        if self.normalize == "bytes":
            return total / max(byte_count(self.model, text), 1)
        if self.normalize == "characters":
            return total / max(character_count(self.model, text), 1)
        return total - (self._total(self.start, ids) if self.start else 0.0)

    def detailed(self, context: Ids, text: Text, ids: Ids) -> tuple[TokenScore, ...]:
        """What the log-probability of a text after a context is the sum of."""
        tokens, eos = self.model.vocabulary.tokens, self.model.vocabulary.eos
        return tuple(
            TokenScore(None, b"", line.logprobs[None], line.likeliest in eos)
            if token is None
            else TokenScore(token, tokens[token], line.logprobs[token], line.likeliest == token)
            for token, line in self._events(context, ids)
        )

    def grid(self, value: Any, missing: Any) -> list[list[list[Any]]]:
        """A value of each text of each row, B × S × K; `missing` of dead rows, and of texts that a row lacks."""
        values: dict[tuple[Ids, Text, Ids], Any] = {}

        def of_row(context: Ids, texts: list[Text], spellings: list[Ids] | None) -> list[Any]:
            given = []
            for text, ids in zip(texts, spellings, strict=True) if spellings is not None else ():
                key = context, text, ids  # other ids where tokens of the row were taken back
                if key not in values:
                    values[key] = value(*key)
                given.append(values[key])
            return given + [missing] * (self.most - len(given))

        return [
            [of_row(row.ids, texts, spellings) for row, texts, spellings in zip(*rows, strict=True)]
            for rows in zip(self.state.rows, self.texts, self.spelled, strict=True)
        ]


def _parts(tree: GivenTexts) -> Iterator[list[Need]]:
    """The needs in order, not too many logits at a time."""
    assert tree.lines_at_once is not None
    part: list[Need] = []
    room = tree.lines_at_once
    for need in tree.needs:
        if len(need.wanted) > room:
            yield part
            part, room = [], tree.lines_at_once
        part.append(need)
        room -= len(need.wanted)
    if part:
        yield part


def _lines(logits: Tensor, following: Sequence[set[int]], eos: Sequence[int], likeliest: bool) -> Iterator[Line]:
    """Each line of logits `[lines, V]`, with the log-probabilities of the tokens that follow it somewhere."""
    best = logits.argmax(-1).tolist() if likeliest else [None] * len(logits)
    stops = log_sum_exp(logits[:, list(eos)].float())
    for tokens, total, stop, token in zip(*logprobs_of(logits, following), stops, best, strict=True):
        # several eos tokens must not be likelier than 1 by rounding
        yield Line({**tokens, None: min(stop - total, 0.0)}, token)


# --- `scoring()`: `score()` as a value, from prompts to log-probabilities, so that it can be mapped over many of them


@dataclass(frozen=True)
class Scoring(ProcessBoundValue):
    """Texts that are scored after prompts; see `scoring`.

    Attributes:
        model: the model that scores.
        texts: the K texts that are scored after each prompt.
        stop, normalize, windows: see `score`.

    >>> oc.scores.scoring(model, " painter").texts
    (' painter',)
    """

    _instead = "make it in each process, of the model that is loaded there"

    model: LanguageModel
    texts: tuple[str, ...]
    stop: bool = False
    normalize: ScoreNormalization = "sum"
    windows: int | None = None

    __repr__ = brief

    def options(self) -> dict[str, Any]:
        """All that it was made of, but the model.

        >>> oc.scores.scoring(model, " painter").options()["windows"] is None
        True
        """
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "model"}

    def __call__(self, prompts: Prompts | SequenceState) -> Tensor:
        """The log-probability of each text after each row: float64 `(B, S, K)`.

        >>> oc.scores.scoring(model, [" blue.", " red."])("The sky is").round(decimals=1).tolist()
        [[[-0.8, -4.2]]]
        """
        state = prompts if isinstance(prompts, SequenceState) else prompt_state(self.model, prompts)
        return score(state, self.texts, stop=self.stop, normalize=self.normalize, windows=self.windows)


@explained
def scoring(
    model: LanguageModel,
    texts: str | Sequence[str],
    *,
    stop: bool = False,
    normalize: ScoreNormalization = "sum",
    windows: int | None = None,
) -> Scoring:
    """A function from prompts to the log-probabilities of texts after them: `scoring(model, texts)(prompts)` is
    `score(model.state(prompts), texts)`. `oc.map` takes it, and gives a list of K floats for each prompt.

    texts, stop, normalize, windows: see `score`.

    >>> job = oc.scores.scoring(model, [" painter", " sailor"])
    >>> prompt = "Mira is a painter from Lisbon.\\nQ: What is Mira's job?\\nA:"
    >>> job(prompt).round(decimals=1).tolist()
    [[[-0.2, -8.4]]]
    >>> [[round(value, 1) for value in row] for row in oc.map(job, [prompt], seed=0)]
    [[-0.2, -8.4]]
    """
    model = checked_model(model, "scoring()")
    check_options(model, stop, normalize)
    checked_windows(windows, model.context_length)
    return Scoring(model, tuple(listed_texts(texts)), stop, normalize, windows)
