"""Where drafts come from, as users make them. All are good for any number of calls, also at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.decode.filters import check, is_count
from outlines_cont.drafts.draft_model import SmallModel
from outlines_cont.drafts.ngram import Lookup, Ngram
from outlines_cont.drafts.protocol import Draft, DraftRow, Ids, begun, checked_draft, checked_proposals
from outlines_cont.engines.protocol import LanguageModel, missing_members
from outlines_cont.errors import warn

# --- a draft that is used only where it is worth its time: what a second brings is measured with it and without it

TRIED = 6  # passes with the draft, and then as many without it, before they are compared
AGAIN = 64  # passes after which the slower way is tried again
AGAIN_FOR = 3  # passes
FADING = 0.9  # of what was measured, with each pass


@dataclass
class TokenRate:
    """Tokens a second, of the last passes the most."""

    tokens: float = 0.0
    seconds: float = 0.0
    passes: int = 0

    def note(self, tokens: int, seconds: float) -> None:
        """One pass more."""
        self.tokens = self.tokens * FADING + tokens
        self.seconds = self.seconds * FADING + seconds
        self.passes += 1

    @property
    def rate(self) -> float:
        return self.tokens / max(self.seconds, 1e-9)


@dataclass
class Verdict:
    """Whether a draft is worth its time on a model: it is drafted, and not drafted, for some passes in turn.

    >>> from outlines_cont.drafts.sources import Verdict
    >>> verdict = Verdict()
    >>> used = []
    >>> for _ in range(100):
    ...     used.append(verdict.uses())
    ...     verdict.note(used[-1], tokens=1, seconds=2.0 if used[-1] else 1.0)  # with the draft it takes twice as long
    >>> "".join("-+"[each] for each in used[:20]), sum(used)
    ('++++++--------------', 9)
    """

    drafted: TokenRate = field(default_factory=TokenRate)
    plain: TokenRate = field(default_factory=TokenRate)
    warned: bool = False
    _passes: int = 0  # since both have been tried

    def uses(self) -> bool:
        """Whether the draft is asked before the next pass."""
        if self.drafted.passes < TRIED:
            return True
        if self.plain.passes < TRIED:
            return False
        self._passes += 1
        return self.worth != (self._passes % AGAIN >= AGAIN - AGAIN_FOR)

    @property
    def worth(self) -> bool:
        """Whether it is faster with the draft, or nobody knows."""
        return min(self.drafted.passes, self.plain.passes) < TRIED or self.drafted.rate >= self.plain.rate

    def note(self, used: bool, tokens: int, seconds: float) -> None:
        """A pass with the draft, or without it, and its step: so many tokens came of it in so many seconds."""
        (self.drafted if used else self.plain).note(tokens, seconds)

    def warn(self, reason: str) -> None:
        """Say once why the draft is given up."""
        if not self.warned:
            self.warned = True
            warn(f"{reason}. The draft is given up; the result is the same without it")


@dataclass(frozen=True, eq=False)
class Auto:
    """Uses a draft where it is worth its time; see `auto`. It keeps what it measured on a model, while that lives."""

    draft: Any
    clock: Callable[[], float] = time.perf_counter
    _verdicts: WeakKeyDictionary[LanguageModel, Verdict] = field(
        init=False, repr=False, default_factory=WeakKeyDictionary
    )

    def begin(self, model: LanguageModel) -> AutoDraft:
        """The draft of one generation of a model."""
        verdict = Verdict()
        with suppress(TypeError):  # of a model that nobody can hold weakly: it is measured in each generation
            verdict = self._verdicts.setdefault(model, verdict)
        try:
            draft = begun(self.draft, model)
        except Exception as error:
            verdict.warn(f"draft={shown(self.draft)}: {type(error).__name__}: {error}")
            draft = None
        return AutoDraft(self, draft, verdict)

    def __repr__(self) -> str:
        return f"auto({self.draft!r})"

    def __reduce__(self) -> Any:
        return Auto, (self.draft,)


class AutoDraft:
    """What `Auto` proposes in one generation."""

    def __init__(self, given: Auto, draft: Draft | None, verdict: Verdict):
        self.given, self.draft, self.verdict = given, draft, verdict
        self._lengths: dict[Ids, int] = {}  # of the rows, when they were seen last
        self._since: float | None = None  # when the pass began that is measured
        self._used = False
        self._asked: Sequence[DraftRow] = ()  # the rows that the draft was asked about for this pass
        self.paces_itself: bool = getattr(draft, "paces_itself", False)

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """What the draft proposes, if it is worth its time; else nothing."""
        self._measure(rows)
        self._asked = ()
        nothing: list[list[Ids]] = [[] for _ in rows]
        self._used = self.draft is not None and self.verdict.uses()
        if not self.verdict.worth:
            drafted, plain = self.verdict.drafted.rate, self.verdict.plain.rate
            self.verdict.warn(f"{self._name}: {drafted:.3g} tokens a second with it, {plain:.3g} without it")
        if self.draft is None or not self._used:
            return nothing
        try:
            proposals = checked_proposals(rows, self.draft.propose(rows))
        except Exception as error:
            self._give_up(error)
            return nothing
        self._asked = rows
        return proposals

    def settled(self, rows: Sequence[DraftRow], accepted: Sequence[int]) -> None:
        """Tell the draft what was taken, if it was asked."""
        if self.draft is None or not self._asked or not hasattr(self.draft, "settled"):
            return
        try:
            self.draft.settled(rows, accepted)  # type: ignore[attr-defined]
        except Exception as error:
            self._give_up(error)

    @property
    def _name(self) -> str:
        return f"draft={shown(self.given.draft)}"

    def _give_up(self, error: Exception) -> None:
        """The draft has failed: nobody asks it again in this generation."""
        self.draft = None
        self.verdict.warn(f"{self._name}: {type(error).__name__}: {error}")

    def _measure(self, rows: Sequence[DraftRow]) -> None:
        """Note what came of the last pass. That of the prompts is not counted."""
        now = self.given.clock()
        grown = [len(row) - self._lengths[row.key] for row in rows if row.key in self._lengths]
        if self._since is not None and grown and self.draft is not None:
            self.verdict.note(self._used, max(sum(grown), 0), now - self._since)
        self._since = now if grown else None  # the first pass reads the prompts
        self._lengths |= {row.key: len(row) for row in rows}


# --- sources

COUNT = "an int ≥ 1"


def ngram(k: int = 16, n: int = 3) -> Ngram:
    """Propose the tokens that followed the same tokens earlier: in the row itself, in the rows beside it, in the KV
    tree.

    It searches for the row's last n tokens, or for fewer if these do not occur elsewhere. It helps for values that are
    copied from the prompt, and for text that repeats itself. It costs no pass.

    k: the largest number of tokens proposed. n: the largest number of tokens searched for. ValueError if one is not an
    int ≥ 1.

    >>> new = oc.load()
    >>> age = oc.generate.text(new, oc.samplers.greedy())
    >>> story = "Bartholomew Lindqvist is a painter. Q: Who is a painter?\\nA: "
    >>> age(story, max_tokens=8) == age(story, max_tokens=8, draft=oc.drafts.ngram())
    True
    """
    check("k", k, is_count(k), COUNT)
    check("n", n, is_count(n), COUNT)
    return Ngram(int(k), int(n))


def model(small: LanguageModel, k: int = 8, width: int = 1) -> SmallModel:
    """Propose the tokens that a second model would draw: under the constraint of the row, by its sampler, with its
    random numbers.

    Each proposed token takes a pass of the small model, for all rows at once. Its own KV tree keeps the keys and values
    from one pass to the next, until the generation ends.

    small: a model with an equal vocabulary; otherwise the call raises a ValueError. k: the largest number of tokens
    proposed. width: how many tokens are proposed for the next position; each is followed by the likeliest ones. If the
    small model fails, or gives something else than logits of its vocabulary, the call raises DraftError.

    Raises:
        TypeError: small is not a model. ValueError: k or width is not an int ≥ 1.

    >>> new, small = oc.load(), oc.load()
    >>> text = oc.generate.text(new, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=7, draft=oc.drafts.model(small, k=3))
    ' blue. The cap'
    >>> new.stats.passes, new.stats.drafted, new.stats.accepted, small.stats.kv_bytes
    (3, 4, 4, 0)
    """
    lacking = missing_members(small)
    if lacking:
        raise TypeError(f"drafts.model({shown(small)}): it is no model, oc.load(…) makes one; it lacks {lacking[:3]}")
    check("k", k, is_count(k), COUNT)
    check("width", width, is_count(width), COUNT)
    return SmallModel(small, int(k), int(width))


def lookup(texts: str | Sequence[str | Sequence[int]], k: int = 16, n: int = 3) -> Lookup:
    """Propose the tokens that follow in given texts: documents that an answer quotes, or a text that is edited.

    It searches the texts for the row's last n tokens, or for fewer if these do not occur. Of several places it takes
    the one where the text before agrees longest with the row.

    texts: one or several, each a str or token ids. k: the largest number of tokens proposed. n: the largest number of
    tokens searched for.

    Raises:
        TypeError: something else than texts. ValueError: k or n is not an int ≥ 1; in the call, ids that the model does
            not have.

    >>> new = oc.load()
    >>> text = oc.generate.text(new, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=7, draft=oc.drafts.lookup("The sky is blue. The capital is Rome."))
    ' blue. The cap'
    """
    check("k", k, is_count(k), COUNT)
    check("n", n, is_count(n), COUNT)
    return Lookup(_texts(texts), int(k), int(n))


def _texts(texts: Any) -> tuple[str | tuple[int, ...], ...]:
    texts = [texts] if isinstance(texts, str) else plain(texts)
    if not isinstance(texts, (list, tuple)):
        raise TypeError(f"lookup({shown(texts)}): it takes a text, or a list of texts")
    checked: list[str | tuple[int, ...]] = []
    for text in map(plain, texts):
        if isinstance(text, str):
            checked.append(text)
        elif isinstance(text, (list, tuple)) and all(map(is_whole, text)):
            checked.append(tuple(map(int, text)))
        else:
            raise TypeError(f"lookup(texts) got {shown(text)} among the texts: each is a str or a list of token ids")
    return tuple(checked)


def auto(draft: Any = None) -> Auto:
    """Use a draft only if it makes the generation faster; `draft="auto"` is `auto()`.

    Tokens per second are measured with the draft and without it, in turn. If the draft is slower, or fails, it is no
    longer used, with one warning. A slow draft is tried again now and then.

    draft: a draft, as `draft=` takes it. None: `ngram()`.

    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=2, draft=oc.drafts.auto(oc.drafts.lookup("The sky is blue.")))
    ' blue.'
    """
    return Auto(ngram() if draft is None else checked_draft(draft))


AUTO = auto()  # what it measures it keeps for each model


def draft_option(draft: Any) -> Any:
    """What is given as `draft=`: "auto", or what `checked_draft` takes. TypeError for anything else.

    >>> from outlines_cont.drafts.sources import draft_option
    >>> draft_option("auto")
    auto(Ngram(k=16, n=3))
    """
    if isinstance(draft, str) and draft == "auto":
        return AUTO
    for maker in (ngram, lookup, model, auto):
        if draft is maker:
            call = "oc.drafts.ngram()" if maker is ngram else f"oc.drafts.{maker.__name__}(…)"
            raise TypeError(f"draft={shown(draft)}: this makes drafts, and is none itself; call it, draft={call}")
    if hasattr(draft, "language_model"):
        raise TypeError(f"draft={shown(draft)}: a model proposes by draft=oc.drafts.model(small_model)")
    return checked_draft(draft)
