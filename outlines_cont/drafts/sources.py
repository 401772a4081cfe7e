"""Where drafts come from, as users make them: texts, the rows themselves and the KV tree, or a second model of equal
vocabulary. All are good for any number of calls, also at the same time.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary, ref

from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown, takes_one
from outlines_cont.decode.failed_rows import lawful
from outlines_cont.decode.filters import check, is_count
from outlines_cont.decode.logits import law_of
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.drafts.protocol import Ahead, DraftRow, FunctionDraft
from outlines_cont.engines.protocol import LanguageModel, missing_members, read
from outlines_cont.errors import DraftError
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import Candidates, Scratch
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim, Tree, TreeNode

COUNT = "an int ≥ 1"
RIGHT = (
    "oc.drafts.lookup(), oc.drafts.model(small), a function of one row that gives token ids, or an object with a "
    "method propose(rows)"
)


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
    (2, 5, 5, 0)
    """
    lacking = missing_members(small)
    if lacking:
        raise TypeError(f"drafts.model({shown(small)}): it is no model, oc.load(…) makes one; it lacks {lacking[:3]}")
    check("k", k, is_count(k), COUNT)
    check("width", width, is_count(width), COUNT)
    return SmallModel(small, int(k), int(width))


def lookup(texts: str | Sequence[str | Sequence[int]] = (), k: int = 16, n: int = 8) -> Lookup:
    """Propose the tokens that followed the same tokens elsewhere: in given texts, in the row itself, in the KV tree,
    which has the rows beside it, too.

    It searches for the row's last n tokens, or for fewer if these stand nowhere else; of several places it takes the
    last one. The more tokens agree, the more it proposes. It helps for values that are copied from the prompt, for text
    that repeats itself, and for answers that quote or edit a text. It costs no pass.

    texts: none, one or several, each a str or token ids. k: the largest number of tokens proposed. n: the largest
    number of tokens searched for.

    Raises:
        TypeError: something else than texts. ValueError: k or n is not an int ≥ 1; in the call, ids that the model does
            not have.

    >>> new = oc.load()
    >>> text = oc.generate.text(new, oc.samplers.greedy())
    >>> text("The sky is", max_tokens=7, draft=oc.drafts.lookup("The sky is blue. The capital is Rome."))
    ' blue. The cap'
    >>> new.stats.passes
    3
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


def draft_option(draft: Any) -> Any:
    """What is given as `draft=`: None, a `Draft`, what makes one for each generation (`begin(model)`), or a function of
    a row. TypeError for anything else.

    >>> from outlines_cont.drafts.sources import draft_option
    >>> draft_option(len)
    len
    >>> draft_option(3)
    Traceback (most recent call last):
        ...
    TypeError: draft=3: it is oc.drafts.lookup(), oc.drafts.model(small), a function of one row that gives token ...
    """
    if draft is None or isinstance(draft, FunctionDraft):
        return draft
    for maker in (lookup, model):
        if draft is maker:
            call = f"oc.drafts.{maker.__name__}({'' if maker is lookup else '…'})"
            raise TypeError(f"draft={shown(draft)}: this makes drafts, and is none itself; call it, draft={call}")
    if hasattr(draft, "language_model"):
        raise TypeError(f"draft={shown(draft)}: a model proposes by draft=oc.drafts.model(small_model)")
    if isinstance(draft, type):
        raise TypeError(f"draft={shown(draft)}: it is a class; make one of it first")
    if callable(getattr(draft, "propose", None)) or callable(getattr(draft, "begin", None)):
        return draft
    if callable(draft) and takes_one(draft):
        return FunctionDraft(draft)
    raise TypeError(f"draft={shown(draft)}: it is {RIGHT}")


# --- copies of what followed the same tokens elsewhere: in given texts, in the row, in the KV tree

Ids = tuple[int, ...]
WIDTH = array("i").itemsize
AGREEING = 3  # tokens that have to agree with what the KV tree holds
LOOKED = 8  # passes after which it is looked at again


@dataclass(frozen=True)
class Lookup:
    """Proposes what followed the last tokens of a row; see `lookup`."""

    texts: tuple[str | Ids, ...]
    k: int
    n: int
    _indices: WeakKeyDictionary[Vocabulary, list[bytes]] = field(
        init=False, repr=False, compare=False, default_factory=WeakKeyDictionary
    )

    def begin(self, model: LanguageModel) -> LookupDraft:
        """The draft of one generation of a model. ValueError: token ids that the model does not have."""
        texts = self._indices.get(model.vocabulary)
        if texts is None:
            ids = [tuple(model.encoder.append(text)) if isinstance(text, str) else text for text in self.texts]
            _check(ids, model.vocabulary)
            texts = self._indices[model.vocabulary] = [packed(each) for each in ids]
        return LookupDraft(texts, self.k, self.n, model)

    def __reduce__(self) -> Any:
        return Lookup, (self.texts, self.k, self.n)


def _check(texts: Sequence[Ids], vocabulary: Vocabulary) -> None:
    outside = sorted({token for ids in texts for token in ids if not 0 <= token < len(vocabulary)})
    if outside:
        raise ValueError(
            f"lookup(texts): the token ids {outside[:5]} lie outside the model's vocabulary of {len(vocabulary)} tokens"
        )


class LookupDraft:
    """What `Lookup` proposes in one generation. Other rows are found in the KV tree, by one search for all of them."""

    def __init__(self, texts: list[bytes], k: int, n: int, model: LanguageModel):
        self.k, self.n = k, n
        self._texts, self._model, self._agreeing = texts, model, min(n, AGREEING)
        self._held: HeldTexts | None = None
        self._passes = 0

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        tree = getattr(self._model, "tree", None)
        if tree is not None and self._passes % LOOKED == 0 and getattr(self._model, "keeps", True):
            self._held = held_texts(tree, self._agreeing)
            self._held.look(tree)
        self._passes += 1
        return [[ids] if (ids := self.after(row.ids)) else [] for row in rows]

    def after(self, ids: Ids) -> Ids:
        """What followed the longest end of a row, of n tokens at most, that stands elsewhere, too; more of it, the more
        tokens agree."""
        row = packed(ids)
        for size in range(min(self.n, len(ids)), 0, -1):
            gram, count = row[-size * WIDTH :], min(self.k, size * (size + 1))
            for text in self._texts:
                if place := last_end(text, gram, len(text) // WIDTH - 1):
                    return tuple(array("i", text[place * WIDTH : (place + count) * WIDTH]))
            if place := last_end(row, gram, len(ids) - 1):
                return copied_on(ids, place, count)
            if self._held and size == self._agreeing and (held := self._held.after(ids[-size:], count)):
                return held
        return ()


def packed(ids: Sequence[int]) -> bytes:
    """Token ids as bytes, which are searched faster."""
    return array("i", ids).tobytes()


def last_end(text: bytes, gram: bytes, most: int) -> int:
    """After how many tokens of a text, `most` at most, a gram ends for the last time; 0: it does not.

    >>> from outlines_cont.drafts.sources import last_end, packed
    >>> last_end(packed([5, 6, 7, 5, 6, 8]), packed([5, 6]), 6), last_end(packed([5, 6, 7, 5]), packed([5]), 3)
    (5, 1)
    """
    place = text.rfind(gram, 0, most * WIDTH)
    while place % WIDTH and place > 0:
        place = text.rfind(gram, 0, place + len(gram) - 1)
    return 0 if place < 0 or place % WIDTH else (place + len(gram)) // WIDTH


def copied_on(ids: Ids, end: int, count: int) -> Ids:
    """The next `count` tokens of a row that copies itself from a depth on: it may go on into what it has just copied.

    >>> from outlines_cont.drafts.sources import copied_on
    >>> copied_on((7, 5, 6), 1, 5)
    (5, 6, 5, 6, 5)
    """
    period = ids[end : end + count]
    return (period * (count // len(period) + 1))[:count]


# --- what the tokens were that followed some others in the rows that a KV tree holds

MOST_PLACES = 1 << 16  # noted at a time; then the notes are begun anew
_OF_TREES: WeakKeyDictionary[Tree, dict[int, HeldTexts]] = WeakKeyDictionary()


def held_texts(tree: Tree, n: int) -> HeldTexts:
    """The notes of a tree, which all generations share: what one of them has looked at, no other looks at again."""
    return _OF_TREES.setdefault(tree, {}).setdefault(n, HeldTexts(n))


class HeldTexts:
    """Where each gram of n tokens stands in a tree. It holds no keys and values: what the tree frees is gone here."""

    def __init__(self, n: int):
        self.n = n
        self._sizes: WeakKeyDictionary[TreeNode, int] = WeakKeyDictionary()  # how much of each run was looked at
        self._places: dict[tuple[int, ...], tuple[ref[TreeNode], int]] = {}  # after so many tokens of a node's run

    def look(self, tree: Tree) -> None:
        """Note what the tree holds that was not there before."""
        with tree.lock:
            for node in tree.live_nodes():
                size = min(self._sizes.get(node, 0), len(node.ids))
                if size < len(node.ids):
                    self._note(node, size)
                    self._sizes[node] = len(node.ids)

    def _note(self, node: TreeNode, size: int) -> None:
        """Note the grams of a node that end after more than `size` tokens of its run."""
        if len(self._places) > MOST_PLACES:
            self._places.clear()
        n, here, head = self.n, ref(node), _before(node, self.n - 1)
        ids, before = [*head, *node.ids], len(head)
        for end in range(max(size + 1, n - before), len(node.ids) + 1):
            self._places[tuple(ids[end + before - n : end + before])] = here, end

    def after(self, gram: tuple[int, ...], count: int) -> tuple[int, ...]:
        """The tokens that follow a gram of n tokens in a run of the tree, so many at most; empty if it holds none."""
        place = self._places.get(gram)
        if place is None:
            return ()
        node, end = place[0](), place[1]
        size = min(end, self.n)
        if node is None or tuple(node.ids[end - size : end]) != gram[-size:]:  # freed, or written anew
            self._places.pop(gram, None)
            return ()
        return tuple(node.ids[end : end + count])


def _before(node: TreeNode, count: int) -> list[int]:
    """The last tokens before a node's run, so many at most."""
    ids: list[int] = []
    while node.base is not None and len(ids) < count:
        node, size = node.base.point
        ids = [*node.ids[max(0, size - count + len(ids)) : size], *ids]
    return ids


