"""Drafts that copy what followed the same tokens elsewhere: in the row, in rows beside it and in the KV tree (`ngram`),
or in texts that were given beforehand (`lookup`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.held_texts import HeldTexts

if TYPE_CHECKING:
    from outlines_cont.drafts.protocol import DraftRow


# --- how likely it is that a row goes on as it, or a text, went on after the same tokens: by what was seen of it

How = Literal["once", "same", "other", "second", "elsewhere"]
Evidence = tuple[int, How]  # how many tokens agree, and where, or what had followed them in the last two places

#: How often what followed one, two, or more equal tokens follows them again, before anything was seen of a row: where
#: they stand in one place only; where the same token followed them in the last two places; where another one did; how
#: often that one follows them; and where they stand in another row only, or in the tree.
EXPECTED = {
    "once": (0.3, 0.6, 0.75),
    "same": (0.5, 0.75, 0.9),
    "other": (0.2, 0.4, 0.5),
    "second": (0.1, 0.2, 0.3),
    "elsewhere": (0.2, 0.4, 0.6),
}
TRUST = 3  # so many tokens of the row weigh as much as that
TRUST_IN_ALL = 2  # right ones weigh as much as the belief that all of these shares are right
WORTH = 0.15  # what holds with a smaller probability is not proposed
LEAST = 0.03  # no token of a proposal holds with a smaller one
FADING = 0.9  # of what was seen in a row, with each token
FADING_OF_ALL = 0.98


class Repeats:
    """How often a row went on as it had after the same tokens, by what spoke for that, lately.

    >>> from outlines_cont.drafts.ngram import Repeats
    >>> repeats = Repeats()
    >>> repeats.share((2, "once"))
    0.6
    >>> for _ in range(3):
    ...     repeats.note((2, "once"), right=True)
    >>> repeats.share((2, "once")) > 0.7, repeats.share((1, "once"))
    (True, 0.3)
    """

    def __init__(self) -> None:
        self._seen: dict[Evidence, tuple[float, float]] = {}  # right ones, all
        self._right = self._expected = 0.0  # of all evidence: right ones, and how many had been expected

    def note(self, evidence: Evidence, right: bool) -> None:
        """The token that had followed came again, or another one."""
        good, count = self._seen.get(evidence, (0.0, 0.0))
        self._seen[evidence] = good * FADING + right, count * FADING + 1
        self._right = self._right * FADING_OF_ALL + right
        self._expected = self._expected * FADING_OF_ALL + _expected(evidence)

    def share(self, evidence: Evidence) -> float:
        """The probability that the same token follows."""
        good, count = self._seen.get(evidence, (0.0, 0.0))
        lower = min(1.0, (self._right + TRUST_IN_ALL) / (self._expected + TRUST_IN_ALL))
        return (good + TRUST * lower * _expected(evidence)) / (count + TRUST)


def _expected(evidence: Evidence) -> float:
    size, how = evidence
    return EXPECTED[how][min(size, len(EXPECTED[how])) - 1]


def worthy_length(share: float) -> int:
    """How many tokens to propose, each of which holds with this probability if those before it do.

    >>> from outlines_cont.drafts.ngram import worthy_length
    >>> worthy_length(0.1), worthy_length(0.5), worthy_length(0.8)
    (0, 5, 15)
    """
    return int(log(LEAST) / log(min(share, 0.99))) if share >= WORTH else 0


# --- drafts copied from texts that were given beforehand

Ids = tuple[int, ...]
FARTHEST = 64  # tokens before a place that are compared with those of the row
MOST_PLACES = 256  # of a gram; later ones are left out


@dataclass(frozen=True)
class Lookup:
    """Proposes what follows in one of some texts; see `lookup`."""

    texts: tuple[str | Ids, ...]
    k: int
    n: int
    _indices: WeakKeyDictionary[Vocabulary, TextIndex] = field(
        init=False, repr=False, compare=False, default_factory=WeakKeyDictionary
    )

    def begin(self, model: LanguageModel) -> LookupDraft:
        """The draft of one generation of a model. The index of the texts is made once for each vocabulary.

        ValueError: token ids that the model does not have.
        """
        index = self._indices.get(model.vocabulary)
        if index is None:
            ids = [tuple(model.encoder.append(text)) if isinstance(text, str) else text for text in self.texts]
            _check(ids, model.vocabulary)
            index = self._indices[model.vocabulary] = TextIndex(ids, self.n)
        return LookupDraft(index, self.k)

    def __reduce__(self) -> Any:
        return Lookup, (self.texts, self.k, self.n)


def _check(texts: Sequence[Ids], vocabulary: Vocabulary) -> None:
    outside = sorted({token for ids in texts for token in ids if not 0 <= token < len(vocabulary)})
    if outside:
        raise ValueError(
            f"lookup(texts): the token ids {outside[:5]} lie outside the model's vocabulary of {len(vocabulary)} tokens"
        )


class LookupDraft:
    """What `Lookup` proposes for the rows of one generation.

    It sees of each token of a row whether it was the one that it would have proposed, so it knows by itself how much is
    worth proposing.
    """

    paces_itself = True

    def __init__(self, index: TextIndex, k: int):
        self._index, self.k = index, k
        self._seen: dict[Ids, tuple[Ids, Repeats]] = {}  # of each row: its tokens, when it was seen last

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        proposals: list[list[Ids]] = []
        for row in rows:
            repeats = self._followed(row)
            agreeing, continuation = self._index.after(row.ids, self.k)
            size = worthy_length(repeats.share((agreeing, "once"))) if agreeing else 0
            proposals.append([continuation[:size]] if size else [])
        return proposals

    def _followed(self, row: DraftRow) -> Repeats:
        """How often the texts were right about a row, its new tokens included."""
        ids, repeats = self._seen.get(row.key, (row.ids, Repeats()))
        if row.ids[: len(ids)] == ids:
            for at in range(len(ids), len(row.ids)):
                agreeing, continuation = self._index.after(row.ids[:at], 1)
                if agreeing:
                    repeats.note((agreeing, "once"), continuation[0] == row.ids[at])
        self._seen[row.key] = row.ids, repeats
        return repeats


class TextIndex:
    """Where each gram of up to n tokens stands in some texts: the first places of it.

    >>> from outlines_cont.drafts.ngram import TextIndex
    >>> index = TextIndex([(1, 2, 3, 4), (9, 2, 3, 5)], n=2)
    >>> index.after((7, 2, 3), 2), index.after((9, 2, 3), 2), index.after((3, 7), 2)
    ((2, (4,)), (3, (5,)), (0, ()))
    """

    def __init__(self, texts: Sequence[Ids], n: int):
        self.n = n
        self.ids: list[int] = []  # all texts
        self.ends = array("q")  # for each token, where its text ends
        self._places: dict[Ids, array[int]] = {}  # the ends of each gram, but for those at the end of a text
        for ids in texts:
            start = len(self.ids)
            self.ids += ids
            self.ends.extend([len(self.ids)] * len(ids))
            for end in range(1, len(ids)):
                for size in range(1, min(n, end) + 1):
                    places = self._places.setdefault(tuple(ids[end - size : end]), array("q"))
                    if len(places) < MOST_PLACES:
                        places.append(start + end)

    def after(self, row: Ids, count: int) -> tuple[int, Ids]:
        """What follows in the texts, at the place before which most tokens are the last ones of the row (of equal
        places at the first), and how many these are. `(0, ())` where none is."""
        for size in range(min(self.n, len(row)), 0, -1):
            if places := self._places.get(row[-size:]):
                most, place = max((self._agreeing(row, place), -place) for place in places)
                return most, tuple(self.ids[-place : min(count - place, self.ends[-place])])
        return 0, ()

    def _agreeing(self, row: Ids, place: int) -> int:
        """How many tokens before a place are the last ones of a row, those of its text only and not beyond FARTHEST."""
        last = self.ends[place]
        pairs: Iterator[tuple[int, int]] = zip(reversed(row[-FARTHEST:]), range(place - 1, -1, -1), strict=False)
        count = 0
        for token, at in pairs:
            if self.ids[at] != token or self.ends[at] != last:
                break
            count += 1
        return count


# --- where in rows the tokens stand that a row ends with: an index that grows as the rows do
#
# Rows that begin alike share what they have in common: the index is a tree of runs, as the KV tree is one. Each new
# token of a row costs as many entries as there are lengths of grams, whatever the length of the row. (A *gram* is a
# tuple of tokens that follow each other, and ends at a *depth*: so many tokens of the row lie before its end.)

Gram = tuple[int, ...]


class WrittenRun:
    """A run of tokens that hangs on a point of another one.

    Attributes:
        base: the run that it hangs on; None for the root.
        depth: how many tokens lie before it, on the path from the root.
        ids: its tokens.
        head: the last tokens before it, as many as grams may reach back.
        last: for each gram that ends in this run, the depth at which it does so for the last time.
        before: for each length of grams and each token, the depth at which the gram that ends with this token ended
            before in this run; 0 if it did not.
        children: the runs that hang on it, by depth and first token.
    """

    __slots__ = ("base", "before", "children", "depth", "head", "ids", "last")

    def __init__(self, n: int, base: WrittenRun | None, depth: int, head: Gram):
        self.base, self.depth, self.head = base, depth, head
        self.ids: list[int] = []
        self.last: dict[Gram, int] = {}
        self.before = [array("q") for _ in range(n)]
        self.children: dict[tuple[int, int], WrittenRun] = {}

    @property
    def end(self) -> int:
        """The depth after its last token."""
        return self.depth + len(self.ids)

    def last_end(self, gram: Gram, most: int) -> int:
        """The greatest depth, `most` at most, at which a gram ends in this run; 0: it does not."""
        end = self.last.get(gram, 0)
        before = self.before[len(gram) - 1]
        while end > most and end:
            end = before[end - self.depth - 1]
        return end

    def last_tokens(self, depth: int, count: int) -> Gram:
        """The tokens before a depth within this run, so many at most."""
        at = depth - self.depth
        here = tuple(self.ids[max(0, at - count) : at])
        return (*self.head, *here)[-count:] if len(here) < count else here


class WrittenRows:
    """The rows of a generation: where each gram of up to n tokens stands in each of them, and in the others.

    >>> from outlines_cont.drafts.ngram import WrittenRows
    >>> rows = WrittenRows(n=2)
    >>> rows.follow("a row", (5, 6, 7, 8, 5, 6))
    0
    >>> rows.in_row("a row", (5, 6)), rows.in_row("a row", (6, 5))
    (2, 0)
    >>> rows.follow("another row", (4, 5, 6))
    0
    >>> rows.in_others("another row", (5, 6), 3)
    (7, 8, 5)
    """

    def __init__(self, n: int):
        self.n = n
        self.root = WrittenRun(n, None, 0, ())
        self._ids: dict[object, Gram] = {}  # of each row, as it was followed last
        self._ends: dict[object, WrittenRun] = {}  # the run that each row ends in
        self._runs: dict[Gram, list[WrittenRun]] = {}  # in which a gram ends

    def follow(self, key: object, ids: Gram) -> int:
        """A row has these tokens now. Where it goes on from what it was, only the new ones are looked at. How many of
        its tokens are not new; 0 of another row, and where it does not go on from what it was."""
        before = self._ids.get(key)
        if before is not None and ids[: len(before)] == before:
            run, old = self._ends[key], len(before)
        else:
            run, old = self.root, 0
        run, depth = self._descend(run, old, ids)
        if depth < len(ids):
            run = self._with(run, depth, ids[depth:])
        self._ids[key], self._ends[key] = ids, run
        return old

    def forget(self, key: object) -> None:
        """A row is not followed any more. What it wrote stays."""
        self._ids.pop(key, None)
        self._ends.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._ids

    def in_row(self, key: object, gram: Gram, before: int | None = None) -> int:
        """The greatest depth at which a gram ends in a row before some depth; 0 if it does not. None: its end."""
        most = (len(self._ids[key]) if before is None else before) - 1
        run: WrittenRun | None = self._ends[key]
        while run is not None:
            if end := run.last_end(gram, most):
                return end
            most = min(most, run.depth)
            run = run.base
        return 0

    def in_others(self, key: object, gram: Gram, count: int) -> Gram:
        """What follows a gram in another row, in the run where it stood last; or in this row, where tokens were taken
        back. Empty if it stands nowhere, or nothing follows it."""
        for run in reversed(self._runs.get(gram, ())):
            end = run.last_end(gram, run.end - 1)
            if end:
                return tuple(run.ids[end - run.depth : end - run.depth + count])
        return ()

    def _descend(self, run: WrittenRun, depth: int, ids: Gram) -> tuple[WrittenRun, int]:
        """As far down as the runs agree with a row: the run, and the depth in it."""
        while depth < len(ids):
            at = depth - run.depth
            size = min(len(run.ids) - at, len(ids) - depth)
            depth += _agreement(run.ids, at, ids, depth, size)
            child = run.children.get((depth, ids[depth])) if depth < len(ids) else None
            if child is None:
                break
            run = child
        return run, depth

    def _with(self, run: WrittenRun, depth: int, ids: Gram) -> WrittenRun:
        """The run that holds more tokens after a depth of a run: this one, if it ends there, else a new one."""
        if depth < run.end or run is self.root:
            child = WrittenRun(self.n, run, depth, run.last_tokens(depth, self.n - 1) if self.n > 1 else ())
            run.children[depth, ids[0]] = child
            run = child
        tail = run.last_tokens(run.end, self.n - 1) if self.n > 1 else ()
        end = run.end
        for token in ids:
            run.ids.append(token)
            end += 1
            tail = (*tail, token)[-self.n :]
            for size in range(1, self.n + 1):
                self._note(run, tail[-size:] if size <= len(tail) else (), size, end)
        return run

    def _note(self, run: WrittenRun, gram: Gram, size: int, end: int) -> None:
        """A gram ends at this depth of a run; an empty one: so many tokens do not lie before it."""
        if not gram:
            run.before[size - 1].append(0)
            return
        before = run.last.get(gram, 0)
        run.before[size - 1].append(before)
        run.last[gram] = end
        if not before:
            self._runs.setdefault(gram, []).append(run)


def _agreement(run: Sequence[int], at: int, ids: Gram, depth: int, size: int) -> int:
    """How many of `size` tokens of a run, from `at` on, are those of a row, from `depth` on."""
    if size > 1 and tuple(run[at : at + size]) == ids[depth : depth + size]:
        return size
    return next((i for i in range(size) if run[at + i] != ids[depth + i]), size)


# --- ngram

SEEN_AT_FIRST = 64  # tokens of a prompt


@dataclass(frozen=True)
class Ngram:
    """Proposes what followed the same tokens before; see `ngram`."""

    k: int
    n: int

    def begin(self, model: LanguageModel) -> NgramDraft:
        """The draft of one generation of a model."""
        return NgramDraft(self.k, self.n, model)


class NgramDraft:
    """What `Ngram` proposes in one generation, and the index of its rows.

    It sees of each token of a row whether it was the one that it would have proposed, also where it proposed nothing.
    So it knows by itself how much is worth proposing.
    """

    paces_itself = True

    def __init__(self, k: int, n: int, model: LanguageModel):
        self.k, self.n = k, n
        self._model = model
        self._rows, self._held = WrittenRows(n), HeldTexts(n)
        self._repeats: dict[object, Repeats] = {}  # of each row
        self._elsewhere: dict[object, tuple[int, Evidence, int]] = {}  # how long a row was, and what came elsewhere

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row one continuation, or none."""
        if any(row.key not in self._rows for row in rows):
            self._look_at_tree()
        for row in rows:
            self.follow(row.key, row.ids)
        return [self._worthy(row) for row in rows]

    def _worthy(self, row: DraftRow) -> list[Ids]:
        """The continuations of a row, each as far as it is worth proposing."""
        repeats = self._repeats[row.key]
        each = self.continuations(row.key, row.ids, self.k)
        if each and each[0][0][1] == "elsewhere":
            [(evidence, ids)] = each
            self._elsewhere[row.key] = (len(row.ids), evidence, ids[0])
        return [ids[:size] for evidence, ids in each if (size := worthy_length(repeats.share(evidence)))]

    def follow(self, key: object, ids: Ids) -> None:
        """A row has these tokens now: index them, and note which of the new ones were what had followed before."""
        old = self._rows.follow(key, ids)
        if not old or key not in self._repeats:
            self._repeats[key], old = Repeats(), max(1, len(ids) - SEEN_AT_FIRST)
        length, evidence, token = self._elsewhere.pop(key, (0, None, 0))
        if evidence is not None and length == old < len(ids):
            self._repeats[key].note(evidence, ids[length] == token)
        for at in range(old, len(ids)):
            for size in range(min(self.n, at), 0, -1):
                gram = ids[at - size : at]
                if places := self._places(key, ids, gram, at):
                    for evidence, end in places:
                        self._repeats[key].note(evidence, ids[end] == ids[at])
                    break

    def _places(self, key: object, ids: Ids, gram: Ids, before: int) -> list[tuple[Evidence, int]]:
        """Where a gram ended in a row before a depth, and what speaks for what followed it there: the last place, and
        the one before, if another token followed it there."""
        size = len(gram)
        last = self._rows.in_row(key, gram, before)
        if not last:
            return []
        second = self._rows.in_row(key, gram, last)
        if not second or ids[second] == ids[last]:
            return [((size, "same" if second else "once"), last)]
        return [((size, "other"), last), ((size, "second"), second)]

    def continuations(self, key: object, ids: Ids, count: int) -> list[tuple[Evidence, Ids]]:
        """What followed the longest end of a row, of n tokens at most, that stands elsewhere, too, and what speaks for
        it: in the last place in the row itself, and in the one before that, if another token followed there; if there
        is none, in another row, and in the tree (where n tokens must agree). `[]` if there is no place at all."""
        for size in range(min(self.n, len(ids)), 0, -1):
            gram = ids[-size:]
            if places := self._places(key, ids, gram, len(ids)):
                return [(evidence, copied_on(ids, end, count)) for evidence, end in places]
            if continuation := self._rows.in_others(key, gram, count):
                return [((size, "elsewhere"), continuation)]
            if size == self.n and (continuation := self._held.after(gram, count)):
                return [((size, "elsewhere"), continuation)]
        return []

    def _look_at_tree(self) -> None:
        tree = getattr(self._model, "tree", None)
        if tree is not None and getattr(self._model, "keeps", True):
            self._held.look(tree)


def copied_on(ids: Ids, end: int, count: int) -> Ids:
    """The next `count` tokens of a row that copies itself from a depth on: it may go on into what it has just copied.

    >>> from outlines_cont.drafts.ngram import copied_on
    >>> copied_on((7, 5, 6), 1, 5)
    (5, 6, 5, 6, 5)
    """
    period = ids[end : end + count]
    return (period * (count // len(period) + 1))[:count]
