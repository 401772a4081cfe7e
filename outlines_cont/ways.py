"""Ways: parts of a chain of which the model says which one a row goes, and how often: `a | b`, `a.repeat()`.

Where a chain is linked, each of them becomes a decision, a span without tokens whose stop is the way that is taken, and
a function, which reads the way off the row. The law of a decision: ways are told apart by how they begin, in their
order, and a way has the model's probability that the row goes on so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import BRIEF, shown, whole_number
from outlines_cont.decode.settings import FREE_TO_GO_BACK, NOT_INSPECTED, Limits, SpanSettings
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.errors import CorruptStateError
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.kernels.laws import log_sum_exp
from outlines_cont.kv.given_tokens import NO_PROBABILITY, GivenTexts, Ids
from outlines_cont.kv.needs import Need
from outlines_cont.state.constraint import Constraint, make_constraint
from outlines_cont.state.row import Row

# --- the parts of a chain


@dataclass(frozen=True, eq=False)
class Ways:
    """A part of a chain: turns, in each of which one of these ways is taken.

    ways: the parts of each way; at_least, at_most: how many turns; None: any number.
    """

    ways: tuple[tuple[Any, ...], ...]
    at_least: int = 1
    at_most: int | None = 1

    def __repr__(self) -> str:
        ways = " | ".join(" >> ".join(map(_told, way)) for way in self.ways)
        once = (self.at_least, self.at_most) == (1, 1)
        return f"({ways})" + ("" if once else f".repeat({self.at_most}, at_least={self.at_least})")


def _told(part: Any) -> str:
    """A part, or how a way begins, as an error names it."""
    if constraint := getattr(part, "constraint", None):
        return f"a {constraint.kind}" + (f" ({part.name!r})" if part.name else " without a name")
    return shown(getattr(part, "args", [part])[0], BRIEF)


def either(left: tuple[Any, ...], right: tuple[Any, ...]) -> Ways:
    """One of two ways, or of theirs, where they are nothing but ways themselves."""
    if ("",) in (left, right):
        raise ValueError("no way of a chain is an empty text: (a | b).repeat(at_most=1) may be left out")
    return Ways(_ways_of(left) + _ways_of(right))


def repeated(parts: tuple[Any, ...], at_most: int | None, at_least: int) -> Ways:
    """Parts that come any number of times. TypeError or ValueError for other numbers."""
    least = whole_number(at_least, "at_least", "how many turns there are at least, an int ≥ 0")
    most = at_most if at_most is None else whole_number(at_most, "at_most", "an int ≥ 1, or None: any number")
    if least < 0 or (most is not None and most < max(least, 1)):
        raise ValueError(f"repeat({at_most}, at_least={at_least}): at_least is ≥ 0, at_most ≥ 1 and no smaller")
    return Ways(_ways_of(parts), least, most)


def _ways_of(parts: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    match parts:
        case (Ways(ways, 1, 1),):
            return ways
    return (parts,)


def inner_parts(parts: Sequence[Any]) -> Iterator[Any]:
    """The parts of a chain, those of its ways in their places."""
    for part in parts:
        yield from (each for way in part.ways for each in inner_parts(way)) if isinstance(part, Ways) else (part,)


def mapped(parts: Sequence[Any], function: Callable[[Any], Any]) -> list[Any]:
    """The parts of a chain, and those of its ways, each changed by a function."""
    return [
        replace(part, ways=tuple(tuple(mapped(way, function)) for way in part.ways))
        if isinstance(part, Ways)
        else function(part)
        for part in parts
    ]


class WayHead(NamedTuple):
    """How something may begin: with a text; or with a token that a constraint lets come first; or (neither) in
    whatever way nothing else does."""

    text: str = ""
    constraint: Constraint | None = None
    name: str | None = None  # of the step, for errors

    def __repr__(self) -> str:
        return _told(self) if self.constraint else shown(self.text, BRIEF) if self.text else "the end"

    @property
    def record(self) -> str | list[str] | None:
        """The head as JSON: a text, the specification of a constraint in a list, or None."""
        return self.text or None if self.constraint is None else [self.constraint.spec]


ELSE = WayHead()
Heads = list[WayHead]


def heads_of(parts: Sequence[Any], after: Callable[[], Heads]) -> Heads:
    """How a row may begin that goes on with these parts. after: how it may go on where they write nothing.

    ValueError where nobody can say that.
    """
    if not parts:
        return after()
    first, *later = parts
    if isinstance(first, str):
        return [WayHead(first)]
    if isinstance(first, Ways):
        heads = [head for way in first.ways for head in heads_of(way, partial(_refuse_nothing, way))]
        return heads if first.at_least else [*heads, *heads_of(later, after)]
    constraint = getattr(first, "constraint", None)
    if constraint is None or constraint.controller is not None:
        raise ValueError(
            f"where ways part in a chain, one begins with {_told(first)}, and nobody knows how that begins: put a text "
            "before it, which the model can be asked for"
        )
    return [WayHead(constraint=constraint.unbanned or constraint, name=first.name)]


def _refuse_nothing(way: Sequence[Any]) -> Heads:
    raise ValueError(
        f"the way {' >> '.join(map(_told, way))} may write nothing: let it write something, repeat(…, at_least=1), and "
        "make the whole optional, (a | b).repeat(at_most=1)"
    )


# --- what becomes of them where a chain is linked


def expanded(parts: Sequence[Any], after: Callable[[], Heads] = lambda: [ELSE]) -> list[Any]:
    """The parts of a chain, in which decisions and functions stand for ways.

    parts: spans (settings), texts, functions of a row, and ways of these; after: how a row goes on after them.
    ValueError for ways that cannot be told apart.
    """
    made: list[Any] = []
    for at, part in enumerate(parts):
        each = [part]
        if isinstance(part, Ways):
            turns = _Turns(part, partial(heads_of, parts[at + 1 :], after))
            for number in {0, part.at_least, (part.at_most or 1) - 1}:  # what cannot be is an error before a row begins
                turns.turn(number)
            each = turns.turn(0)
        if made and isinstance(made[-1], str) and isinstance(each[0], str):
            each = [made.pop() + each[0], *each[1:]]
        made += each
    return made


@dataclass(frozen=True, eq=False)
class _Turns:
    """The turns of ways. following: how a row goes on after them."""

    part: Ways
    following: Callable[[], Heads]
    made: dict[Any, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return repr(self.part)

    def turn(self, number: int) -> list[Any]:
        """What a row writes from the turn of this number on, counted from 0."""
        if number == self.part.at_most:
            return []
        ways, ends = self._ways(number), number >= self.part.at_least
        if len(ways) == 1 and not ends:
            return [*ways[0], partial(_Turns._next, self, number + 1, None)]
        return [self._decision(ends), partial(_Turns._taken, self, number)]

    def _taken(self, number: int, row: Row) -> list[Any]:
        """What a row goes on with that has decided: its way, and the next turn; nothing, if that was the end."""
        way = way_taken(row)
        if way == len(self.part.ways):
            return []
        return [lambda row: self._ways(number)[way], partial(_Turns._next, self, number + 1, len(row))]

    def _next(self, number: int, began: int | None, row: Row) -> list[Any]:
        """The next turn. One that writes nothing is the last: the model would say the same again."""
        return [] if number >= self.part.at_least and len(row) == began else self.turn(number)

    def _ways(self, number: int) -> list[list[Any]]:
        """The parts of each way in the turn of this number."""
        goes_on = self.part.at_most is None or number + 1 < self.part.at_most
        ends = number + 1 >= self.part.at_least

        def after() -> Heads:
            again = [head for way in self._heads for head in way] if goes_on else []
            return [*again, *(self.following() if ends else ())]

        if (goes_on, ends) not in self.made:
            self.made[goes_on, ends] = [expanded(way, after) for way in self.part.ways]
        return self.made[goes_on, ends]

    @property
    def _heads(self) -> list[Heads]:
        return [heads_of(way, partial(_refuse_nothing, way)) for way in self.part.ways]

    def _decision(self, ends: bool) -> SpanSettings:
        """The span that decides, as the first step of the ways draws. ends: whether the end is a way.

        ValueError for a way that gets nothing.
        """
        if ends not in self.made:
            first = next(part for part in inner_parts([self.part]) if isinstance(part, SpanSettings))
            heads, vocabulary = [*self._heads, *([self.following()] if ends else [])], first.encoder.vocabulary
            records = [[head.record for head in way] for way in heads]
            constraint = make_constraint("ways", records, vocabulary, values=heads)
            for way in set(range(len(heads))) - law_of(constraint, first.encoder, ()).possible:
                raise ValueError(
                    f"the way that begins with {heads[way][0]!r} gets no probability: whatever begins so goes a way "
                    f"before it, of those that begin with {heads[:way]!r}. Ways are told apart in their order: put it "
                    "before that"
                )
            limits = Limits(context_length=first.limits.context_length)
            plain = replace(first, name=None, appends_runs=False, seam="keep", limits=limits, draft=None)
            watched = {"inspection": NOT_INSPECTED, "going_back": FREE_TO_GO_BACK}
            self.made[ends] = replace(plain, constraint=constraint, **watched)
        return self.made[ends]


def way_taken(row: Row) -> int:
    """The number of the way that a row has taken, whose last span is a decision. ValueError if it is none."""
    last = next((piece for piece in reversed(row.pieces) if piece.kind == "generated" and not piece.emptied), None)
    if last is None or last.way is None:
        raise ValueError("the row does not end in a decision between ways of a chain")
    return last.way


# --- the law of a decision


@dataclass(frozen=True, eq=False)
class WayLaw:
    """How likely a row goes each way: by the tokens with which it may go on, as a tree.

    Attributes:
        owners: of each node of the tree, the tokens on the way there, who has what goes on otherwise than to another
            node; without an entry nobody has it.
        branches: of each node that leads to others, the tokens that lead there.
        firsts: of each way the tokens that may come first and lead to no node, bool `[ways, V]`; no two have one.
        possible: the ways that some continuation is of.
    """

    owners: dict[Ids, int]
    branches: dict[Ids, list[int]]
    firsts: Tensor
    possible: set[int]

    @classmethod
    def of(cls, heads: Sequence[Heads], encoder: Encoder, at_start: bool) -> WayLaw:
        """The law of ways that begin so. at_start: whether the row has no text yet."""
        vocabulary, texts = encoder.vocabulary, dict[Ids, int]()
        masks = np.zeros((len(heads), len(vocabulary)), bool)
        for way, head in ((way, head) for way, each in enumerate(heads) for head in each):
            if head.text:
                texts.setdefault(tuple(encoder.append(head.text, at_start=at_start)), way)
            elif head.constraint is None:
                masks[way] = True
            else:
                guide = head.constraint.guide
                masks[way] |= unpack(guide.mask(guide.initial) & vocabulary.no_eos, len(vocabulary))

        def owner(node: Ids) -> int | None:
            """The first way that has all that goes on from there."""
            shorter = (texts.get(node[:size]) for size in range(1, len(node) + 1))
            every = [way for way in shorter if way is not None] + np.flatnonzero(masks[:, node[0]]).tolist()
            return min(every, default=None)

        live = [text for text, way in texts.items() if owner(text) == way]
        nodes = sorted({text[:size] for text in live for size in range(1, len(text) + 1)})
        owners = {node: way for node in nodes if (way := owner(node)) is not None}
        branches: dict[Ids, list[int]] = {(): []}
        for node in nodes:
            branches.setdefault(node[:-1], []).append(node[-1])
        earlier = np.cumsum(masks, axis=0) - masks > 0
        possible = set(np.flatnonzero((masks & ~earlier).any(1)).tolist()) | {texts[text] for text in live}
        firsts = masks & ~earlier
        firsts[:, branches[()]] = False
        return cls(owners, branches, torch.from_numpy(firsts), possible)

    def __len__(self) -> int:
        return len(self.firsts)

    def asked_after(self, context: Ids, claim: Any = None) -> GivenTexts:
        """The logits that it takes, those after each node that leads to others."""
        asked = GivenTexts()
        asked.add(context, dict.fromkeys(self.branches, True), claim)
        return asked

    def logprobs(self, context: Ids, asked: GivenTexts, logits: Tensor) -> list[float]:
        """The log-probability of each way, from the logits `[lines, V]` that it asked for. What is left of a node is
        added up, never got by subtraction. ValueError if they are no logits of a law."""
        if not np.isfinite(log_sum_exp(logits)).all():
            raise ValueError(NO_PROBABILITY)
        logprobs = logits.detach().cpu().double().log_softmax(-1)
        after = {node: logprobs[path[-1]] for node, path in asked.paths[context].items()}
        parts: list[list[float]] = [[] for _ in self.firsts]
        for part, mask in zip(parts, self.firsts, strict=True):
            part.append(float(after[()].masked_fill(~mask, -inf).logsumexp(-1)))
        masses: dict[Ids, float] = {(): 0.0}
        for node in sorted(self.branches, key=len):
            for token in self.branches[node]:
                masses[*node, token] = masses[node] + float(after[node][token])
        for node, way in self.owners.items():
            others = 0.0
            if node in self.branches:
                line = after[node].clone()
                line[self.branches[node]] = -inf
                others = float(line.logsumexp(-1))
            parts[way].append(masses[node] + others)
        ways = [min(0.0, float(torch.tensor(part, dtype=torch.float64).logsumexp(-1))) for part in parts]
        if max(ways) == -inf:
            raise ValueError("the model gives probability 0 to every way of the chain")
        return ways


def law_of(constraint: Constraint, encoder: Encoder, context: Ids) -> WayLaw:
    """The law of a decision after a row of these tokens. CorruptStateError where a file says of it what cannot be."""
    key, laws = ("law", context == encoder.prefix), constraint.option_scores
    if (law := laws.get(key)) is None:
        try:
            heads = constraint.values or list(_read(constraint, encoder))
        except (ValueError, TypeError, IndexError) as error:
            raise CorruptStateError(f"{constraint.source}: {error}") from None
        law = laws[key] = WayLaw.of(heads, encoder, key[1])
    return law


def _read(constraint: Constraint, encoder: Encoder) -> Iterator[Heads]:
    """How ways begin that were read from a file."""

    def head(record: Any) -> WayHead:
        if not isinstance(record, list):
            return WayHead(record or "")
        return WayHead(constraint=Constraint.of(record[0], encoder.vocabulary, constraint.source or ""))

    for way in json.loads(constraint.spec)["argument"]:
        yield [*map(head, way)]


# --- a decision that is scored anew


def way_needs(constraint: Constraint, encoder: Encoder, context: Ids, claim: Any) -> Sequence[Need]:
    """The logits that score a decision after a row of these tokens; none, if a file has lost how its ways begin."""
    return () if constraint.guide_is_lost else law_of(constraint, encoder, context).asked_after(context, claim).needs


def way_logprob(constraint: Constraint, encoder: Encoder, context: Ids, way: int, answers: Iterator[Tensor]) -> float:
    """The log-probability of a way, from the answers to these needs; NaN, if there are none."""
    if constraint.guide_is_lost:
        return nan
    law = law_of(constraint, encoder, context)
    asked = law.asked_after(context)
    return law.logprobs(context, asked, torch.cat([next(answers) for _ in asked.needs]))[way]