# --- what a row would go on with if another model's logits were its own: under its constraint, by its sampler, with its
# random numbers. A draft that draws like this draws what the row draws wherever the two models agree well enough.


def likely(points: Sequence[Ahead], logits: Tensor, rows: Sequence[DraftRow], width: int) -> list[list[int]]:
    """For each point the token that its row would draw there, and then the likeliest others, `width` at most.

    logits: `[points, V]`; rows: that of each point. None where the row would stop, or where nothing can be drawn:
    where a predicate refuses all, or a filter raises.
    """

    def law(places: list[int]) -> Candidates:
        return law_of([points[place].h for place in places], logits[places], Scratch(), True, {})

    candidates, errors = lawful(len(points), law)
    choices: list[list[int]] = [[] for _ in points]
    places = [place for place in range(len(points)) if place not in errors]
    if candidates is None:
        return choices
    others = candidates.best(width) if width > 1 else [[] for _ in places]
    for i, place in enumerate(places):
        try:
            first = _drawn(points[place], candidates.row(i), rows[place])
        except Exception:  # of a filter or a predicate, or it refuses all: if the row gets there, its step raises it
            continue
        tokens = dict.fromkeys([first, *(token for token, _, proposal in others[i] if proposal > float("-inf"))])
        choices[place] = [token for token in tokens if token != candidates.stop][:width]
    return choices


def _drawn(point: Ahead, law: Candidates, row: DraftRow) -> int:
    """What a row would draw from the law at a point; the likeliest candidate, if its sampler compares rows."""
    if not isinstance(row.sampler, RowByRow):
        return law.greedy()[0][0]
    return row.sampler.draw_by(point.h, law, point.h.at.followed.filters, row.seed)[1][0]


# --- a second model of equal vocabulary, which writes on under the same constraint, by the same sampler

ABSENT = 16  # passes after which the keys and values of a row that was not asked about are let go


@dataclass(frozen=True, eq=False)
class SmallModel:
    """Proposes what a second model would write; see `model`."""

    model: LanguageModel
    k: int
    width: int

    def begin(self, model: LanguageModel) -> ModelDraft:
        """The draft of one generation of a model. ValueError: the vocabularies are not equal."""
        if self.model.vocabulary != model.vocabulary:
            raise ValueError(unequal(self.model, model))
        return ModelDraft(self.model, self.k, self.width)

    def __repr__(self) -> str:
        return f"model({self.model!r}, k={self.k}, width={self.width})"


def unequal(small: LanguageModel, model: LanguageModel) -> str:
    """What to say of a draft model whose vocabulary is another one: the first thing that differs."""
    mine, other = small.vocabulary, model.vocabulary
    if len(mine) != len(other):
        reason = f"it has {len(mine):,} tokens, and the model that it drafts for has {len(other):,}"
    elif mine.eos != other.eos:
        reason = f"its texts end with {mine.eos}, and those of the model that it drafts for with {other.eos}"
    else:
        at = next((i for i, pair in enumerate(zip(mine.tokens, other.tokens, strict=True)) if len({*pair}) > 1), None)
        if at is None:
            reason = f"other tokens are special: {sorted(mine.special ^ other.special)[:5]}"
        else:
            reason = f"token {at} is {mine.tokens[at]!r}, and {other.tokens[at]!r} for the model that it drafts for"
    return f"drafts.model({small!r}): its vocabulary is another one; {reason}. A draft model needs an equal vocabulary"


class ReadRow:
    """What the small model has read of a row: its tokens, a claim on them, and claims on what was proposed after them.

    `absent`: how many passes ago it was asked about.
    """

    __slots__ = ("absent", "claim", "ids", "proposed")

    def __init__(self, ids: Ids, claim: Claim | None):
        self.ids, self.claim = ids, claim
        self.proposed: list[Claim | None] = []
        self.absent = 0


@dataclass(slots=True)
class GrowingDraft:
    """A continuation in the making, of one of the rows that were asked about.

    claim: of the small model, on what it has read of the row and the continuation.
    """

    row: DraftRow
    place: int
    ahead: Ahead
    claim: Claim | None

    @property
    def length(self) -> int:
        return len(self.row) + len(self.ahead.ids)


class ModelDraft:
    """What `SmallModel` proposes in one generation, and the claims on what the small model has read of its rows."""

    def __init__(self, model: LanguageModel, k: int, width: int):
        self.small, self.k, self.width = model, k, width
        self._rows: dict[Ids, ReadRow] = {}

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row what the small model goes on with: `width` continuations where it has so many.

        Each further token takes one pass of the small model, for all rows together. DraftError: it raised, or gave
        something else than a line of numbers for each need, as long as the vocabulary.
        """
        growing = [GrowingDraft(row, place, row.ahead, self._claim(row)) for place, row in enumerate(rows)]
        ended: list[GrowingDraft] = []
        for drafted in range(self.k):
            ended += [each for each in growing if not self._goes_on(each, drafted)]
            growing = [each for each in growing if self._goes_on(each, drafted)]
            if not growing:
                break
            growing = self._longer(growing, drafted, ended)
        proposals: list[list[Ids]] = [[] for _ in rows]
        for each in [*growing, *ended]:
            if each.ahead.ids:
                proposals[each.place].append(each.ahead.ids)
                self._rows[each.row.key].proposed.append(each.claim)
        self._let_go(rows)
        return proposals

    def _longer(self, growing: Sequence[GrowingDraft], drafted: int, ended: list[GrowingDraft]) -> list[GrowingDraft]:
        """One token further: of the first several. Those that do not go on are appended to the ended ones."""
        claims, choices = self._read(growing, 1 if drafted else self.width)
        longer: list[GrowingDraft] = []
        for each, claim, tokens in zip(growing, claims, choices, strict=True):
            if not drafted:
                self._rows[each.row.key] = ReadRow(each.row.ids, claim)
            aheads = [ahead for token in tokens if (ahead := each.ahead.after(token)) is not None]
            longer += [GrowingDraft(each.row, each.place, ahead, claim) for ahead in aheads]
            if not aheads:
                ended.append(each)
        return longer

    def _goes_on(self, each: GrowingDraft, drafted: int) -> bool:
        """Whether the small model is asked what comes after a continuation of so many draws."""
        most = self.small.context_length
        return not each.ahead.over and drafted < each.row.budget and (most is None or each.length <= most)

    def _read(self, growing: Sequence[GrowingDraft], width: int) -> tuple[list[Claim | None], list[list[int]]]:
        """One pass of the small model: for each continuation a claim on it, and the tokens to go on with."""
        needs = [Need(each.ahead.ids, (each.length - 1,), each.claim, each.row.ids) for each in growing]
        try:
            logits, claims = read(self.small, needs)
        except Exception as error:
            raise DraftError(f"the draft model {self.small!r} failed: {type(error).__name__}: {error}") from error
        if logits.isnan().any():
            raise DraftError(f"the draft model {self.small!r} gave logits that are NaN")
        return claims, likely([each.ahead for each in growing], logits, [each.row for each in growing], width)

    def _claim(self, row: DraftRow) -> Claim | None:
        """What the small model read of a row before, if the row still begins with it."""
        read = self._rows.get(row.key)
        return read.claim if read is not None and row.ids[: len(read.ids)] == read.ids else None

    def _let_go(self, rows: Sequence[DraftRow]) -> None:
        """Forget rows that have not been asked about for long: they have ended, or go on under another key."""
        asked = {row.key for row in rows}
        for key, row in list(self._rows.items()):
            row.absent = 0 if key in asked else row.absent + 1
            if row.absent > ABSENT:
                del self._rows[key]
